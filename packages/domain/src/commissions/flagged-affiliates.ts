import {
  type FlaggedAffiliate,
  type ListFlaggedAffiliates,
  MAX_FLAGGED_COMMISSIONS,
} from "@findersfee/contract/commissions/flagged-affiliates";
import type { RowPage } from "@findersfee/contract/row-pages";
import {
  type FlaggedAffiliateRow,
  type FlaggedPosition,
  type FlaggedRange,
  listFlaggedAffiliates as listRows,
} from "@findersfee/database/commissions/flagged-affiliates";
import { viewRowAffiliate } from "../affiliates/view.ts";
import { viewStoredSignals } from "../attribution/view.ts";
import type { Context } from "../context.ts";
import { toMajor } from "../money.ts";
import { readTimeCursor, timeCursor } from "../pages.ts";
import { readRowPage } from "../row-pages.ts";

/**
 * Returns the affiliates with commissions that wait because of signals of fraud, or with commissions in no
 * payout for payments that are only flagged, the latest commission first. Each row has the number of
 * commissions by signal, the evidence, and the amount that the affiliate loses if all that wait are rejected.
 */
export async function listFlaggedAffiliates(
  { database, organization }: Context,
  query: ListFlaggedAffiliates,
): Promise<RowPage<FlaggedAffiliate>> {
  return await readRowPage(query, {
    read: (range: FlaggedRange) =>
      listRows(database, organization.id, { range, most: MAX_FLAGGED_COMMISSIONS }),
    parse: (cursor): FlaggedPosition => {
      const { at, id } = readTimeCursor(cursor);
      return { latest: at, affiliate_id: id };
    },
    positionOf: ({ latest, affiliate_id }) => timeCursor({ at: latest, name: "latest", id: affiliate_id }),
    view,
  });
}

function view({ signals, amounts, ...row }: FlaggedAffiliateRow): FlaggedAffiliate {
  return {
    affiliate: viewRowAffiliate(row),
    commissions: row.commissions,
    flagged: row.flagged,
    commission_ids: row.commission_ids,
    since: row.since.toISOString(),
    amounts: amounts.map(({ currency, minor }) => ({ currency, amount: toMajor(BigInt(minor), currency) })),
    signals: signals.map(({ signal, commissions, explanation }) => {
      const found = explanation === null ? [] : viewStoredSignals(explanation);
      return { signal, commissions, evidence: found.find((one) => one.signal === signal)?.evidence ?? null };
    }),
  };
}
