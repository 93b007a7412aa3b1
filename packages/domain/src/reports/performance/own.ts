import type {
  ExportPerformance,
  GetOwnPerformance,
  GetOwnPerformanceSeries,
  Performance,
  PerformanceSeries,
} from "@findersfee/contract/reports/performance";
import type { Database } from "@findersfee/database/postgres/connect";
import type { AffiliateSession } from "../../principal.ts";
import { exportPerformance } from "./export.ts";
import { getPerformance, getPerformanceSeries } from "./get.ts";

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

/** The same as CSV. */
export async function exportOwnPerformance(
  database: Database,
  { organization, affiliate_id }: AffiliateSession,
  query: Omit<ExportPerformance, "campaign_id" | "affiliate_id">,
): Promise<string> {
  return await exportPerformance({ database, organization }, { ...query, affiliate_id });
}
