import type {
  ExportPerformance,
  GetOwnPerformance,
  GetOwnPerformanceSeries,
  OwnPerformance,
  OwnPerformanceSeries,
} from "@findersfee/contract/reports/performance";
import type { Database } from "@findersfee/database/postgres/connect";
import type { AffiliateSession } from "../../principal.ts";
import { MAX_ROWS, writePerformance } from "./export.ts";
import { getPerformance, getPerformanceSeries } from "./get.ts";

/*
 * The results of an affiliate's own links, pages, referrers, sub-ids and countries. Revenue is left out: the
 * affiliate sees only that of single payments, if the campaign does not hide it.
 */

/** The table. */
export async function getOwnPerformance(
  database: Database,
  { organization, affiliate_id }: AffiliateSession,
  query: GetOwnPerformance,
): Promise<OwnPerformance> {
  const performance = await getPerformance({ database, organization }, { ...query, affiliate_id });
  const { rows, present, previous } = performance;
  return {
    ...performance,
    rows: rows.map((row) => ({
      ...row,
      present: withoutRevenue(row.present),
      previous: row.previous && withoutRevenue(row.previous),
    })),
    present: withoutRevenue(present),
    previous: previous && withoutRevenue(previous),
  };
}

/** The same as lines of a chart. */
export async function getOwnPerformanceSeries(
  database: Database,
  { organization, affiliate_id }: AffiliateSession,
  query: GetOwnPerformanceSeries,
): Promise<OwnPerformanceSeries> {
  const { currency, series } = await getPerformanceSeries(
    { database, organization },
    { ...query, affiliate_id },
  );
  return {
    currency,
    series: series.map(({ key, points, previous_points }) => ({
      key,
      points: points.map(withoutRevenue),
      previous_points: previous_points?.map(withoutRevenue) ?? null,
    })),
  };
}

/** The table as CSV. */
export async function exportOwnPerformance(
  database: Database,
  session: AffiliateSession,
  query: Omit<ExportPerformance, "campaign_id" | "affiliate_id">,
): Promise<string> {
  const performance = await getOwnPerformance(database, session, {
    ...query,
    limit: MAX_ROWS,
    offset: 0,
  } as GetOwnPerformance);
  return writePerformance(performance, query.dimension);
}

function withoutRevenue<Metrics extends { revenue_amount: number }>(metrics: Metrics) {
  return { ...metrics, revenue_amount: null };
}
