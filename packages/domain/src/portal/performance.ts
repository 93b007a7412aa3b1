import type {
  GetOwnPerformance,
  GetOwnPerformanceSeries,
  Performance,
  PerformanceSeries,
} from "@findersfee/contract/reports/performance";
import type { Database } from "@findersfee/database/postgres/connect";
import type { AffiliateSession } from "../principal.ts";
import { getPerformance, getPerformanceSeries } from "../reports/performance/get.ts";

/** What the affiliate's own links, pages, referrers, sub-ids and countries brought. */
export async function getOwnPerformance(
  database: Database,
  { organization, affiliate_id }: AffiliateSession,
  query: GetOwnPerformance,
): Promise<Performance> {
  return await getPerformance({ database, organization }, { ...query, affiliate_id });
}

/** The same as lines of a chart. */
export async function getOwnPerformanceSeries(
  database: Database,
  { organization, affiliate_id }: AffiliateSession,
  query: GetOwnPerformanceSeries,
): Promise<PerformanceSeries> {
  return await getPerformanceSeries({ database, organization }, { ...query, affiliate_id });
}
