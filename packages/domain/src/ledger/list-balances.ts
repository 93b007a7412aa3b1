import type { Balance } from "@findersfee/contract/ledger/balances";
import { type BalanceRow, listBalances as listRows } from "@findersfee/database/ledger/balances";
import type { Context } from "../context.ts";
import { toMajor } from "../money.ts";
import { requireAffiliate } from "../require-affiliate.ts";

/** An affiliate's balances by currency: held, due, in payout and paid. Errors: `not_found`. */
export async function listBalances(context: Context, affiliate_id: string): Promise<Balance[]> {
  const { database, organization } = context;
  const rows = await listRows(database, organization.id, { affiliate_id, now: new Date() });
  if (rows.length === 0) await requireAffiliate(context, affiliate_id);
  return rows.map(viewBalance);
}

function viewBalance(row: BalanceRow): Balance {
  const { currency, unpaid_minor, held_minor } = row;
  const major = (minor: bigint) => toMajor(minor, currency);
  return {
    currency,
    earned: major(row.earned_minor - row.lost_minor),
    lost: major(row.lost_minor),
    adjusted: major(row.adjusted_minor),
    held: major(held_minor),
    due: major(unpaid_minor - held_minor),
    in_payout: major(row.in_payout_minor),
    paid: major(row.paid_minor),
  };
}
