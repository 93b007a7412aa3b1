import { MAX_SUB_IDS, SUB_ID_DAYS, type SubIds } from "@findersfee/contract/portal/sub-ids";
import type { Database } from "@findersfee/database/postgres/connect";
import { listSubIds as listRows } from "@findersfee/database/tracking/sub-ids";
import { toMajor } from "../money.ts";
import type { AffiliateSession } from "../principal.ts";
import { ownOf } from "./own.ts";

const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;

/** Counts of older days are deleted. Nothing shows them. */
export const SUB_ID_CLICKS_RETENTION_DAYS = 60;

/** The results of the affiliate's sub-ids in the last days. */
export async function listSubIds(database: Database, session: AffiliateSession): Promise<SubIds> {
  const today = Math.floor(Date.now() / DAY_MILLISECONDS) * DAY_MILLISECONDS;
  const rows = await listRows(database, {
    ...ownOf(session),
    since: new Date(today - (SUB_ID_DAYS - 1) * DAY_MILLISECONDS),
    days: SUB_ID_DAYS,
    limit: MAX_SUB_IDS + 1,
  });
  return {
    sub_ids: rows.slice(0, MAX_SUB_IDS).map(({ sub_id, clicks, signups, conversions, earned }) => ({
      sub_id,
      clicks: Number(clicks),
      signups: Number(signups),
      conversions: Number(conversions),
      earned: earned.map(({ currency, minor }) => ({ currency, amount: toMajor(BigInt(minor), currency) })),
    })),
    has_more: rows.length > MAX_SUB_IDS,
  };
}
