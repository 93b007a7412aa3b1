/* Manual commissions of one customer's referral for the payment of another customer: the first one's moves and the second one's refunds. */
import { describe, expect, it } from "vitest";
import type { PaymentFact } from "../../src/attribution/facts/payment-fact.ts";
import { moveCustomer, undoOverride } from "../../src/attribution/overrides/make.ts";
import { updateCampaign } from "../../src/campaigns/update.ts";
import { type CreationContext, createCommission } from "../../src/commissions/create.ts";
import { updateCommission } from "../../src/commissions/update.ts";
import { verifyLedger } from "../../src/ledger/verify.ts";
import { beforeEachInNewProgram } from "./new-program.ts";
import {
  addPartner,
  click,
  commissions,
  outcomes,
  type Partner,
  payOut,
  referrals,
  report,
} from "./program.ts";
import { checkout, dispute, payment, refund, second } from "./reported.ts";

let context: CreationContext;
let partner: Partner;
let click_id: string;
let other: string;

beforeEachInNewProgram((program) => {
  ({ context, partner, click_id } = program);
});

const KIM = { customer_id: "cus_kim", email: "kim@customers.test" };
const LEE = { customer_id: "cus_lee", email: "lee@customers.test" };
const REASON = { reason: "agreed on the phone", dry_run: false };

/** Kim is the partner's referral and has paid nothing. */
const kims_checkout = (fields = {}) =>
  checkout({ subject: "cs_kim", ...KIM, click_ids: [click_id], at: second(10), ...fields });

/** 100.00, of nobody's referral. */
const lees_payment = () =>
  payment({ subject: "in_lee", ...LEE, at: second(20), references: ["pi_lee"], revenue_minor: 10_000n });

const lees_refund = (amount_minor: bigint, fields = {}) =>
  refund({ subject: `re_${amount_minor}`, amount_minor, at: second(50), references: ["pi_lee"], ...fields });

async function referralOf({ email }: { email: string }): Promise<string> {
  const found = (await referrals(context)).find((row) => row.email === email);
  return found?.id ?? "";
}

/** 5.00 of Kim's referral, for Lee's payment. */
async function createByHand(): Promise<string> {
  const { id } = await createCommission(context, {
    referral_id: await referralOf(KIM),
    revenue_amount: 50,
    commission_amount: 5,
    processor_payment_id: "pi_lee",
  });
  return id;
}

async function addOther(): Promise<void> {
  ({ affiliate_id: other } = await addPartner(context));
}

async function move(customer: { email: string }, affiliate_id: string): Promise<string> {
  const referral_id = await referralOf(customer);
  const input = { ...REASON, referral_id, affiliate_id, unpaid_commissions: true };
  return (await moveCustomer(context, input)).override?.id ?? "";
}

/** Minor units, paid and unpaid ones. */
async function balances(): Promise<{ partner: bigint; other: bigint }> {
  const valid = (await commissions(context)).filter(({ payout_status }) => payout_status !== "voided");
  const sumOf = (affiliate_id: string) =>
    valid.reduce((sum, row) => (row.affiliate_id === affiliate_id ? sum + row.commission_minor : sum), 0n);
  return { partner: sumOf(partner.affiliate_id), other: sumOf(other) };
}

async function expectSound(): Promise<void> {
  const found = await verifyLedger(context.database, context.organization.id);
  expect(found.filter(({ rows }) => rows.length > 0)).toEqual([]);
}

/** Both orders of two reports, one after the other, and both at once. */
const ORDERS: Record<string, (one: PaymentFact, two: PaymentFact) => PaymentFact[][]> = {
  "one after the other": (one, two) => [[one], [two]],
  "the other way round": (one, two) => [[two], [one]],
  "at the same time": (one, two) => [[one, two]],
};

describe.each(Object.entries(ORDERS))("reported %s", (_, inOrder) => {
  it("a refund of the payment's customer takes from the commission that was moved with its own customer", async () => {
    await report(context, kims_checkout(), lees_payment());
    await addOther();
    await createByHand();
    await move(KIM, other);
    expect(await balances()).toEqual({ partner: 0n, other: 500n });
    for (const facts of inOrder(lees_refund(4_000n), kims_checkout({ at: second(11) })))
      await report(context, ...facts);
    expect(await balances()).toEqual({ partner: 0n, other: 300n });
    await expectSound();
  });

  it("a refund that was there before the move stays", async () => {
    await report(context, kims_checkout(), lees_payment(), lees_refund(10_000n));
    await addOther();
    await createByHand();
    await move(KIM, other);
    expect(await balances()).toEqual({ partner: 0n, other: 0n });
    for (const facts of inOrder(lees_refund(1_000n), kims_checkout({ at: second(11) })))
      await report(context, ...facts);
    expect(await balances()).toEqual({ partner: 0n, other: 0n });
    await expectSound();
  });

  it("a refund after a move that was undone after the payout is the first affiliate's", async () => {
    await report(context, kims_checkout(), lees_payment());
    await addOther();
    await createByHand();
    const id = await move(KIM, other);
    await payOut(context);
    await report(context, lees_refund(1_000n));
    expect(await balances()).toEqual({ partner: 0n, other: 450n });
    await undoOverride(context, { ...REASON, id });
    expect(await balances()).toEqual({ partner: 450n, other: 0n });
    for (const facts of inOrder(lees_refund(4_000n), kims_checkout({ at: second(11) })))
      await report(context, ...facts);
    expect(await balances()).toEqual({ partner: 250n, other: 0n });
    await expectSound();
  });
});

it("leaves the commission with its customer's affiliate when the payment's customer is moved", async () => {
  const second_click = await click(context, { affiliate_id: partner.affiliate_id, at: second(1) });
  const lees_checkout = checkout({ subject: "cs_lee", ...LEE, click_ids: [second_click], at: second(30) });
  await report(context, kims_checkout(), lees_payment(), lees_checkout);
  await addOther();
  await createByHand();
  await move(LEE, other);
  expect(await balances()).toEqual({ partner: 500n, other: 0n });
  await report(context, lees_refund(4_000n));
  expect(await balances()).toEqual({ partner: 300n, other: 0n });
  await expectSound();
});

it("keeps what a person set or voided when its customer is moved", async () => {
  await report(context, kims_checkout(), lees_payment(), lees_refund(5_000n));
  await addOther();
  const id = await createByHand();
  await updateCommission(context, { id, commission_amount: 2 });
  await move(KIM, other);
  expect(await balances()).toEqual({ partner: 0n, other: 200n });
  await report(context, lees_refund(2_500n));
  expect(await balances()).toEqual({ partner: 0n, other: 100n });
  await updateCommission(context, { id, payout_status: "voided" });
  await move(KIM, partner.affiliate_id);
  expect(await balances()).toEqual({ partner: 0n, other: 0n });
  await expectSound();
});

describe("a limit of one payment", () => {
  const outcomesOf = async () =>
    Object.entries(await outcomes(context))
      .filter(([id]) => id.startsWith("in_kim"))
      .sort();
  const kims_payment = (number: number, at: number) =>
    payment({ subject: `in_kim_${number}`, ...KIM, at: second(at), references: [`pi_kim_${number}`] });

  /** Kim's payments are after the commission for Lee's. */
  async function begin(): Promise<void> {
    await updateCampaign(context, { id: partner.campaign_id, limit_type: "payments", limit_amount: 1 });
    await report(context, kims_checkout(), lees_payment());
    await createCommission(context, {
      referral_id: await referralOf(KIM),
      revenue_amount: 50,
      commission_amount: 5,
      processor_payment_id: "pi_lee",
      referral_date: second(30).toISOString(),
    });
  }

  it.each(Object.entries(ORDERS))("does not count what a refund took, reported %s", async (_, inOrder) => {
    await begin();
    for (const facts of inOrder(lees_refund(10_000n), kims_payment(1, 60))) await report(context, ...facts);
    expect(await outcomesOf()).toEqual([["in_kim_1", "commission"]]);
    await expectSound();
  });

  it("counts what was void only later, and while a dispute was open", async () => {
    await begin();
    const opened = dispute({
      subject: "dp_1",
      amount_minor: 10_000n,
      at: second(50),
      references: ["pi_lee"],
    });
    await report(context, opened, kims_payment(1, 45));
    expect(await outcomesOf()).toEqual([["in_kim_1", "limit_reached"]]);
    await report(context, kims_payment(2, 60));
    expect(await outcomesOf()).toContainEqual(["in_kim_2", "commission"]);
    await report(context, { ...opened, at: second(70), until: second(70) }, kims_payment(3, 80));
    expect(await outcomesOf()).toEqual([
      ["in_kim_1", "limit_reached"],
      ["in_kim_2", "commission"],
      ["in_kim_3", "limit_reached"],
    ]);
    await expectSound();
  });

  it("is decided again when the other customer's refund fails", async () => {
    await begin();
    const taken = lees_refund(10_000n);
    await report(context, taken, kims_payment(1, 60));
    await report(context, { ...taken, at: second(55), until: second(55) });
    expect(await outcomesOf()).toEqual([["in_kim_1", "limit_reached"]]);
    await expectSound();
  });
});
