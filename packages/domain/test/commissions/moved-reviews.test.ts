/* A commission that another affiliate gets is reviewed as one that this affiliate earned at once. */
import { NO_SIGNALS } from "@findersfee/contract/campaigns/signals";
import { describe, expect, it } from "vitest";
import { moveCustomer, undoOverride } from "../../src/attribution/overrides/make.ts";
import { updateCampaign } from "../../src/campaigns/update.ts";
import { type CreationContext, createCommission } from "../../src/commissions/create.ts";
import { approveCommission, rejectCommission } from "../../src/commissions/review.ts";
import { createReferral } from "../../src/customers/referrals/create.ts";
import { verifyLedger } from "../../src/ledger/verify.ts";
import { reportConversion } from "../../src/tracking/report-conversion.ts";
import { beforeEachInNewProgram } from "../attribution/new-program.ts";
import {
  addPartner,
  type CampaignFields,
  click,
  type Partner,
  payOut,
  referrals,
  report,
} from "../attribution/program.ts";
import { charge, checkout, payment, refund, second } from "../attribution/reported.ts";

let context: CreationContext;

beforeEachInNewProgram((program) => {
  ({ context } = program);
});

const CUSTOMER = { customer_id: "cus_1", email: "buyer@customers.test" };
const REASON = { reason: "agreed on the phone", dry_run: false };
const SIGNALS = { ...NO_SIGNALS, shared_domain: "flag" as const };

/** 100.00, which earns 30.00. */
const paid = (fields = {}) =>
  payment({ subject: "in_1", ...CUSTOMER, at: second(30), references: ["pi_1"], ...fields });

/** A partner, and the checkout that gives it the customer. */
async function partnerWith(fields: Partial<CampaignFields>, { number }: { number: number }) {
  const partner = await addPartner(context, fields as CampaignFields, {
    email: `partner${number}@customers.test`,
  });
  const click_id = await click(context, { affiliate_id: partner.affiliate_id, at: second(number) });
  const at = second(10 + number);
  return { partner, checkout: checkout({ subject: `cs_${number}`, ...CUSTOMER, click_ids: [click_id], at }) };
}

async function reviewOf({ affiliate_id }: Partner) {
  const rows = await context.database<{ affiliate_id: string; state: string; reasons: string[] | null }[]>`
    select commission.affiliate_id, review_state as state, review.reasons
    from commissions commission
    left join commission_reviews review
      on review.organization_id = commission.organization_id and review.commission_id = commission.id
    where commission.organization_id = ${context.organization.id} and not voided and reversal_of is null`;
  expect(rows.map((row) => row.affiliate_id)).toEqual([affiliate_id]);
  return rows.map(({ state, reasons }) =>
    reasons === null ? state : `${state}: ${reasons.toSorted().join(", ")}`,
  )[0];
}

async function commissionId(): Promise<string> {
  const [row] = await context.database<{ id: string }[]>`
    select id from commissions where organization_id = ${context.organization.id}`;
  return row?.id ?? "";
}

async function expectSound(): Promise<void> {
  const found = await verifyLedger(context.database, context.organization.id);
  expect(found.filter(({ rows }) => rows.length > 0)).toEqual([]);
}

const SETTINGS: Record<string, [Partial<CampaignFields>, string]> = {
  none: [{}, "none"],
  all: [{ review: "all" }, "pending: campaign_reviews_all"],
  "first of an affiliate": [{ review: "first" }, "pending: first_of_affiliate"],
  "above an amount": [{ review_above_amount: 20 }, "pending: above_amount"],
  "not above an amount": [{ review_above_amount: 50 }, "none"],
  flagged: [{ review: "flagged", signals: SIGNALS }, "pending: signal:shared_domain"],
  "flagged and all": [
    { review: "all", signals: { ...SIGNALS, shared_domain: "hold" } },
    "pending: campaign_reviews_all, signal:shared_domain",
  ],
};

const PAIRS = Object.entries(SETTINGS).flatMap(([from, [former]]) =>
  Object.entries(SETTINGS).flatMap(([to, [latter, expected]]) =>
    from === to || (from !== "none" && to !== "none") ? [] : [{ from, to, former, latter, expected }],
  ),
);

describe.each(PAIRS)("from reviews of $from to reviews of $to", ({ former, latter, expected }) => {
  it("waits as if the older checkout had been reported first", async () => {
    const later = await partnerWith(former, { number: 2 });
    const older = await partnerWith(latter, { number: 1 });
    await report(context, later.checkout, paid());
    await report(context, older.checkout);
    expect(await reviewOf(older.partner)).toBe(expected);
    await expectSound();
  });

  it("waits as if it was the new affiliate's when a person moves it, until that is undone", async () => {
    const first = await partnerWith(former, { number: 1 });
    const next = await partnerWith(latter, { number: 2 });
    await report(context, first.checkout, paid());
    const before = await reviewOf(first.partner);
    const [referral] = await referrals(context);
    const { override } = await moveCustomer(context, {
      ...REASON,
      referral_id: referral?.id ?? "",
      affiliate_id: next.partner.affiliate_id,
      unpaid_commissions: true,
    });
    expect(await reviewOf(next.partner)).toBe(expected);
    await undoOverride(context, { ...REASON, id: override?.id ?? "" });
    expect(await reviewOf(first.partner)).toBe(before);
    await expectSound();
  });
});

describe("what somebody has decided or paid", () => {
  it("stays approved", async () => {
    const later = await partnerWith({ review: "all" }, { number: 2 });
    const older = await partnerWith({ review_above_amount: 1 }, { number: 1 });
    await report(context, later.checkout, paid());
    await approveCommission(context, { id: await commissionId() });
    await report(context, older.checkout);
    expect(await reviewOf(older.partner)).toBe("approved: campaign_reviews_all");
  });

  it("stays rejected", async () => {
    const later = await partnerWith({ review: "all" }, { number: 2 });
    const older = await partnerWith({}, { number: 1 });
    await report(context, later.checkout, paid());
    await rejectCommission(context, { id: await commissionId(), reason: "Fraud" });
    await report(context, older.checkout);
    const [row] = await context.database`
      select affiliate_id, review_state, voided from commissions where organization_id = ${context.organization.id}`;
    expect(row).toMatchObject({ review_state: "rejected", voided: true });
  });

  it("is netted without a review", async () => {
    const later = await partnerWith({}, { number: 2 });
    const older = await partnerWith({ review: "all" }, { number: 1 });
    await report(context, later.checkout, paid());
    await payOut(context);
    await report(context, older.checkout);
    const states = await context.database`
      select distinct review_state from commissions where organization_id = ${context.organization.id}`;
    expect(states).toMatchObject([{ review_state: "none" }]);
    await expectSound();
  });
});

it("keeps the review of a commission whose affiliate stays, whatever the settings are now", async () => {
  const later = await partnerWith({ review_above_amount: 20 }, { number: 2 });
  await report(context, later.checkout, paid());
  await updateCampaign(context, { id: later.partner.campaign_id, review: "all", review_above_amount: null });
  await report(
    context,
    refund({ subject: "re_1", amount_minor: 1_000n, at: second(50), references: ["pi_1"] }),
  );
  expect(await reviewOf(later.partner)).toBe("pending: above_amount");
});

it("compares what was earned before refunds, whichever is reported first", async () => {
  const one = await partnerWith({ review_above_amount: 20 }, { number: 2 });
  const taken = refund({ subject: "re_1", amount_minor: 8_000n, at: second(50), references: ["pi_1"] });
  await report(context, taken);
  await report(context, one.checkout, paid());
  expect(await reviewOf(one.partner)).toBe("pending: above_amount");
});

it("waits or not by the amount that a later report shows", async () => {
  const one = await partnerWith({ review_above_amount: 20 }, { number: 2 });
  const intent = charge({ subject: "pi_1", ...CUSTOMER, at: second(30) });
  await report(context, one.checkout, intent);
  expect(await reviewOf(one.partner)).toBe("pending: above_amount");
  // Without tax.
  await report(context, paid({ revenue_minor: 5_000n }));
  expect(await reviewOf(one.partner)).toBe("none");
  await report(context, paid({ at: second(31), revenue_minor: 9_000n }));
  expect(await reviewOf(one.partner)).toBe("pending: above_amount");
});

it("counts the days until it is approved by itself from when it began to wait", async () => {
  const later = await partnerWith({ review: "all", review_approve_after_days: 3 }, { number: 2 });
  const older = await partnerWith({ review: "all", review_approve_after_days: 9 }, { number: 1 });
  await report(context, later.checkout, paid());
  await report(context, older.checkout);
  const [row] = await context.database`
    select extract(day from due_at - created_at)::int as days from commission_reviews
    where organization_id = ${context.organization.id}`;
  expect(row).toEqual({ days: 9 });
});

it("reviews a manual commission and a lead's that a person moves", async () => {
  const lead_commissions = [{ kind: "signup", amount: 40, daily_limit: null }];
  const first = await partnerWith({ lead_commissions }, { number: 1 });
  const next = await partnerWith({ lead_commissions, review_above_amount: 20 }, { number: 2 });
  const { affiliate_id } = first.partner;
  const { id: referral_id } = await createReferral(context, {
    affiliate_id,
    email: CUSTOMER.email,
    subscription_status: "active",
  });
  await createCommission(context, { referral_id, revenue_amount: 100, commission_amount: 30 });
  await createCommission(context, { referral_id, revenue_amount: 100, commission_amount: 10 });
  const move = { ...REASON, referral_id, affiliate_id: next.partner.affiliate_id, unpaid_commissions: true };
  await moveCustomer(context, move);
  const rows = await context.database`
    select commission_minor::int as minor, review_state from commissions
    where organization_id = ${context.organization.id} order by 1`;
  expect(rows).toEqual([
    { minor: 1_000, review_state: "none" },
    { minor: 3_000, review_state: "pending" },
    { minor: 4_000, review_state: "pending" },
  ]);
  await expectSound();
});

it.each([
  { from: 5_000n, to: 9_000n, expected: "pending: above_amount" },
  { from: 9_000n, to: 5_000n, expected: "none" },
])("compares $to after $from with nothing in between", async ({ from, to, expected }) => {
  const one = await partnerWith({ review_above_amount: 20 }, { number: 2 });
  const states = [from, 0n, to];
  for (const [index, revenue_minor] of states.entries())
    await report(context, one.checkout, paid({ at: second(30 + index), revenue_minor }));
  expect(await reviewOf(one.partner)).toBe(expected);
  await expectSound();
});

describe("an approved commission that moves to an affiliate whose first wait", () => {
  const second_payment = () => paid({ subject: "in_2", at: second(40), references: ["pi_2"] });

  const states = async ({ affiliate_id }: Partner) =>
    await context.database`
      select processor_payment_id as id, review_state from commissions
      where organization_id = ${context.organization.id} and affiliate_id = ${affiliate_id} order by referral_date`;

  it.each([0, 1])(
    "clears the others that a person moves with it, the approved one is number %i",
    async (approved) => {
      const one = await partnerWith({ review: "all" }, { number: 1 });
      const two = await partnerWith({ review: "first" }, { number: 2 });
      await report(context, one.checkout, approved === 0 ? paid() : second_payment());
      await approveCommission(context, { id: await commissionId() });
      await updateCampaign(context, { id: one.partner.campaign_id, review: "none" });
      await report(context, approved === 0 ? second_payment() : paid());
      const [referral] = await referrals(context);
      await moveCustomer(context, {
        ...REASON,
        referral_id: referral?.id ?? "",
        affiliate_id: two.partner.affiliate_id,
        unpaid_commissions: true,
      });
      const expected = ["approved", "none"];
      if (approved === 1) expected.reverse();
      expect((await states(two.partner)).map(({ review_state }) => review_state)).toEqual(expected);
      await expectSound();
    },
  );

  it("clears a payment that is reported at the same time as the older checkout", async () => {
    const later = await partnerWith({ review: "all" }, { number: 2 });
    const older = await partnerWith({ review: "first" }, { number: 1 });
    await report(context, later.checkout, paid());
    await approveCommission(context, { id: await commissionId() });
    await report(context, older.checkout, second_payment());
    const found = await states(older.partner);
    expect(found.map(({ review_state }) => review_state)).toEqual(["approved", "none"]);
    await expectSound();
  });

  describe("for a lead", () => {
    const LEADS = [
      { kind: "signup", amount: 2, daily_limit: null },
      { kind: "demo", amount: 9, daily_limit: null },
    ];

    /** An affiliate with an approved sign-up, and one with older evidence, where first commissions wait. */
    async function withApprovedLead() {
      const later = await partnerWith({ lead_commissions: LEADS, review: "all" }, { number: 2 });
      const older = await partnerWith({ lead_commissions: LEADS, review: "first" }, { number: 1 });
      await report(context, later.checkout);
      await approveCommission(context, { id: await commissionId() });
      await updateCampaign(context, { id: later.partner.campaign_id, review: "none" });
      return { later, older };
    }

    const byMove = async ({ affiliate_id }: Partner) => {
      const [referral] = await referrals(context);
      const referral_id = referral?.id ?? "";
      await moveCustomer(context, { ...REASON, referral_id, affiliate_id, unpaid_commissions: true });
    };

    it.each(["payment", "lead"])("clears a %s that moves with it", async (other) => {
      const { older } = await withApprovedLead();
      if (other === "payment") await report(context, paid());
      else await reportConversion(context, { kind: "demo", email: CUSTOMER.email });
      await byMove(older.partner);
      const found = await states(older.partner);
      expect(found.map(({ review_state }) => review_state)).toEqual(["approved", "none"]);
      await expectSound();
    });

    it("clears a payment that is reported at the same time as the older checkout", async () => {
      const { older } = await withApprovedLead();
      await report(context, older.checkout, paid());
      const found = await states(older.partner);
      expect(found.map(({ review_state }) => review_state)).toEqual(["approved", "none"]);
      await expectSound();
    });

    it("is cleared by an approved payment", async () => {
      const one = await partnerWith({ lead_commissions: LEADS, review: "first" }, { number: 2 });
      const two = await partnerWith({ lead_commissions: LEADS, review: "first" }, { number: 1 });
      await report(context, one.checkout, paid());
      const [payment_row] = await context.database<{ id: string }[]>`
        select id from commissions where organization_id = ${context.organization.id} and lead is null`;
      await approveCommission(context, { id: payment_row?.id ?? "" });
      await byMove(two.partner);
      const found = await states(two.partner);
      expect(found.map(({ review_state }) => review_state)).toEqual(["none", "approved"]);
      await expectSound();
    });
  });

  it("does not if it is void", async () => {
    const later = await partnerWith({ review: "all" }, { number: 2 });
    const older = await partnerWith({ review: "first" }, { number: 1 });
    await report(context, later.checkout, paid());
    await approveCommission(context, { id: await commissionId() });
    const taken = refund({ subject: "re_1", amount_minor: 10_000n, at: second(50), references: ["pi_1"] });
    await report(context, older.checkout, second_payment(), taken);
    const found = await states(older.partner);
    expect(found.map(({ review_state }) => review_state)).toEqual(["approved", "pending"]);
    await expectSound();
  });
});
