/* The rest of a payment's commission: on its page, on the payment's page and in lists. */
import { expect, it } from "vitest";
import { explainPayment } from "../../src/attribution/explain.ts";
import { listPaymentRows } from "../../src/attribution/list-rows.ts";
import { type CreationContext, createCommission } from "../../src/commissions/create.ts";
import { listCommissionRows } from "../../src/commissions/list-rows.ts";
import { getCommissionStory } from "../../src/commissions/story.ts";
import { updateCommission } from "../../src/commissions/update.ts";
import { createReferral } from "../../src/customers/referrals/create.ts";
import { newId } from "../../src/ids.ts";
import { beforeEachInNewProgram } from "./new-program.ts";
import { type Partner, payOut, report } from "./program.ts";
import { checkout, dispute, payment, refund, second } from "./reported.ts";

let context: CreationContext;
let partner: Partner;
let click_id: string;

beforeEachInNewProgram((program) => {
  ({ context, partner, click_id } = program);
});

const CUSTOMER = { customer_id: "cus_1", email: "buyer@customers.test" };
const OPENED = () => checkout({ subject: "cs_1", ...CUSTOMER, click_ids: [click_id], at: second(10) });
const PAID = payment({ subject: "in_1", ...CUSTOMER, at: second(20) });
const PART = refund({ subject: "re_1", amount_minor: 3_600n, references: ["in_1"], at: second(30) });
const DISPUTED = dispute({ subject: "dp_1", amount_minor: 10_000n, references: ["in_1"], at: second(40) });

/** The payment in the list, on its page, and the page of its commission. */
async function shown() {
  const [row] = (await listPaymentRows(context, { limit: 10 })).data;
  const explained = await explainPayment(context, row?.id ?? "");
  const story = await getCommissionStory(context, row?.remaining?.commission_id ?? "");
  expect(explained.remaining).toEqual(story.remaining);
  expect(story.remaining.amount).toBe(row?.remaining?.amount);
  const [commission] = (await listCommissionRows(context, { limit: 1, reversal: false })).data;
  const changes = story.remaining.changes.map(({ kind, amount }) => [kind, amount]);
  return { row, explained, story, changes, commission };
}

it("has the refund that was reported before the payment was decided", async () => {
  await report(context, OPENED(), PAID, PART);
  const { row, explained, story, changes } = await shown();
  expect(row).toMatchObject({ commission_amount: 30, remaining: { amount: 19.2, voided: false } });
  expect(row).toMatchObject({ taken_back_amount: 36, taken_back_by: "refund" });
  expect(changes).toEqual([["refund", -10.8]]);
  expect(story.taken_back).toMatchObject([
    { kind: "refund", subject: "re_1", amount: 36, currency: "USD", at: second(30).toISOString() },
  ]);
  expect(explained).toMatchObject({
    commission: { commission_amount: 19.2, is_manual: false },
    taken_back: [{ subject: "re_1" }],
  });
});

it("has a dispute, also one that was won, and refunds before it", async () => {
  await report(context, OPENED(), PAID);
  await report(context, PART);
  await report(context, DISPUTED);
  const lost = await shown();
  expect(lost.row).toMatchObject({ remaining: { amount: 0, voided: true } });
  expect(lost.row?.taken_back_by).toBe("refund_and_dispute");
  expect(lost.commission).toMatchObject({ state: "voided", voided_by: "refund_and_dispute" });
  expect(lost.changes).toEqual([
    ["refund", -10.8],
    ["dispute", -19.2],
  ]);
  await report(context, { ...DISPUTED, at: second(50), until: second(50) });
  const won = await shown();
  expect(won.row).toMatchObject({ remaining: { amount: 19.2, voided: false }, taken_back_by: "refund" });
  expect(won.changes.at(-1)).toEqual(["dispute", 19.2]);
});

it("has reversals after the payout", async () => {
  await report(context, OPENED(), PAID);
  await payOut(context);
  await report(context, DISPUTED);
  const { row, changes } = await shown();
  expect(row).toMatchObject({ remaining: { amount: 0, voided: false }, taken_back_by: "dispute" });
  expect(changes).toEqual([["dispute", -30]]);
});

it("names the people who changed or voided it", async () => {
  await report(context, OPENED(), PAID, PART);
  const id = newId(new Date());
  await context.database`
    insert into users (id, email, name, created_at, updated_at)
    values (${id}, ${`${id}@example.com`}, 'Morgan Reyes', now(), now())`;
  const by_morgan = { ...context, actor: { kind: "user", id } as const };
  const { story: before } = await shown();
  await updateCommission(by_morgan, { id: before.commission.id, commission_amount: 15 });
  await updateCommission(by_morgan, { id: before.commission.id, payout_status: "voided" });
  const { row, story, changes, commission } = await shown();
  expect(changes).toEqual([
    ["refund", -10.8],
    ["changed", -4.2],
    ["voided", -15],
  ]);
  expect(story.remaining.changes[2]).toMatchObject({ actor: `user ${id}`, actor_name: "Morgan Reyes" });
  expect(row).toMatchObject({ remaining: { amount: 0, voided: true }, taken_back_by: "refund" });
  expect(commission).toMatchObject({ state: "voided", voided_by: null });
});

it.each(["before", "after"])("of a commission by hand for a payment that is refunded %s it", async (when) => {
  const { affiliate_id } = partner;
  const other = { email: "other@customers.test", subscription_status: "signed_up" } as const;
  const referral = await createReferral(context, { ...other, affiliate_id });
  await report(context, PAID, ...(when === "before" ? [PART] : []));
  await createCommission(context, {
    referral_id: referral.id,
    revenue_amount: 100,
    commission_amount: 25,
    processor_payment_id: "in_1",
  });
  if (when === "after") await report(context, PART);
  const { row, explained, changes } = await shown();
  expect(row).toMatchObject({
    outcome: "commission_exists",
    commission_id: null,
    remaining: { amount: 16, voided: false },
    taken_back_by: "refund",
  });
  expect(explained.commission).toMatchObject({ commission_amount: 16, is_manual: true });
  expect(changes).toEqual([["refund", -9]]);
});

it.each(["user", "key"] as const)("says which %s made the customer a referral", async (kind) => {
  const id = newId(new Date());
  await context.database`
    insert into users (id, email, name, created_at, updated_at)
    values (${id}, ${`${id}@example.com`}, 'Morgan Reyes', now(), now())`;
  const { affiliate_id } = partner;
  const by_hand = { email: CUSTOMER.email, subscription_status: "signed_up" } as const;
  await createReferral({ ...context, actor: { kind, id } }, { ...by_hand, affiliate_id });
  await report(context, payment({ ...PAID, at: new Date(), paid_at: new Date() }));
  const { explained, story } = await shown();
  const by = {
    user: { actor: `user ${id}`, actor_name: "Morgan Reyes" },
    key: { actor: "key", actor_name: null },
  };
  expect(explained).toMatchObject({ candidates: [], referred_by: by[kind] });
  expect(story.referred_by).toEqual(explained.referred_by);
});

it("names nobody if a click made the referral", async () => {
  await report(context, OPENED(), PAID);
  expect((await shown()).explained.referred_by).toBeNull();
});

it("has none of a payment that earned nothing", async () => {
  await report(context, PAID, PART);
  const [row] = (await listPaymentRows(context, { limit: 10 })).data;
  expect(row).toMatchObject({ outcome: "no_referral", remaining: null, taken_back_by: "refund" });
  expect(await explainPayment(context, row?.id ?? "")).toMatchObject({ commission: null, remaining: null });
});
