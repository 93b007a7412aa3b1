import type { Database } from "@findersfee/database/postgres/connect";
import { type CreationContext, createCommission } from "../../src/commissions/create.ts";
import { updateCommission } from "../../src/commissions/update.ts";
import type { Context } from "../../src/context.ts";
import { createAdjustment } from "../../src/ledger/adjustments/create.ts";
import { updateAdjustment } from "../../src/ledger/adjustments/update.ts";
import { movePayouts } from "../../src/payouts/move.ts";
import { click, report } from "../attribution/program.ts";
import { checkout, customer, payment, refund } from "../attribution/reported.ts";
import {
  addEarner,
  type Earner,
  earn,
  makePayoutContext,
  monthsAgo,
  pay,
  payOut,
  payouts,
} from "./program.ts";

/** A ledger with rows of each kind, and their ids. */
export interface FilledLedger {
  context: Context;
  jane: Earner;
  joe: Earner;
  /** Of an affiliate without commissions: one in a payout of the first run, a negative one, and one that was withdrawn. */
  adjustments: { affiliate_id: string; placed: string; unpaid: string; withdrawn: string };
  /** Commissions by their state. */
  commissions: {
    paid: string;
    paid_too: string;
    /** In a payout that failed, and then in one that is pending. */
    failed_once: string;
    /** In joe's payouts. */
    pending: string;
    pending_later: string;
    reversed: string;
    reversal: string;
    voided: string;
    unpaid: string;
    /** For in_partly, with 40 % refunded, and for the manual in_by_hand, likewise. */
    partly: string;
    by_hand: string;
  };
  payouts: {
    paid: string;
    failed: string;
    pending: string;
    processing: string;
    euros: string;
    later: string;
  };
  /** The second one is the last. */
  runs: { first: string; second: string };
}

const MINUTE = 60_000;

const start = Date.now() - 30 * MINUTE;
const later = (minutes: number) => new Date(start + minutes * MINUTE);

/** A customer of an affiliate who pays 100. The affiliate gets 30. */
async function sell(context: Context, { affiliate_id }: Earner, name: string): Promise<void> {
  const click_id = await click(context, { affiliate_id, at: later(0) });
  const payer = { customer_id: `cus_${name}`, email: `buyer-${name}@customers.test` };
  await report(
    context,
    checkout({ subject: `cs_${name}`, ...payer, click_ids: [click_id], at: later(1) }),
    payment({ subject: `in_${name}`, ...payer, at: later(2), references: [`pi_${name}`] }),
  );
}

async function giveBack(context: Context, name: string, amount_minor: bigint): Promise<void> {
  const references = [`pi_${name}`];
  await report(context, refund({ subject: `re_${name}`, amount_minor, at: later(3), references }));
}

async function only(
  context: Context,
  { of = "in_filled", reversal }: { of?: string; reversal: boolean },
): Promise<string> {
  const { database, organization } = context;
  const [row] = await database<{ id: string }[]>`
    select id from commissions
    where organization_id = ${organization.id} and processor_payment_id = ${of}
      and (reversal_of is not null) = ${reversal}`;
  return row?.id ?? "";
}

/** Unpaid commissions of partly refunded payments: a payment's own one, and a manual one. */
async function refundPartly(context: CreationContext, { jane, joe }: { jane: Earner; joe: Earner }) {
  await sell(context, jane, "partly");
  await giveBack(context, "partly", 4_000n);
  for (const [minutes, email] of [
    [4, "buyer-partly@customers.test"],
    [5, "later@customers.test"],
  ] as const) {
    const record = { subject: "cus_partly", customer_id: "cus_partly", at: later(minutes) };
    await report(context, customer({ ...record, email }));
  }
  const { id } = await createCommission(context, {
    referral_id: joe.referral_id,
    revenue_amount: 100,
    commission_amount: 30,
    processor_payment_id: "in_by_hand",
  });
  const references = ["pi_by_hand"];
  await report(context, payment({ subject: "in_by_hand", at: later(2), references }));
  await giveBack(context, "by_hand", 4_000n);
  return { partly: await only(context, { of: "in_partly", reversal: false }), by_hand: id };
}

async function adjust(context: Context, affiliate_id: string, amount: number): Promise<string> {
  const { id } = await createAdjustment(context, { affiliate_id, amount, reason: "Says why" });
  return id;
}

async function payoutOf(
  context: Context,
  { affiliate_id }: Earner,
  { period, currency = "USD" }: { period: string; currency?: string },
): Promise<string> {
  const found = (await payouts(context)).find(
    (payout) =>
      payout.affiliate_id === affiliate_id && payout.currency === currency && payout.period === period,
  );
  if (found === undefined) throw new Error(`there is no payout of ${period} in ${currency}`);
  return found.id;
}

export async function fillLedger(database: Database): Promise<FilledLedger> {
  const context = await makePayoutContext(database);
  const [jane, joe] = [await addEarner(context), await addEarner(context)];
  const [first, second] = [monthsAgo(2), monthsAgo(1)];
  const paid = await earn(context, jane, { amount: 30 });
  const paid_too = await earn(context, jane, { amount: 20 });
  const failed_once = await earn(context, jane, { amount: 10, currency: "EUR" });
  const pending = await earn(context, joe, { amount: 15 });
  await sell(context, jane, "filled");
  const reversed = await only(context, { reversal: false });
  const { affiliate_id: adjusted } = await addEarner(context);
  const placed = await adjust(context, adjusted, 25);
  const first_run = await payOut(context, first);
  const made = {
    paid: await payoutOf(context, jane, { period: first }),
    failed: await payoutOf(context, jane, { period: first, currency: "EUR" }),
    pending: await payoutOf(context, joe, { period: first }),
  };
  await pay(context, [made.paid]);
  await movePayouts(context, { ids: [made.failed], status: "failed", reason: "No such account." });
  await giveBack(context, "filled", 10_000n);
  await earn(context, jane, { amount: 50 });
  const voided = await earn(context, joe, { amount: 12 });
  await updateCommission(context, { id: voided, payout_status: "voided" });
  const pending_later = await earn(context, joe, { amount: 8 });
  const second_run = await payOut(context, second);
  const later = {
    processing: await payoutOf(context, jane, { period: second }),
    euros: await payoutOf(context, jane, { period: second, currency: "EUR" }),
    later: await payoutOf(context, joe, { period: second }),
  };
  await movePayouts(context, { ids: [later.processing], status: "processing" });
  const unpaid = await earn(context, jane, { amount: 5 });
  const reversal = await only(context, { reversal: true });
  const clawback = await adjust(context, adjusted, -40);
  const withdrawn = await adjust(context, adjusted, 5);
  await updateAdjustment(context, { id: withdrawn, payout_status: "voided" });
  const refunded = await refundPartly(context, { jane, joe });
  return {
    context,
    jane,
    joe,
    adjustments: { affiliate_id: adjusted, placed, unpaid: clawback, withdrawn },
    commissions: {
      paid,
      paid_too,
      failed_once,
      pending,
      pending_later,
      reversed,
      reversal,
      voided,
      unpaid,
      ...refunded,
    },
    payouts: { ...made, ...later },
    runs: { first: first_run, second: second_run },
  };
}
