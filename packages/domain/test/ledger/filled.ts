import type { Database } from "@findersfee/database/postgres/connect";
import { updateCommission } from "../../src/commissions/update.ts";
import type { Context } from "../../src/context.ts";
import { movePayouts } from "../../src/payouts/move.ts";
import { click, report } from "../attribution/program.ts";
import { checkout, payment, refund } from "../attribution/reported.ts";
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
  /** Commissions by what became of them. */
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

/** A customer of an affiliate who pays 100, of which 30 are the affiliate's. */
async function sell(context: Context, { affiliate_id }: Earner): Promise<(part: bigint) => Promise<void>> {
  const at = new Date(Date.now() - 30 * MINUTE);
  const click_id = await click(context, { affiliate_id, at });
  const name = { customer_id: "cus_filled", email: "buyer@customers.test" };
  const later = (minutes: number) => new Date(at.getTime() + minutes * MINUTE);
  await report(
    context,
    checkout({ subject: "cs_filled", ...name, click_ids: [click_id], at: later(1) }),
    payment({ subject: "in_filled", ...name, at: later(2), references: ["pi_filled"] }),
  );
  return (amount_minor) =>
    report(context, refund({ subject: "re_filled", amount_minor, at: later(3), references: ["pi_filled"] }));
}

async function only(context: Context, { reversal }: { reversal: boolean }): Promise<string> {
  const { database, organization } = context;
  const [row] = await database<{ id: string }[]>`
    select id from commissions
    where organization_id = ${organization.id} and processor_payment_id = 'in_filled'
      and (reversal_of is not null) = ${reversal}`;
  return row?.id ?? "";
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
  const giveBack = await sell(context, jane);
  const reversed = await only(context, { reversal: false });
  const first_run = await payOut(context, first);
  const made = {
    paid: await payoutOf(context, jane, { period: first }),
    failed: await payoutOf(context, jane, { period: first, currency: "EUR" }),
    pending: await payoutOf(context, joe, { period: first }),
  };
  await pay(context, [made.paid]);
  await movePayouts(context, { ids: [made.failed], status: "failed", reason: "No such account." });
  await giveBack(10_000n);
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
  return {
    context,
    jane,
    joe,
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
    },
    payouts: { ...made, ...later },
    runs: { first: first_run, second: second_run },
  };
}
