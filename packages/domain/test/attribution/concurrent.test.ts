/*
 * Others change referrals and commissions without the organization's lock while payments are attributed. Each test stops
 * an attribution after its first pass: the second one waits for a referral that another transaction has locked.
 */
import { transaction } from "@findersfee/database/postgres/connect";
import { lockPayments } from "@findersfee/database/processors/due-messages";
import { awaitWaiting, holdTransaction } from "@findersfee/database/testing/held-transaction";
import { expect, it } from "vitest";
import { updateAffiliate } from "../../src/affiliates/update.ts";
import type { PaymentFact } from "../../src/attribution/facts/payment-fact.ts";
import { recordFacts } from "../../src/attribution/record-facts.ts";
import { type CreationContext, createCommission } from "../../src/commissions/create.ts";
import { updateCommission } from "../../src/commissions/update.ts";
import { createReferral } from "../../src/customers/referrals/create.ts";
import { updateReferral } from "../../src/customers/referrals/update.ts";
import { verifyLedger } from "../../src/ledger/verify.ts";
import { beforeEachInNewProgram } from "./new-program.ts";
import {
  addPartner,
  commissions,
  eventTypes,
  outcomes,
  type Partner,
  payOut,
  referrals,
  report,
} from "./program.ts";
import { checkout, customer, payment, refund, second, subscription } from "./reported.ts";

let context: CreationContext;
let partner: Partner;
let click_id: string;

const JANE = { customer_id: "cus_jane", email: "jane@customers.test" };
const JOE = { customer_id: "cus_joe", email: "joe@customers.test" };

beforeEachInNewProgram((program) => {
  ({ context, partner, click_id } = program);
});

const bought = (buyer: typeof JANE, id = click_id) =>
  checkout({ subject: `cs_${buyer.customer_id}`, ...buyer, click_ids: [id], at: second(10) });

const paid = (number: number, buyer: typeof JANE, at = second(20 + number)) =>
  payment({ subject: `in_${number}`, ...buyer, at, references: [`pi_${number}`] });

/** Refunds half of a payment. */
const refunded = (number: number) =>
  refund({ subject: `re_${number}`, amount_minor: 5_000n, at: second(50), references: [`pi_${number}`] });

async function referralOf({ email }: typeof JANE): Promise<string> {
  return (await referrals(context)).find((referral) => referral.email === email)?.id ?? "";
}

/**
 * Records facts as a worker does, and runs `concurrent` between the two passes. The facts must change rows of the
 * buyer.
 */
async function betweenPasses(
  { buyer, facts }: { buyer: typeof JANE; facts: PaymentFact[] },
  concurrent: () => Promise<unknown>,
): Promise<void> {
  const { database, organization } = context;
  const referral_id = await referralOf(buyer);
  const holder = await holdTransaction(database);
  await holder.sql`select from referrals where id = ${referral_id} for no key update`;
  const recorded = transaction(database, async (sql) => {
    await lockPayments(sql, organization.id);
    await recordFacts(
      sql,
      organization,
      facts.map((fact) => ({ processor: "stripe", message_id: `evt_${fact.subject}`, fact })),
    );
  });
  recorded.catch(() => {});
  try {
    await awaitWaiting(database);
    await concurrent();
  } finally {
    await holder.commit();
  }
  await recorded;
}

async function damages(): Promise<string[]> {
  const checked = await verifyLedger(context.database, context.organization.id);
  return checked.filter(({ found }) => found > 0).map(({ name }) => name);
}

it("reverses a refunded commission that a payout run took between the passes", async () => {
  await report(context, bought(JANE), paid(1, JANE));
  await betweenPasses({ buyer: JANE, facts: [refunded(1)] }, () => payOut(context, "pending"));
  expect(await commissions(context)).toMatchObject([
    { commission_minor: 3_000n, payout_status: "pending", is_reversal: false },
    { commission_minor: -1_500n, payout_status: "not_paid", is_reversal: true },
  ]);
  expect(await damages()).toEqual([]);
});

it("reverses a refunded commission whose payout was paid between the passes", async () => {
  await report(context, bought(JANE), paid(1, JANE));
  await payOut(context, "pending");
  await betweenPasses({ buyer: JANE, facts: [refunded(1)] }, () => payOut(context, "paid"));
  expect(await commissions(context)).toMatchObject([
    { commission_minor: 3_000n, payout_status: "paid", is_reversal: false },
    { commission_minor: -1_500n, payout_status: "not_paid", is_reversal: true },
  ]);
  expect(await damages()).toEqual([]);
});

it("counts a manual commission that was voided between the passes as void", async () => {
  const { affiliate_id } = await addPartner(context, { limit_type: "payments", limit_amount: 1 });
  const { id: referral_id } = await createReferral(context, {
    affiliate_id,
    email: JANE.email,
    processor_customer_id: JANE.customer_id,
    subscription_status: "signed_up",
  });
  const { id } = await createCommission(context, { referral_id, revenue_amount: 10, commission_amount: 3 });
  // A new status changes the referral, so that the customer needs a second pass.
  const subscribed = subscription({ subject: "sub_1", customer_id: JANE.customer_id });
  const later = new Date(Date.now() + 60_000);
  await betweenPasses({ buyer: JANE, facts: [subscribed, paid(1, JANE, later)] }, () =>
    updateCommission(context, { id, payout_status: "voided" }),
  );
  expect(await outcomes(context)).toEqual({ in_1: "commission" });
  expect(await commissions(context)).toMatchObject([
    { processor_payment_id: null, payout_status: "voided" },
    { processor_payment_id: "in_1", payout_status: "not_paid" },
  ]);
  expect(await damages()).toEqual([]);
});

it("keeps the email that staff gave a referral between the passes", async () => {
  await report(context, bought(JANE));
  const { database } = context;
  const id = await referralOf(JANE);
  const holder = await holdTransaction(database);
  await holder.sql`select from referrals where id = ${id} for no key update`;
  // Waits for the referral first, so it gets the lock first.
  const updated = updateReferral(context, { id, email: "staff@customers.test" });
  await awaitWaiting(database);
  const renamed = customer({
    subject: JANE.customer_id,
    ...JANE,
    email: "new@customers.test",
    at: second(60),
  });
  const recorded = report(context, renamed, paid(1, JANE));
  await awaitWaiting(database, 2);
  await holder.commit();
  await Promise.all([updated, recorded]);
  expect(await referrals(context)).toMatchObject([{ id, email: "staff@customers.test", converted: true }]);
  expect(await commissions(context)).toHaveLength(1);
});

it("converts a referral once if a manual commission converts it between the passes", async () => {
  await report(context, bought(JANE));
  const { database } = context;
  const referral_id = await referralOf(JANE);
  const holder = await holdTransaction(database);
  await holder.sql`select from referrals where id = ${referral_id} for no key update`;
  const created = createCommission(context, { referral_id, revenue_amount: 10, commission_amount: 3 });
  await awaitWaiting(database);
  const recorded = report(context, paid(1, JANE));
  await awaitWaiting(database, 2);
  await holder.commit();
  await Promise.all([created, recorded]);
  const types = await eventTypes(context);
  expect(types.filter((type) => type === "referral.converted")).toHaveLength(1);
  expect(await commissions(context)).toHaveLength(2);
});

/*
 * Jane's second payment changes no row, so her first pass counts. Joe's refund needs a second pass, which keeps the
 * transaction open.
 */
it("adds a commission to a customer whose commission a payout run takes after the only pass", async () => {
  await report(context, bought(JANE), paid(1, JANE), bought(JOE), paid(2, JOE));
  await betweenPasses({ buyer: JOE, facts: [paid(3, JANE), refunded(2)] }, () => payOut(context, "pending"));
  expect(await commissions(context)).toMatchObject([
    { processor_payment_id: "in_1", payout_status: "pending" },
    { processor_payment_id: "in_2", payout_status: "pending" },
    { processor_payment_id: "in_2", commission_minor: -1_500n, payout_status: "not_paid" },
    { processor_payment_id: "in_3", commission_minor: 3_000n, payout_status: "not_paid" },
  ]);
  await report(context, refunded(1));
  expect((await commissions(context)).filter(({ is_reversal }) => is_reversal)).toHaveLength(2);
  expect(await damages()).toEqual([]);
});

it("leaves manual changes after the only pass of a customer as they are", async () => {
  await report(context, bought(JANE), paid(1, JANE), bought(JOE), paid(2, JOE));
  const id = await referralOf(JANE);
  const manual = await createCommission(context, {
    referral_id: id,
    revenue_amount: 10,
    commission_amount: 3,
    referral_date: second(15).toISOString(),
  });
  await betweenPasses({ buyer: JOE, facts: [paid(3, JANE), refunded(2)] }, async () => {
    await updateCommission(context, { id: manual.id, payout_status: "voided" });
    await updateReferral(context, { id, subscription_status: "past_due" });
    await updateAffiliate(context, { id: partner.affiliate_id, banned: true });
  });
  expect(await commissions(context)).toMatchObject([
    { processor_payment_id: null, payout_status: "voided" },
    { processor_payment_id: "in_1", payout_status: "not_paid" },
    { processor_payment_id: "in_2", commission_minor: 1_500n },
    { processor_payment_id: "in_3", payout_status: "not_paid" },
  ]);
  expect(await referrals(context)).toMatchObject([
    { email: JANE.email, subscription_status: "past_due" },
    { email: JOE.email, subscription_status: "signed_up" },
  ]);
  const before = await commissions(context);
  await report(context, paid(3, JANE), refunded(2));
  expect(await commissions(context)).toEqual(before);
  expect(await damages()).toEqual([]);
});
