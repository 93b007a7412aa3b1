/* Decisions and manual changes that outlast a change of settings; dry runs and reruns. */
import { beforeEach, describe, expect, it } from "vitest";
import { updateAffiliate } from "../../src/affiliates/update.ts";
import { dryRunPayment } from "../../src/attribution/dry-run.ts";
import { listPaymentDecisions } from "../../src/attribution/list.ts";
import { rerunPayment } from "../../src/attribution/rerun.ts";
import { listAuditEntries } from "../../src/audit-log/list.ts";
import { type CreationContext, createCommission } from "../../src/commissions/create.ts";
import { listCommissions } from "../../src/commissions/list.ts";
import { setCommissionStatuses } from "../../src/commissions/set-status.ts";
import { getCommissionStory } from "../../src/commissions/story.ts";
import { updateCommission } from "../../src/commissions/update.ts";
import { createReferral } from "../../src/customers/referrals/create.ts";
import { listReferrals } from "../../src/customers/referrals/list.ts";
import { updateReferral } from "../../src/customers/referrals/update.ts";
import { beforeEachInNewProgram } from "./new-program.ts";
import {
  addPartner,
  balanceOf,
  click,
  commissions,
  outcomes,
  type Partner,
  payOut,
  report,
} from "./program.ts";
import { checkout, dispute, payment, refund, second } from "./reported.ts";

let context: CreationContext;
let partner: Partner;
let click_id: string;

const CUSTOMER = { customer_id: "cus_1", email: "buyer@customers.test" };
const DAY = 24 * 60 * 60;

beforeEachInNewProgram((program) => {
  ({ context, partner, click_id } = program);
});

const checkedOut = (fields = {}) =>
  checkout({ subject: "cs_1", ...CUSTOMER, click_ids: [click_id], at: second(10), ...fields });

const paid = (fields = {}) =>
  payment({ subject: "in_1", ...CUSTOMER, at: second(20), references: ["pi_1"], ...fields });

const paidAgain = (fields = {}) => payment({ subject: "in_2", ...CUSTOMER, at: second(40), ...fields });

const refunded = (amount_minor: bigint, fields = {}) =>
  refund({ subject: "re_1", amount_minor, at: second(50), references: ["pi_1"], ...fields });

async function onlyCommission(): Promise<string> {
  const { data } = await listCommissions(context, { limit: 10 });
  expect(data).toHaveLength(1);
  return data[0]?.id ?? "";
}

async function correct(fields: object): Promise<void> {
  await updateCommission(context, { id: await onlyCommission(), ...fields });
}

/** A partner who gets a single commission of each referral, and a click of theirs. */
async function clickOfOnce(): Promise<string> {
  const { affiliate_id } = await addPartner(context, { limit_type: "payments", limit_amount: 1 });
  return await click(context, { affiliate_id, at: second(2) });
}

describe("a decision stands", () => {
  it("when an affiliate gets a code that a customer used before", async () => {
    const promo_codes = [{ external_id: null, code: "SAVE10" }];
    await report(context, checkedOut({ click_ids: [], promo_codes }), paid());
    await addPartner(context, { code_mode: "both", reference_coupon: "x" }, { promo_code: "SAVE10" });
    await report(context, paidAgain());
    expect((await outcomes(context)).in_1).toBe("no_referral");
  });

  it("when the email of a guest's referral is changed manually", async () => {
    const fields = { affiliate_id: partner.affiliate_id, subscription_status: "signed_up" } as const;
    const { id } = await createReferral(context, { ...fields, email: "guest@customers.test" });
    const facts = payment({
      subject: "in_1",
      email: "guest@customers.test",
      at: new Date(Date.now() + 1_000),
    });
    await report(context, facts);
    await updateReferral(context, { id, email: "new@customers.test" });
    await report(context, facts);
    expect(await outcomes(context)).toEqual({ in_1: "commission" });
  });

  it("and a sign-up after the payment is attributed at once", async () => {
    const facts = payment({ subject: "in_1", ...CUSTOMER, at: new Date(Date.now() - 60_000) });
    await report(context, facts);
    const fields = { affiliate_id: partner.affiliate_id, subscription_status: "signed_up" } as const;
    await createReferral(context, { ...fields, email: CUSTOMER.email });
    const before = await outcomes(context);
    await report(context, facts);
    expect(await outcomes(context)).toEqual(before);
  });

  it("when an earlier commission is voided manually", async () => {
    await report(context, checkedOut({ click_ids: [await clickOfOnce()] }), paid(), paidAgain());
    await correct({ payout_status: "voided" });
    await report(context, paidAgain());
    expect(await outcomes(context)).toEqual({ in_1: "commission", in_2: "limit_reached" });
  });

  it("when another payment is rerun", async () => {
    await updateAffiliate(context, { id: partner.affiliate_id, banned: true });
    await report(context, checkedOut(), paid(), paidAgain());
    await updateAffiliate(context, { id: partner.affiliate_id, banned: false });
    const { data } = await listPaymentDecisions(context, { limit: 10, processor_payment_id: "in_2" });
    await rerunPayment(context, data[0]?.id ?? "");
    expect(await outcomes(context)).toEqual({ in_1: "affiliate_banned", in_2: "commission" });
  });
});

describe("a manual correction", () => {
  it("of the date does not change a dispute's effect", async () => {
    await report(context, checkedOut(), paid());
    const lost = dispute({ subject: "dp_1", amount_minor: 10_000n, at: second(50), references: ["pi_1"] });
    await report(context, lost);
    await correct({ referral_date: second(21).toISOString() });
    await report(context, { ...lost, at: second(99), until: second(99) });
    expect(await balanceOf(context)).toBe(3_000n);
  });

  it("of the date does not change a refund's effect", async () => {
    await report(context, checkedOut(), paid(), refunded(5_000n));
    await correct({ referral_date: second(21).toISOString() });
    await report(context, refunded(5_000n, { at: second(99), until: second(99) }));
    expect(await balanceOf(context)).toBe(3_000n);
  });

  it("of the date of a void commission does not void later ones", async () => {
    await report(context, checkedOut({ click_ids: [await clickOfOnce()] }), paid());
    await correct({ payout_status: "voided" });
    const id = await onlyCommission();
    await context.database`
      update commission_corrections set voided_at = ${second(30)} where commission_id = ${id}`;
    await report(context, paidAgain());
    expect(await outcomes(context)).toEqual({ in_1: "commission", in_2: "commission" });
    await updateCommission(context, { id, referral_date: second(21).toISOString() });
    await report(context, paidAgain());
    expect(await outcomes(context)).toEqual({ in_1: "commission", in_2: "commission" });
    expect(await balanceOf(context)).toBe(3_000n);
  });

  it("of the payment id does not block the payment with that id", async () => {
    await report(context, checkedOut(), paid());
    await correct({ processor_payment_id: "in_2" });
    await report(context, paidAgain());
    expect((await outcomes(context)).in_2).toBe("commission_exists");
  });

  it("of the payment id decides the payment with that id at once", async () => {
    await report(context, checkedOut({ click_ids: [await clickOfOnce()] }), paid(), paidAgain());
    expect((await outcomes(context)).in_2).toBe("limit_reached");
    await correct({ processor_payment_id: "in_2" });
    expect((await outcomes(context)).in_2).toBe("commission_exists");
  });

  it("of the payment id takes no other commission's payment", async () => {
    await report(context, checkedOut(), paid(), paidAgain());
    const { data } = await listCommissions(context, { limit: 10 });
    const idOf = (payment_id: string) =>
      data.find(({ processor_payment_id }) => processor_payment_id === payment_id)?.id ?? "";
    await updateCommission(context, { id: idOf("in_2"), processor_payment_id: "by hand" });
    await expect(
      updateCommission(context, { id: idOf("in_1"), processor_payment_id: "in_2" }),
    ).rejects.toMatchObject({ code: "commission_exists", details: { commission_id: idOf("in_2") } });
    expect(await outcomes(context)).toEqual({ in_1: "commission", in_2: "commission" });
    expect(await balanceOf(context)).toBe(6_000n);
  });

  it("of the date or of an unknown payment id attributes no payment again", async () => {
    await report(context, checkedOut(), paid(), paidAgain());
    await updateAffiliate(context, { id: partner.affiliate_id, banned: true });
    // Without snapshots, attribution would find the affiliate banned.
    await context.database`
      update payment_facts set snapshot = null where organization_id = ${context.organization.id}`;
    const { data } = await listCommissions(context, { limit: 10 });
    const id = data.find(({ processor_payment_id }) => processor_payment_id === "in_1")?.id ?? "";
    await updateCommission(context, { id, referral_date: second(21).toISOString() });
    await updateCommission(context, { id, processor_payment_id: "by hand" });
    expect(await outcomes(context)).toEqual({ in_1: "commission", in_2: "commission" });
    await updateCommission(context, { id, commission_amount: 20 });
    expect(await outcomes(context)).toEqual({ in_1: "affiliate_banned", in_2: "affiliate_banned" });
  });

  it("that voids a reversal stands", async () => {
    await report(context, checkedOut(), paid());
    await payOut(context);
    await report(context, refunded(10_000n));
    const { data } = await listCommissions(context, { limit: 10 });
    const reversal = data.find(({ commission_amount }) => commission_amount < 0);
    await updateCommission(context, { id: reversal?.id ?? "", payout_status: "voided" });
    await report(context, paidAgain());
    expect((await commissions(context)).filter(({ is_reversal }) => is_reversal)).toHaveLength(1);
  });

  it("that restores a commission stands for any reason of its voiding", async () => {
    await report(context, checkedOut(), paid());
    await report(context, checkedOut({ at: second(11), opened_at: second(10), click_ids: [] }));
    await correct({ payout_status: "not_paid" });
    await report(context, paid());
    expect(await balanceOf(context)).toBe(3_000n);
  });

  it("that restores a paid commission stands", async () => {
    await report(context, checkedOut(), paid());
    await report(context, checkedOut({ at: second(11), opened_at: second(10), click_ids: [] }));
    await correct({ payout_status: "not_paid" });
    await payOut(context);
    await report(context, paidAgain());
    expect(await balanceOf(context)).toBe(3_000n);
  });

  it("with a payment intent's commission creates no second one", async () => {
    await report(context, checkedOut());
    const referral_id = (await listReferrals(context, { limit: 10 })).data[0]?.id ?? "";
    const amounts = { revenue_amount: 100, commission_amount: 30 };
    await createCommission(context, { referral_id, ...amounts, processor_payment_id: "pi_1" });
    await report(context, paid());
    expect(await outcomes(context)).toEqual({ in_1: "commission_exists" });
  });
});

describe("a decision shows", () => {
  it("the same in a dry run", async () => {
    await report(context, checkedOut({ click_ids: [await clickOfOnce()] }), paid());
    await payOut(context);
    await report(context, refunded(10_000n, { at: second(30) }));
    const paid_at = second(40).toISOString();
    const dry = await dryRunPayment(context, {
      revenue_amount: 100,
      lines: [],
      customer_id: "cus_1",
      paid_at,
    });
    await report(context, paidAgain());
    expect(dry.outcome).toBe((await outcomes(context)).in_2);
  });

  it("the affiliates that lost at the checkout", async () => {
    const other = await addPartner(context);
    const earlier = await click(context, { affiliate_id: other.affiliate_id, at: second(0) });
    await report(context, checkedOut({ click_ids: [click_id, earlier] }), paid());
    const { data } = await listPaymentDecisions(context, { limit: 10 });
    expect(data[0]?.explanation.candidates).toMatchObject([{ result: "won" }, { result: "lost" }]);
  });

  it("its own reason", async () => {
    await updateAffiliate(context, { id: partner.affiliate_id, banned: true });
    await report(context, paid({ click_ids: [click_id] }));
    await updateAffiliate(context, { id: partner.affiliate_id, banned: false });
    await report(context, paidAgain({ click_ids: [click_id], at: second(41 * DAY) }));
    expect(await outcomes(context)).toEqual({ in_1: "affiliate_banned", in_2: "click_expired" });
  });
});

describe("a commission that a dispute voided", () => {
  const disputed = (fields = {}) =>
    dispute({ subject: "dp_1", amount_minor: 10_000n, at: second(50), references: ["pi_1"], ...fields });
  const won = () => disputed({ until: second(60) });
  const status = async () => (await listCommissions(context, { limit: 10 })).data[0]?.payout_status;

  beforeEach(async () => {
    await report(context, checkedOut(), paid(), disputed());
    expect(await status()).toBe("voided");
  });

  it("comes back when the dispute is won, also after it was sent back as it was", async () => {
    const { data } = await listCommissions(context, { limit: 10 });
    const [commission] = data;
    if (commission === undefined) throw new Error("no commission");
    await updateCommission(context, commission);
    await report(context, won());
    expect(await balanceOf(context)).toBe(3_000n);
  });

  it("stays voided when a person decides so, until that is taken back", async () => {
    await correct({ stays_voided: true });
    await correct({ stays_voided: true });
    await report(context, won());
    expect(await status()).toBe("voided");
    expect(await balanceOf(context)).toBe(0n);
    const id = await onlyCommission();
    expect((await getCommissionStory(context, id)).commission.stays_voided).toBe(true);
    const log = async () => (await listAuditEntries(context, { resource: "commission", limit: 10 })).data;
    expect(await log()).toMatchObject([{ before: { stays_voided: false }, after: { stays_voided: true } }]);
    await correct({ stays_voided: false });
    expect(await status()).toBe("not_paid");
    expect(await balanceOf(context)).toBe(3_000n);
    expect((await getCommissionStory(context, id)).commission.stays_voided).toBe(false);
    expect(await log()).toHaveLength(2);
  });

  it("follows its payment again after an undo, without becoming a gift", async () => {
    await correct({ stays_voided: true });
    await correct({ stays_voided: false });
    expect(await status()).toBe("voided");
    await report(context, won());
    expect(await balanceOf(context)).toBe(3_000n);
  });

  it("can be restored after it was kept voided", async () => {
    await correct({ stays_voided: true });
    await correct({ payout_status: "not_paid" });
    expect(await balanceOf(context)).toBe(3_000n);
    await expect(correct({ stays_voided: true })).rejects.toMatchObject({
      code: "invalid_request",
      issues: [{ path: "stays_voided" }],
    });
    expect(await balanceOf(context)).toBe(3_000n);
  });

  it("stays voided by an id of several, all or none", async () => {
    const id = await onlyCommission();
    await report(context, paidAgain());
    const ids = (await listCommissions(context, { limit: 10 })).data.map((row) => row.id);
    await expect(setCommissionStatuses(context, { ids, stays_voided: true })).rejects.toMatchObject({
      code: "invalid_request",
    });
    expect(await setCommissionStatuses(context, { ids: [id], stays_voided: true })).toEqual({ changed: 1 });
    expect(await setCommissionStatuses(context, { ids: [id], stays_voided: true })).toEqual({ changed: 0 });
    await report(context, won());
    expect(await balanceOf(context)).toBe(3_000n);
  });
});
