import type { BalanceTotal } from "@findersfee/contract/reports/attention";
import { sumBalances as sumRows } from "@findersfee/database/ledger/balances";
import type { Context } from "../context.ts";
import { toMajor } from "../money.ts";

/** The balances of all affiliates, by currency: held, due and in payouts. */
export async function sumBalances({ database, organization }: Context): Promise<BalanceTotal[]> {
  const rows = await sumRows(database, organization.id, new Date());
  return rows.map(({ currency, held_minor, unpaid_minor, in_payout_minor, payees }) => ({
    currency,
    held: toMajor(held_minor, currency),
    due: toMajor(unpaid_minor - held_minor, currency),
    in_payout: toMajor(in_payout_minor, currency),
    payees,
  }));
}
