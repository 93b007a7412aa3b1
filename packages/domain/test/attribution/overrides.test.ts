/* People's decisions about customers: moves, credits and stops. */
import { failEachCall, LONG_TESTS_EVERY, LOST_ANSWERS } from "@findersfee/database/testing/faults/each-call";
import { describe, expect, it } from "vitest";
import { getPaymentDecision } from "../../src/attribution/get.ts";
import { listOverrides } from "../../src/attribution/overrides/list.ts";
import {
  creditPayment,
  moveCustomer,
  resumeCustomer,
  stopCustomer,
  undoOverride,
} from "../../src/attribution/overrides/make.ts";
import { updateCampaign } from "../../src/campaigns/update.ts";
import { type CreationContext, createCommission } from "../../src/commissions/create.ts";
import { createReferral } from "../../src/customers/referrals/create.ts";
import { verifyLedger } from "../../src/ledger/verify.ts";
import { beforeEachInNewProgram } from "./new-program.ts";
import { addPartner, commissions, outcomes, type Partner, payOut, referrals, report } from "./program.ts";
import { charge, checkout, dispute, payment, refund, second, signUp } from "./reported.ts";

let url: string;
let context: CreationContext;
let partner: Partner;
let click_id: string;
let other: string;

beforeEachInNewProgram((program) => {
  ({ url, context, partner, click_id } = program);
});

const CUSTOMER = { customer_id: "cus_1", email: "buyer@customers.test" };
const reason = { reason: "agreed on the phone", dry_run: false };

async function addOther(): Promise<string> {
  ({ affiliate_id: other } = await addPartner(context, { commission_amount: 10 } as never));
  return other;
}

/** A customer of the partner with a paid invoice at each of these seconds after the start. */
async function pay(...seconds: number[]): Promise<void> {
  await report(context, checkout({ subject: "cs_1", ...CUSTOMER, click_ids: [click_id], at: second(10) }));
  for (const at of seconds) await report(context, invoice(at));
}

const invoice = (at: number, fields = {}) =>
  payment({ subject: `in_${at}`, ...CUSTOMER, at: second(at), references: [`pi_${at}`], ...fields });

/** After every override of a test. */
const LATER = Math.ceil((Date.now() - second(0).getTime()) / 1000) + 24 * 60 * 60;

async function referralId(): Promise<string> {
  const [row] = (await referrals(context)).filter(({ superseded }) => !superseded);
  return row?.id ?? "";
}

/** The unpaid and paid amounts, as `in_20 partner 3000 not_paid`. */
async function earned(): Promise<string[]> {
  const rows = await commissions(context);
  return rows.map(
    ({ processor_payment_id, affiliate_id, commission_minor, payout_status }) =>
      `${processor_payment_id} ${affiliate_id === other ? "other" : "partner"} ${commission_minor} ${payout_status}`,
  );
}

async function decisionOn(payment_id: string) {
  const [row] = await context.database<{ id: string }[]>`
    select id from payment_decisions where organization_id = ${context.organization.id} and payment_id = ${payment_id}`;
  return await getPaymentDecision(context, row?.id ?? "");
}

async function expectSound(): Promise<void> {
  const found = await verifyLedger(context.database, context.organization.id);
  expect(found.filter(({ rows }) => rows.length > 0)).toEqual([]);
}

describe("moving a customer", () => {
  it("gives later payments to the affiliate, and leaves earlier ones", async () => {
    await pay(20);
    await addOther();
    const { override, payments } = await moveCustomer(context, {
      ...reason,
      referral_id: await referralId(),
      affiliate_id: other,
      unpaid_commissions: false,
    });
    expect(override).toMatchObject({ type: "move", affiliate_id: other, undone_at: null });
    expect(payments).toEqual([]);
    await report(context, invoice(LATER));
    // Reported late, but paid before the move.
    await report(context, invoice(30));
    expect(await earned()).toEqual([
      "in_20 partner 3000 not_paid",
      "in_30 partner 3000 not_paid",
      `in_${LATER} other 1000 not_paid`,
    ]);
    const { explanation } = await decisionOn(`in_${LATER}`);
    expect(explanation.override).toMatchObject({ id: override?.id, type: "move", created_by: "operator" });
    await expectSound();
  });

  it("takes unpaid commissions along, and leaves those in payouts", async () => {
    await pay(20);
    await payOut(context);
    await report(context, invoice(30));
    const { id } = await createCommission(context, {
      referral_id: await referralId(),
      revenue_amount: 50,
      commission_amount: 5,
    });
    await addOther();
    const input = { referral_id: await referralId(), affiliate_id: other, unpaid_commissions: true };
    const preview = await moveCustomer(context, { ...reason, ...input, dry_run: true });
    expect(preview).toMatchObject({
      override: null,
      payments: [
        { processor_payment_id: "in_30", before: { commission_amount: 30 }, after: { affiliate_id: other } },
      ],
      commissions: [{ id, before_affiliate_id: partner.affiliate_id, after_affiliate_id: other }],
    });
    expect(await listOverrides(context, { limit: 10 })).toMatchObject({ data: [] });
    await moveCustomer(context, { ...reason, ...input, version: preview.version });
    expect(await earned()).toEqual([
      "in_20 partner 3000 paid",
      "in_30 other 1000 not_paid",
      "null other 500 not_paid",
    ]);
    // A refund of the payment that stayed is still the former affiliate's.
    await report(
      context,
      refund({ subject: "re_1", amount_minor: 5_000n, at: second(50), references: ["pi_20"] }),
    );
    expect(await earned()).toContain("in_20 partner -1500 not_paid");
    await expectSound();
  });

  it("takes a disputed commission along, which the affiliate has if the dispute is won", async () => {
    await pay(20);
    const opened = { subject: "dp_1", amount_minor: 10_000n, at: second(30), references: ["pi_20"] };
    await report(context, dispute(opened));
    await addOther();
    const referral_id = await referralId();
    await moveCustomer(context, { ...reason, referral_id, affiliate_id: other, unpaid_commissions: true });
    await report(context, dispute({ ...opened, at: second(40), since: second(30), until: second(40) }));
    expect(await earned()).toEqual(["in_20 other 1000 not_paid"]);
    await expectSound();
  });

  it("leaves the payment of a commission that a later report withdrew", async () => {
    await updateCampaign(context, { id: partner.campaign_id, skip_prorations: true });
    await pay(20, 30);
    expect(await outcomes(context)).toEqual({ in_20: "commission", in_30: "commission" });
    await report(context, invoice(30, { is_proration: true, rank: 1 }));
    expect(await outcomes(context)).toEqual({ in_20: "commission", in_30: "proration" });
    await addOther();
    const referral_id = await referralId();
    await moveCustomer(context, { ...reason, referral_id, affiliate_id: other, unpaid_commissions: true });
    expect(await outcomes(context)).toEqual({ in_20: "commission", in_30: "proration" });
    expect(await earned()).toEqual(["in_20 other 1000 not_paid", "in_30 partner 3000 voided"]);
    await expectSound();
  });

  it("is refused again if the affiliate's payments earn nothing", async () => {
    await pay(LATER);
    await addOther();
    await context.database`update affiliates set approved = false where id = ${other}`;
    const input = { ...reason, referral_id: await referralId(), affiliate_id: other };
    await moveCustomer(context, { ...input, unpaid_commissions: false });
    expect(await outcomes(context)).toEqual({ [`in_${LATER}`]: "affiliate_unapproved" });
    await expect(moveCustomer(context, { ...input, unpaid_commissions: true })).rejects.toMatchObject({
      code: "override_refused",
    });
    await expectSound();
  });

  it("is undone with what it took along", async () => {
    await pay(20);
    const { id } = await createCommission(context, {
      referral_id: await referralId(),
      revenue_amount: 50,
      commission_amount: 5,
    });
    await addOther();
    const referral_id = await referralId();
    const moved = await moveCustomer(context, {
      ...reason,
      referral_id,
      affiliate_id: other,
      unpaid_commissions: true,
    });
    expect((await referrals(context))[0]).toMatchObject({ affiliate_id: other });
    await report(context, invoice(LATER));
    const undone = await undoOverride(context, { ...reason, id: moved.override?.id ?? "" });
    expect(undone.commissions).toMatchObject([{ id, after_affiliate_id: partner.affiliate_id }]);
    expect((await referrals(context))[0]).toMatchObject({ affiliate_id: partner.affiliate_id });
    expect(await earned()).toEqual([
      "in_20 partner 3000 not_paid",
      "null partner 500 not_paid",
      `in_${LATER} partner 3000 not_paid`,
    ]);
    await expect(undoOverride(context, { ...reason, id: moved.override?.id ?? "" })).rejects.toMatchObject({
      code: "override_refused",
    });
    await expectSound();
  });

  it("nets what was paid out since, when it is undone", async () => {
    await pay(20);
    await addOther();
    const referral_id = await referralId();
    const moved = await moveCustomer(context, {
      ...reason,
      referral_id,
      affiliate_id: other,
      unpaid_commissions: true,
    });
    await payOut(context);
    const undone = await undoOverride(context, { ...reason, id: moved.override?.id ?? "" });
    expect(undone).toMatchObject({ reversal_count: 1, balances: [{}, {}] });
    expect(await earned()).toEqual(
      expect.arrayContaining([
        "in_20 other 1000 paid",
        "in_20 other -1000 not_paid",
        "in_20 partner 3000 not_paid",
      ]),
    );
    await expectSound();
  });

  it("works for a referral that no processor knows, also before its first report", async () => {
    const { id: referral_id } = await createReferral(context, {
      affiliate_id: partner.affiliate_id,
      email: CUSTOMER.email,
      subscription_status: "signed_up",
    });
    await addOther();
    const moved = await moveCustomer(context, {
      ...reason,
      referral_id,
      affiliate_id: other,
      unpaid_commissions: false,
    });
    expect((await referrals(context))[0]).toMatchObject({ affiliate_id: other });
    await report(context, invoice(LATER));
    expect(await earned()).toEqual([`in_${LATER} other 1000 not_paid`]);
    await undoOverride(context, { ...reason, id: moved.override?.id ?? "" });
    expect((await referrals(context))[0]).toMatchObject({ affiliate_id: partner.affiliate_id });
    expect(await earned()).toEqual([`in_${LATER} partner 3000 not_paid`]);
    await expectSound();
  });

  it("takes a commission along or leaves it in a payout, if a run comes at the same time", async () => {
    await pay(20);
    await addOther();
    const referral_id = await referralId();
    for (let round = 0; round < 8; round++) {
      const affiliate_id = round % 2 === 0 ? other : partner.affiliate_id;
      await report(context, invoice(30 + round));
      const input = { ...reason, referral_id, affiliate_id, unpaid_commissions: true };
      await Promise.all([moveCustomer(context, input), payOut(context)]);
    }
    const rows = await commissions(context);
    expect(rows.filter(({ is_reversal }) => is_reversal)).toEqual([]);
    expect(rows).toHaveLength(9);
    await expectSound();
  });

  it("is refused to the same affiliate, and if other changes would be made", async () => {
    await pay(20);
    await addOther();
    const referral_id = await referralId();
    const input = { ...reason, referral_id, unpaid_commissions: true };
    await expect(
      moveCustomer(context, { ...input, affiliate_id: partner.affiliate_id }),
    ).rejects.toMatchObject({ code: "override_refused" });
    const { version } = await moveCustomer(context, { ...input, affiliate_id: other, dry_run: true });
    await report(context, invoice(30));
    await expect(moveCustomer(context, { ...input, affiliate_id: other, version })).rejects.toMatchObject({
      code: "override_changed",
    });
    expect((await referrals(context))[0]).toMatchObject({ affiliate_id: partner.affiliate_id });
  });
});

describe("crediting a payment", () => {
  const credit = (processor_payment_id: string, fields = {}) =>
    creditPayment(context, {
      ...reason,
      processor_payment_id,
      affiliate_id: partner.affiliate_id,
      past_payments: false,
      ...fields,
    });

  it("makes a customer without a referral the affiliate's, from the payment on", async () => {
    await report(context, invoice(20), invoice(30), invoice(40));
    expect(await outcomes(context)).toMatchObject({ in_20: "no_referral", in_30: "no_referral" });
    const { payments } = await credit("pi_30");
    expect(payments.map(({ processor_payment_id }) => processor_payment_id)).toEqual(["in_40", "in_30"]);
    expect(await earned()).toEqual(["in_30 partner 3000 not_paid", "in_40 partner 3000 not_paid"]);
    expect(await referrals(context)).toMatchObject([{ ...CUSTOMER_ROW, converted: true }]);
    expect((await decisionOn("in_30")).explanation.override).toMatchObject({ type: "credit" });
    expect((await decisionOn("in_40")).explanation.override).toBeNull();
    await expectSound();
  });

  const CUSTOMER_ROW = { email: CUSTOMER.email, processor_customer_id: "cus_1" };

  it("credits earlier payments on demand, and undo withdraws the referral", async () => {
    await report(context, invoice(20), invoice(30));
    const { override } = await credit("in_30", { past_payments: true });
    expect(override?.processor_payment_ids).toEqual(["in_30", "in_20"]);
    expect(await earned()).toEqual(["in_20 partner 3000 not_paid", "in_30 partner 3000 not_paid"]);
    await undoOverride(context, { ...reason, id: override?.id ?? "" });
    expect(await earned()).toEqual(["in_20 partner 3000 voided", "in_30 partner 3000 voided"]);
    expect(await referrals(context)).toMatchObject([{ superseded: true }]);
    expect(await outcomes(context)).toEqual({ in_20: "no_referral", in_30: "no_referral" });
    await expectSound();
  });

  it("pays one payment to another affiliate, whose customer it does not become", async () => {
    const { affiliate_id } = await addPartner(context, { limit_type: "payments", limit_amount: 1 } as never);
    other = affiliate_id;
    await createReferral(context, { affiliate_id, email: CUSTOMER.email, subscription_status: "signed_up" });
    await context.database`update referrals set signup_date = ${second(0)}`;
    await report(context, invoice(20), invoice(30), invoice(40));
    expect(await outcomes(context)).toMatchObject({ in_30: "limit_reached", in_40: "limit_reached" });
    await credit("in_30");
    expect(await earned()).toEqual(["in_20 other 3000 not_paid", "in_30 partner 3000 not_paid"]);
    expect(await outcomes(context)).toMatchObject({ in_40: "limit_reached" });
    await expectSound();
  });

  it("leaves a customer whom a later checkout made another affiliate's", async () => {
    await report(context, invoice(5));
    const referred = { subject: "cs_1", ...CUSTOMER, click_ids: [click_id], at: second(10) };
    await report(context, checkout(referred), invoice(20));
    expect(await outcomes(context)).toEqual({ in_5: "no_referral", in_20: "commission" });
    await addOther();
    await credit("in_5", { affiliate_id: other });
    expect(await earned()).toEqual(["in_5 other 1000 not_paid", "in_20 partner 3000 not_paid"]);
    expect((await referrals(context))[0]).toMatchObject({ affiliate_id: partner.affiliate_id });
    await expectSound();
  });

  it("asks for an email if none is known, and refuses what cannot earn", async () => {
    await report(context, payment({ subject: "pi_1", customer_id: "cus_9", at: second(20) }));
    await expect(credit("pi_1")).rejects.toMatchObject({
      code: "invalid_request",
      issues: [{ path: "email" }],
    });
    await credit("pi_1", { email: "known@customers.test" });
    expect(await earned()).toEqual(["pi_1 partner 3000 not_paid"]);
    await expect(credit("pi_1")).rejects.toMatchObject({ code: "commission_exists" });
    await expect(credit("in_unknown")).rejects.toMatchObject({ code: "not_found" });
    await report(context, invoice(20, { revenue_minor: 0n, paid_minor: 0n }));
    await expect(credit("in_20")).rejects.toMatchObject({
      code: "override_refused",
      message: expect.stringContaining("Nothing was paid"),
    });
    expect((await listOverrides(context, { limit: 10 })).data).toHaveLength(1);
    await expectSound();
  });

  it.each([
    ["a sign-up", () => report(context, signUp({ click_id, email: CUSTOMER.email, at: second(30) }))],
    [
      "the API",
      () => {
        const { affiliate_id } = partner;
        return createReferral(context, {
          affiliate_id,
          email: CUSTOMER.email,
          subscription_status: "signed_up",
        });
      },
    ],
  ])(
    "of a payment without an email is of the referral with the named email, made by %s",
    async (_name, refer) => {
      await report(context, payment({ subject: "pi_1", customer_id: "cus_9", at: second(20) }));
      await refer();
      await credit("pi_1", { email: CUSTOMER.email.toUpperCase(), affiliate_id: await addOther() });
      expect(await earned()).toEqual(["pi_1 other 1000 not_paid"]);
      expect((await referrals(context)).filter(({ superseded }) => !superseded)).toMatchObject([
        { email: CUSTOMER.email, affiliate_id: partner.affiliate_id },
      ]);
      await expectSound();
    },
  );

  it("of two payments without emails, with the same named one, makes one customer", async () => {
    for (const number of [1, 2]) {
      const fields = { customer_id: `cus_${number + 7}`, at: second(20 + number) };
      await report(context, payment({ subject: `pi_${number}`, ...fields }));
    }
    for (const number of [2, 1]) await credit(`pi_${number}`, { email: CUSTOMER.email });
    expect(await earned()).toEqual(["pi_1 partner 3000 not_paid", "pi_2 partner 3000 not_paid"]);
    expect((await referrals(context)).filter(({ superseded }) => !superseded)).toHaveLength(1);
    await expectSound();
  });

  it("stays with a payment that turns out to have another name", async () => {
    await report(context, charge({ subject: "pi_20", ...CUSTOMER, at: second(20) }));
    await credit("pi_20");
    await report(context, invoice(20));
    expect((await outcomes(context)).in_20).toBe("commission");
    expect(await earned()).toEqual(
      expect.arrayContaining([expect.stringContaining("partner 3000 not_paid")]),
    );
    await expectSound();
  });
});

describe("stopping a customer", () => {
  it("earns nothing until it is resumed", async () => {
    await pay(20);
    const referral_id = await referralId();
    const { override } = await stopCustomer(context, { ...reason, referral_id });
    await expect(stopCustomer(context, { ...reason, referral_id })).rejects.toMatchObject({
      code: "override_refused",
    });
    const meanwhile = payment({ subject: "in_now", ...CUSTOMER, at: new Date() });
    await report(context, meanwhile, invoice(LATER), invoice(30));
    expect(await outcomes(context)).toMatchObject({
      in_20: "commission",
      in_30: "commission",
      in_now: "customer_stopped",
      [`in_${LATER}`]: "customer_stopped",
    });
    const id = override?.id ?? "";
    await resumeCustomer(context, { ...reason, id });
    expect(await outcomes(context)).toMatchObject({
      in_now: "customer_stopped",
      [`in_${LATER}`]: "commission",
    });
    await expect(resumeCustomer(context, { ...reason, id })).rejects.toMatchObject({
      code: "override_refused",
    });
    const { data } = await listOverrides(context, { limit: 10, referral_id });
    expect(data).toMatchObject([{ id, type: "stop", ended_at: expect.any(String), undone_at: null }]);
    await expectSound();
  });

  it("is undone as if it had never been", async () => {
    await pay(20);
    const { override } = await stopCustomer(context, { ...reason, referral_id: await referralId() });
    await report(context, invoice(LATER));
    expect((await decisionOn(`in_${LATER}`)).explanation.override).toMatchObject({ type: "stop" });
    await undoOverride(context, { ...reason, id: override?.id ?? "" });
    expect((await outcomes(context))[`in_${LATER}`]).toBe("commission");
    await expectSound();
  });
});

describe("each call", () => {
  it.each(LOST_ANSWERS)("that fails leaves a move made or not: %s", async (kind) => {
    await pay(20);
    await addOther();
    const referral_id = await referralId();
    let made = 0;
    await failEachCall(
      url,
      kind,
      async (database) => {
        const affiliate_id = made % 2 === 0 ? other : partner.affiliate_id;
        const input = { ...reason, referral_id, affiliate_id, unpaid_commissions: true };
        const owner = async () => (await referrals(context))[0]?.affiliate_id;
        const before = await owner();
        await moveCustomer({ ...context, database }, input).catch(() => {});
        const is_made = (await owner()) === affiliate_id;
        const [commission] = await commissions(context);
        expect(commission?.affiliate_id).toBe(is_made ? affiliate_id : before);
        expect((await listOverrides(context, { limit: 100 })).data).toHaveLength(made + Number(is_made));
        await moveCustomer(context, input).catch((error: unknown) => {
          expect(error).toMatchObject({ code: "override_refused" });
        });
        made += 1;
        expect((await commissions(context)).map((row) => row.affiliate_id)).toEqual([affiliate_id]);
        expect((await listOverrides(context, { limit: 100 })).data).toHaveLength(made);
      },
      { every: LONG_TESTS_EVERY },
    );
    expect(made).toBeGreaterThan(15 / LONG_TESTS_EVERY);
    await expectSound();
  });

  it.each(LOST_ANSWERS)("that fails leaves a credit made or undone: %s", async (kind) => {
    await report(context, invoice(20));
    let made = 0;
    await failEachCall(
      url,
      kind,
      async (database) => {
        made += 1;
        const input = {
          ...reason,
          processor_payment_id: "in_20",
          affiliate_id: partner.affiliate_id,
          past_payments: false,
        };
        await creditPayment({ ...context, database }, input).catch(() => {});
        await creditPayment(context, input).catch((error: unknown) => {
          expect(error).toMatchObject({ code: "commission_exists" });
        });
        const { data, pagination } = await listOverrides(context, { limit: 100 });
        expect(data.filter(({ undone_at }) => undone_at === null)).toHaveLength(1);
        expect(pagination.total_count).toBe(made);
        const id = data[0]?.id ?? "";
        await undoOverride({ ...context, database }, { ...reason, id }).catch(() => {});
        await undoOverride(context, { ...reason, id }).catch((error: unknown) => {
          expect(error).toMatchObject({ code: "override_refused" });
        });
        expect(await outcomes(context)).toEqual({ in_20: "no_referral" });
        expect(await earned()).toEqual(["in_20 partner 3000 voided"]);
      },
      { every: LONG_TESTS_EVERY },
    );
    expect(made).toBeGreaterThan(15 / LONG_TESTS_EVERY);
    await expectSound();
  });
});
