import type { Leaving } from "@findersfee/contract/portal/own-settings";
import { listBalances } from "@findersfee/database/ledger/balances";
import type { OwnAffiliate } from "@findersfee/database/portal/home";
import type { Connection } from "@findersfee/database/postgres/connect";
import { toMajor } from "../money.ts";

/**
 * The amounts still to be paid to an affiliate who leaves or closes the account, without currencies with a
 * zero amount. The amounts of the home page are those of `listOwed` in packages/database/src/portal/home.ts.
 */
export async function readOwedOnLeaving(
  sql: Connection,
  { organization_id, affiliate_id }: OwnAffiliate,
): Promise<Leaving["owed"]> {
  const balances = await listBalances(sql, organization_id, { affiliate_id, now: new Date() });
  const owed = balances.map(({ currency, unpaid_minor, held_minor, in_payout_minor }) => ({
    currency,
    due: toMajor(unpaid_minor - held_minor, currency),
    held: toMajor(held_minor, currency),
    in_payout: toMajor(in_payout_minor, currency),
  }));
  return owed.filter(({ due, held, in_payout }) => due !== 0 || held !== 0 || in_payout !== 0);
}
