/* Commissions for leads: sign-ups, trials and reported conversions. */
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { failEachCall, LONG_TESTS_EVERY, LOST_ANSWERS } from "@findersfee/database/testing/faults/each-call";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { updateAffiliate } from "../../src/affiliates/update.ts";
import { moveCustomer, stopCustomer, undoOverride } from "../../src/attribution/overrides/make.ts";
import { updateCampaign } from "../../src/campaigns/update.ts";
import type { CreationContext } from "../../src/commissions/create.ts";
import { updateCommission } from "../../src/commissions/update.ts";
import { createReferral } from "../../src/customers/referrals/create.ts";
import { verifyLedger } from "../../src/ledger/verify.ts";
import { reportConversion } from "../../src/tracking/report-conversion.ts";
import { makeContext } from "../subscriber.ts";
import { addAffiliate, addPartner, click, eventTypes, type Partner, payOut, report } from "./program.ts";
import { checkout, payment, second, signUp, subscription } from "./reported.ts";

let test: TestDatabase;
let context: CreationContext;
let partner: Partner;

beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.close());

const LEADS = [
  { kind: "signup", amount: 2, daily_limit: null },
  { kind: "trial", amount: 5, daily_limit: null },
  { kind: "demo_booked", amount: 20, daily_limit: 2 },
];

beforeEach(async () => {
  context = await makeContext(test.database);
  partner = await addPartner(context, { lead_commissions: LEADS });
});

/** Commissions of leads, the reversals behind their originals. */
async function leadCommissions({ database, organization }: CreationContext = context) {
  const rows = await database<
    {
      lead: string;
      affiliate_id: string;
      revenue_minor: bigint;
      commission_minor: bigint;
      payout_status: string;
    }[]
  >`
    select lead, affiliate_id, revenue_minor, commission_minor, payout_status from commission_states
    where organization_id = ${organization.id} and lead is not null order by id`;
  return rows.map(({ lead, affiliate_id, revenue_minor, commission_minor, payout_status }) => {
    expect(revenue_minor).toBe(0n);
    const whose = affiliate_id === partner.affiliate_id ? "" : " of another";
    return `${lead} ${commission_minor} ${payout_status}${whose}`;
  });
}

async function leadOutcomes({ database, organization }: CreationContext = context) {
  const rows = await database<{ kind: string; outcome: string }[]>`
    select kind, outcome from leads where organization_id = ${organization.id} order by created_at, kind, id`;
  return rows.map(({ kind, outcome }) => `${kind} ${outcome}`);
}

async function faults({ database, organization }: CreationContext = context) {
  return (await verifyLedger(database, organization.id)).filter(({ rows }) => rows.length > 0);
}

const newReferral = async (email = "buyer@customers.test", affiliate_id = partner.affiliate_id) =>
  await createReferral(context, { affiliate_id, email, subscription_status: "signed_up" });

const demo = { kind: "demo_booked" };

const CUSTOMER = { customer_id: "cus_1", email: "buyer@customers.test" };

const TRIAL = { subject: "sub_1", customer_id: "cus_1", status: "trialing", at: second(20) } as const;

/** A customer who came by a click, and checked out. */
async function checkedOut(affiliate_id = partner.affiliate_id) {
  const click_id = await click(context, { affiliate_id, at: second(1) });
  await report(context, checkout({ subject: "cs_1", ...CUSTOMER, click_ids: [click_id], at: second(10) }));
}

it("earns once for a sign-up, a trial and a conversion of a referral, and converts it with none of them", async () => {
  await checkedOut();
  await report(context, subscription({ ...TRIAL }));
  await report(context, subscription({ ...TRIAL, status: "active", at: second(30), rank: 1 }));
  const first = await reportConversion(context, { ...demo, email: CUSTOMER.email, reference: "booking-1" });
  const again = await reportConversion(context, {
    ...demo,
    processor_customer_id: "cus_1",
    reference: "booking-2",
  });
  expect(again).toEqual(first);
  expect(first).toMatchObject({ outcome: "commission", reference: "booking-1", kind: "demo_booked" });
  expect(await leadCommissions()).toEqual([
    "signup 200 not_paid",
    "trial 500 not_paid",
    "demo_booked 2000 not_paid",
  ]);
  expect(await eventTypes(context)).toEqual([
    "referral.created",
    "commission.created",
    "commission.created",
    "commission.created",
  ]);
  expect(await faults()).toEqual([]);
});

it("finds the trial whichever report comes first", async () => {
  await report(context, subscription({ ...TRIAL, status: "active", at: second(30), rank: 1 }));
  await report(context, subscription({ ...TRIAL }));
  await checkedOut();
  expect(await leadOutcomes()).toEqual(["signup commission", "trial commission"]);
  expect(await faults()).toEqual([]);
});

it("does not count as a payment for first payments and limits", async () => {
  const { affiliate_id } = await addPartner(context, {
    lead_commissions: LEADS,
    first_payment_commission: { enabled: true, type: "percentage", amount: 50 },
    limit_type: "payments",
    limit_amount: 1,
  });
  await checkedOut(affiliate_id);
  await reportConversion(context, { ...demo, email: CUSTOMER.email });
  await report(context, payment({ subject: "in_1", ...CUSTOMER, at: second(20) }));
  await report(context, payment({ subject: "in_2", ...CUSTOMER, at: second(30) }));
  const decisions = await context.database`
    select payment_id, outcome, commission_minor * 2 = revenue_minor as is_first from payment_decisions
    where organization_id = ${context.organization.id} order by payment_id`;
  expect([...decisions]).toEqual([
    { payment_id: "in_1", outcome: "commission", is_first: true },
    { payment_id: "in_2", outcome: "limit_reached", is_first: false },
  ]);
  expect(await faults()).toEqual([]);
});

it("keeps the terms of each lead when the campaign changes", async () => {
  await newReferral();
  await reportConversion(context, { ...demo, email: CUSTOMER.email });
  await updateCampaign(context, {
    id: partner.campaign_id,
    lead_commissions: [{ kind: "trial", amount: 9, daily_limit: null }],
  });
  const other = await newReferral("other@customers.test");
  const refused = await reportConversion(context, { ...demo, referral_id: other.id });
  expect(refused).toMatchObject({ outcome: "no_lead_commission", commission_id: null });
  await updateCampaign(context, { id: partner.campaign_id, lead_commissions: LEADS });
  expect(await reportConversion(context, { ...demo, referral_id: other.id })).toEqual(refused);
  expect(await leadCommissions()).toEqual(["signup 200 not_paid", "demo_booked 2000 not_paid"]);
});

it("limits the leads of an affiliate in a day, also of reports at the same time", async () => {
  const emails = ["a", "b", "c", "d"].map((name) => `${name}@customers.test`);
  for (const email of emails) await newReferral(email);
  const reported = await Promise.all(emails.map((email) => reportConversion(context, { ...demo, email })));
  const outcomes = reported.map(({ outcome }) => outcome).sort();
  expect(outcomes).toEqual(["commission", "commission", "daily_limit_reached", "daily_limit_reached"]);
  const yesterday = new Date(Date.now() - 24 * 60 * 60 * 1000).toISOString();
  const early = await newReferral("e@customers.test");
  expect(
    await reportConversion(context, { ...demo, referral_id: early.id, occurred_at: yesterday }),
  ).toMatchObject({ outcome: "before_referral" });
  const { affiliate_id } = partner;
  const other = await addAffiliate(context, { campaign_id: partner.campaign_id });
  expect(other).not.toBe(affiliate_id);
  await newReferral("f@customers.test", other);
  expect(await reportConversion(context, { ...demo, email: "f@customers.test" })).toMatchObject({
    outcome: "commission",
  });
  expect(await faults()).toEqual([]);
});

it("records one of two reports at the same time", async () => {
  await newReferral();
  const [one, other] = await Promise.all([
    reportConversion(context, { ...demo, email: CUSTOMER.email, reference: "one" }),
    reportConversion(context, { ...demo, email: CUSTOMER.email, reference: "other" }),
  ]);
  expect(one).toEqual(other);
  expect(await leadCommissions()).toEqual(["signup 200 not_paid", "demo_booked 2000 not_paid"]);
});

it("earns nothing for affiliates who are banned or not approved, and for themselves", async () => {
  const { campaign_id } = partner;
  await updateAffiliate(context, { id: partner.affiliate_id, banned: true });
  await newReferral();
  const waiting = await addAffiliate(context, { campaign_id });
  await context.database`
    update affiliates set approved = false where organization_id = ${context.organization.id} and id = ${waiting}`;
  await newReferral("waiting@customers.test", waiting);
  expect(await leadOutcomes()).toEqual(["signup affiliate_banned", "signup affiliate_unapproved"]);
  expect(await leadCommissions()).toEqual([]);
});

it("tells what to do about a customer without a referral, and refers one who came by a click", async () => {
  await expect(reportConversion(context, { ...demo, email: "new@customers.test" })).rejects.toMatchObject({
    code: "not_found",
    message: expect.stringContaining("report the sign-up first"),
  });
  const click_id = await click(context, {
    affiliate_id: partner.affiliate_id,
    at: new Date(Date.now() - 1000),
  });
  const reported = await reportConversion(context, { ...demo, email: "new@customers.test", click_id });
  expect(reported.outcome).toBe("commission");
  expect(await leadCommissions()).toEqual(["signup 200 not_paid", "demo_booked 2000 not_paid"]);
});

it("finds the referral of a page's sign-up by its click", async () => {
  const click_id = await click(context, { affiliate_id: partner.affiliate_id, at: second(1) });
  await report(context, signUp({ click_id, email: "page@customers.test", at: second(5) }));
  expect(await reportConversion(context, { ...demo, click_id })).toMatchObject({ outcome: "commission" });
});

describe("with another affiliate", () => {
  let other_id: string;

  beforeEach(async () => {
    other_id = await addAffiliate(context, { campaign_id: partner.campaign_id });
  });

  it("follows the customer to the affiliate of a click at the checkout, also after a payout", async () => {
    const click_id = await click(context, { affiliate_id: other_id, at: second(1) });
    await report(context, signUp({ click_id, email: CUSTOMER.email, at: second(5) }));
    expect(await leadCommissions()).toEqual(["signup 200 not_paid of another"]);
    await payOut(context);
    await checkedOut();
    expect(await leadCommissions()).toEqual([
      "signup 200 paid of another",
      "signup -200 not_paid of another",
      "signup 200 not_paid",
    ]);
    expect(await faults()).toEqual([]);
  });

  it("is withdrawn with its referral", async () => {
    const click_id = await click(context, { affiliate_id: partner.affiliate_id, at: second(1) });
    await report(context, signUp({ click_id, email: CUSTOMER.email, at: second(5) }));
    expect(await leadCommissions()).toEqual(["signup 200 not_paid"]);
    await newReferral(CUSTOMER.email, other_id);
    expect(await leadCommissions()).toEqual(["signup 200 voided", "signup 200 not_paid of another"]);
    expect(await leadOutcomes()).toEqual(["signup referral_withdrawn", "signup commission"]);
    expect(await faults()).toEqual([]);
  });

  it("moves with the customer's unpaid commissions, and back", async () => {
    const { id } = await newReferral();
    const moved = await moveCustomer(context, {
      referral_id: id,
      affiliate_id: other_id,
      unpaid_commissions: true,
      reason: "agreed",
      dry_run: false,
    });
    expect(await leadCommissions()).toEqual(["signup 200 not_paid of another"]);
    await reportConversion(context, { ...demo, referral_id: id });
    expect(await leadCommissions()).toEqual([
      "signup 200 not_paid of another",
      "demo_booked 2000 not_paid of another",
    ]);
    await undoOverride(context, { id: moved.override?.id ?? "", reason: "mistake", dry_run: false });
    expect(await leadCommissions()).toEqual(["signup 200 not_paid", "demo_booked 2000 not_paid"]);
    expect(await faults()).toEqual([]);
  });

  it("keeps the terms of the affiliate who got the customer while a move had the lead", async () => {
    const better = await addPartner(context, {
      lead_commissions: [{ ...LEADS[0], amount: 5 }] as typeof LEADS,
    });
    const signed_up = await click(context, { affiliate_id: partner.affiliate_id, at: second(1) });
    await report(context, signUp({ click_id: signed_up, email: CUSTOMER.email, at: second(5) }));
    const [{ id }] = await context.database<[{ id: string }]>`
      select id from referrals where organization_id = ${context.organization.id}`;
    const reason = { reason: "agreed", dry_run: false };
    const moving = { referral_id: id, affiliate_id: other_id, unpaid_commissions: true };
    const moved = await moveCustomer(context, { ...reason, ...moving });
    await checkedOut(better.affiliate_id);
    const lead_commissions = [{ kind: "signup", amount: 9, daily_limit: null }];
    await updateCampaign(context, { id: better.campaign_id, lead_commissions });
    await undoOverride(context, { ...reason, id: moved.override?.id ?? "" });
    expect(await leadCommissions()).toEqual(["signup 500 not_paid of another"]);
    expect(await faults()).toEqual([]);
  });

  it("stays with the former affiliate of a customer who is moved without commissions", async () => {
    const { id } = await newReferral();
    await moveCustomer(context, {
      referral_id: id,
      affiliate_id: other_id,
      unpaid_commissions: false,
      reason: "agreed",
      dry_run: false,
    });
    expect(await leadCommissions()).toEqual(["signup 200 not_paid"]);
  });
});

it("pays a conversion that turns out to have happened after the customer was referred", async () => {
  const { affiliate_id } = partner;
  const first = await click(context, { affiliate_id, at: second(1) });
  await report(context, checkout({ subject: "cs_2", ...CUSTOMER, click_ids: [first], at: second(30) }));
  const early = { ...demo, email: CUSTOMER.email, occurred_at: second(20).toISOString() };
  expect(await reportConversion(context, early)).toMatchObject({ outcome: "before_referral" });
  await report(context, checkout({ subject: "cs_1", ...CUSTOMER, click_ids: [first], at: second(10) }));
  expect(await leadCommissions()).toEqual(["signup 200 not_paid", "demo_booked 2000 not_paid"]);
  expect(await faults()).toEqual([]);
});

it("earns nothing while the customer is stopped, until the stop is undone", async () => {
  const { id } = await newReferral();
  const stop = await stopCustomer(context, { referral_id: id, reason: "fraud", dry_run: false });
  expect(await reportConversion(context, { ...demo, referral_id: id })).toMatchObject({
    outcome: "customer_stopped",
  });
  expect(await leadCommissions()).toEqual(["signup 200 not_paid"]);
  await undoOverride(context, { id: stop.override?.id ?? "", reason: "mistake", dry_run: false });
  expect(await leadCommissions()).toEqual(["signup 200 not_paid", "demo_booked 2000 not_paid"]);
  expect(await faults()).toEqual([]);
});

it("keeps what a person corrected or voided", async () => {
  const { id } = await newReferral();
  const { commission_id } = await reportConversion(context, { ...demo, referral_id: id });
  const demo_id = commission_id ?? "";
  await updateCommission(context, { id: demo_id, commission_amount: 7 });
  const stop = await stopCustomer(context, { referral_id: id, reason: "fraud", dry_run: false });
  expect(await leadCommissions()).toEqual(["signup 200 not_paid", "demo_booked 700 not_paid"]);
  await updateCommission(context, { id: demo_id, payout_status: "voided" });
  await undoOverride(context, { id: stop.override?.id ?? "", reason: "mistake", dry_run: false });
  expect(await leadCommissions()).toEqual(["signup 200 not_paid", "demo_booked 700 voided"]);
  await updateCommission(context, { id: demo_id, payout_status: "not_paid" });
  expect(await leadCommissions()).toEqual(["signup 200 not_paid", "demo_booked 700 not_paid"]);
  for (const fields of [{ revenue_amount: 5 }, { processor_payment_id: "pi_1" }]) {
    await expect(updateCommission(context, { id: demo_id, ...fields })).rejects.toMatchObject({
      code: "invalid_request",
    });
  }
  await updateCommission(context, { id: demo_id, revenue_amount: 0, processor_payment_id: null });
  expect(await faults()).toEqual([]);
});

describe.each(LOST_ANSWERS)("when a call fails (%s)", (kind) => {
  /** With each call failing in turn, a change is made or not made at all, and a repetition makes it. */
  async function failEach({
    prepare,
    run,
  }: {
    prepare: () => Promise<void>;
    run: (with_faults: CreationContext) => Promise<unknown>;
  }) {
    const stateOf = async () => ({
      commissions: await leadCommissions(),
      outcomes: await leadOutcomes(),
      events: await eventTypes(context),
      balances: [
        ...(await context.database`
          select unpaid_minor, in_payout_minor, paid_minor from balances
          where organization_id = ${context.organization.id} order by affiliate_id`),
      ],
    });
    await prepare();
    const before = await stateOf();
    await run(context);
    const done = await stateOf();
    const results = { made: 0, failed: 0 };
    await failEachCall(
      test.url,
      kind,
      async (database) => {
        context = await makeContext(test.database);
        partner = await addPartner(context, { lead_commissions: LEADS });
        await prepare();
        const failed = await run({ ...context, database }).then(
          () => false,
          () => true,
        );
        const after = await stateOf();
        const is_made = JSON.stringify(after, text) === JSON.stringify(done, text);
        if (!is_made) expect(after).toEqual(before);
        expect(is_made || failed).toBe(true);
        results[is_made ? "made" : "failed"] += 1;
        await run(context);
        expect(await stateOf()).toEqual(done);
        expect(await faults()).toEqual([]);
      },
      { every: LONG_TESTS_EVERY },
    );
    expect(results.made).toBeGreaterThan(0);
    expect(results.failed).toBeGreaterThan(0);
  }

  const text = (_: string, value: unknown) => (typeof value === "bigint" ? String(value) : value);

  it("records a conversion with its commission and event", async () => {
    await failEach({
      prepare: async () => {
        await newReferral();
      },
      run: (with_faults) => reportConversion(with_faults, { ...demo, email: CUSTOMER.email }),
    });
  });

  it("withdraws the leads of a replaced referral, one of them paid", async () => {
    await failEach({
      prepare: async () => {
        const click_id = await click(context, { affiliate_id: partner.affiliate_id, at: second(1) });
        await report(context, signUp({ click_id, email: CUSTOMER.email, at: second(5) }));
        await payOut(context);
      },
      run: (with_faults) =>
        createReferral(with_faults, {
          affiliate_id: partner.affiliate_id,
          email: CUSTOMER.email,
          subscription_status: "signed_up",
        }).catch((error: unknown) => {
          if ((error as { code?: string }).code !== "referral_exists") throw error;
        }),
    });
  });
});
