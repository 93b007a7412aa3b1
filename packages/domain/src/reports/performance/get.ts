import {
  FIRST_DAY,
  type GetPerformance,
  type GetPerformanceSeries,
  type Performance,
  type PerformanceMetrics,
  type PerformanceRow,
  type PerformanceSeries,
} from "@findersfee/contract/reports/performance";
import { type Days, daysBefore } from "@findersfee/contract/reports/periods";
import { findAffiliate } from "@findersfee/database/affiliates/affiliates";
import { findCampaign } from "@findersfee/database/campaigns/campaigns";
import type { Database } from "@findersfee/database/postgres/connect";
import type {
  MetricsText,
  PerformanceFilter,
  PieceRow,
} from "@findersfee/database/reports/performance/query";
import {
  type PerformancePointRow,
  readPerformancePoints,
  type SeriesRow,
} from "@findersfee/database/reports/performance/series";
import {
  type PerformanceOrder,
  type PerformanceValueRow,
  readPerformance,
} from "@findersfee/database/reports/performance/table";
import { bucketsOf, piecesOf } from "@findersfee/database/reports/totals/pieces";
import { TOTALS } from "@findersfee/database/reports/totals/sources";
import { notFound } from "../../errors.ts";
import { toMajor } from "../../money.ts";
import { countriesNamed } from "./countries.ts";

export interface Program {
  database: Database;
  organization: { id: string; currency: string };
}

/** The values of a dimension with their totals, of a period and the one before. Errors: `not_found` for an unknown scope. */
export async function getPerformance(
  { database, organization }: Program,
  { sort, direction, search, search_languages, limit, offset, ...query }: GetPerformance,
): Promise<Performance> {
  await requireScope({ database, organization }, query);
  const { currency = organization.currency } = query;
  const { present, previous } = rangesOf(query);
  const filter: PerformanceFilter = {
    dimension: query.dimension,
    scope: scopeOf(query),
    currency,
    present,
    previous,
    pieces: spansOf(present, previous),
  };
  const page = {
    sort: ORDERS[sort],
    descending: direction === "desc",
    search: search?.toLowerCase() ?? null,
    values: search === undefined ? null : valuesNamed(query.dimension, search, search_languages),
    limit,
    offset,
  };
  const { rows, count, sums } = await readPerformance(database, organization.id, { filter, page });
  return {
    currency,
    rows: rows.map((row) => viewRow(row, currency, previous !== null)),
    rows_total: count,
    present: viewMetrics(sums, currency),
    previous: previous && viewMetrics(previousOf(sums), currency),
  };
}

/** Values that a search finds by a name that only people write. */
function valuesNamed(
  dimension: GetPerformance["dimension"],
  search: string,
  languages: string | undefined,
): string[] | null {
  if (dimension !== "visitor_country" && dimension !== "customer_country") return null;
  return countriesNamed(search, languages?.split(",") ?? []);
}

const ORDERS: Record<GetPerformance["sort"], PerformanceOrder> = {
  clicks: "clicks",
  signups: "signups",
  conversions: "conversions",
  revenue_amount: "revenue_minor",
  commission_amount: "commission_minor",
  lost_amount: "lost_minor",
  refunds: "refunds",
  conversion_rate: "conversion_rate",
  earnings_per_click: "earnings_per_click",
};

/** A line of points for each key, or one of everything. Errors: same. */
export async function getPerformanceSeries(
  { database, organization }: Program,
  { unit, keys, ...query }: GetPerformanceSeries,
): Promise<PerformanceSeries> {
  await requireScope({ database, organization }, query);
  const { currency = organization.currency } = query;
  const { present, previous } = rangesOf(query);
  const buckets = bucketsOf(present, unit);
  const previous_buckets = previous && bucketsOf(previous, unit);
  const filter: PerformanceFilter = {
    dimension: keys === undefined ? "all" : query.dimension,
    scope: scopeOf(query),
    currency,
    present,
    previous,
    pieces: [
      ...buckets.map((piece) => ({ ...piece, previous_sign: 0 })),
      ...(previous_buckets ?? []).map((piece) => ({ ...piece, sign: 0, previous_sign: piece.sign })),
    ],
  };
  const series = keys?.map(readKey) ?? [{ kind: "none" as const, value: null }];
  const rows = await readPerformancePoints(database, organization.id, { filter, series, unit });
  const days = daysOf(buckets);
  const previous_days = previous_buckets && daysOf(previous_buckets);
  return {
    currency,
    series: series.map((_, number) => {
      const own = rows.filter((row) => row.series === number);
      const points = (all: readonly string[], is_previous: boolean) =>
        viewPoints(
          own.filter((row) => row.is_previous === is_previous),
          all,
          currency,
        );
      return {
        key: keys?.[number] ?? null,
        points: points(days, false),
        previous_points: previous_days && points(previous_days, true),
      };
    }),
  };
}

/** The spans of both periods, once each: one often ends where the other one begins. */
function spansOf(present: Days, previous: Days | null): PieceRow[] {
  const rows = new Map<string, PieceRow>();
  const rowOf = ({ from, until }: Days) => {
    const row = rows.get(`${from} ${until}`) ?? { day: from, from, until, sign: 0, previous_sign: 0 };
    rows.set(`${from} ${until}`, row);
    return row;
  };
  for (const piece of piecesOf(present)) rowOf(piece).sign = piece.sign;
  for (const piece of previous === null ? [] : piecesOf(previous)) rowOf(piece).previous_sign = piece.sign;
  return [...rows.values()];
}

interface ComparedQuery {
  from?: string | undefined;
  until: string;
  previous_from?: string | undefined;
  previous_until?: string | undefined;
}

interface Ranges {
  present: Days;
  previous: Days | null;
}

function rangesOf({ from, until, previous_from, previous_until }: ComparedQuery): Ranges {
  if (from === undefined) return { present: { from: FIRST_DAY, until }, previous: null };
  const present = { from, until };
  const previous =
    previous_from === undefined || previous_until === undefined
      ? daysBefore(present)
      : { from: previous_from, until: previous_until };
  return { present, previous };
}

function scopeOf({
  campaign_id,
  affiliate_id,
}: Pick<GetPerformance, "campaign_id" | "affiliate_id">): PerformanceFilter["scope"] {
  if (campaign_id !== undefined) return { dimension: "campaign", id: campaign_id };
  return affiliate_id === undefined ? null : { dimension: "affiliate", id: affiliate_id };
}

async function requireScope(
  { database, organization }: Program,
  { campaign_id, affiliate_id }: Pick<GetPerformance, "campaign_id" | "affiliate_id">,
): Promise<void> {
  if (campaign_id !== undefined && (await findCampaign(database, organization.id, campaign_id)) === null) {
    throw notFound("campaign");
  }
  if (affiliate_id !== undefined && (await findAffiliate(database, organization.id, affiliate_id)) === null) {
    throw notFound("affiliate");
  }
}

function readKey(key: string): SeriesRow {
  if (key === "none" || key === "other") return { kind: key, value: null };
  return { kind: "value", value: key.slice(1) };
}

function viewRow(row: PerformanceValueRow, currency: string, has_previous: boolean): PerformanceRow {
  const { kind, value, name, email } = row;
  return {
    key: kind === "value" ? `=${value}` : kind,
    kind,
    value,
    name: name?.trim() === "" ? email : name,
    present: viewMetrics(row, currency),
    previous: has_previous ? viewMetrics(previousOf(row), currency) : null,
  };
}

function previousOf(row: Pick<PerformanceValueRow, `previous_${(typeof TOTALS)[number]}`>): MetricsText {
  return Object.fromEntries(TOTALS.map((total) => [total, row[`previous_${total}`]])) as MetricsText;
}

const NOTHING = Object.fromEntries(TOTALS.map((total) => [total, "0"])) as MetricsText;

function viewPoints(rows: readonly PerformancePointRow[], days: readonly string[], currency: string) {
  const rowOf = new Map(rows.map((row) => [row.day, row]));
  return days.map((day) => ({ day, ...viewMetrics(rowOf.get(day) ?? NOTHING, currency) }));
}

function daysOf(buckets: readonly { day: string }[]): string[] {
  return [...new Set(buckets.map(({ day }) => day))];
}

function viewMetrics(row: MetricsText, currency: string): PerformanceMetrics {
  const clicks = Number(row.clicks);
  const conversions = Number(row.conversions);
  const commission_amount = toMajor(BigInt(row.commission_minor), currency);
  return {
    clicks,
    signups: Number(row.signups),
    conversions,
    revenue_amount: toMajor(BigInt(row.revenue_minor), currency),
    commission_amount,
    lost_amount: toMajor(BigInt(row.lost_minor), currency),
    refunds: Number(row.refunds),
    conversion_rate: clicks === 0 ? null : roundTo4(conversions / clicks),
    earnings_per_click: clicks === 0 ? null : roundTo4(commission_amount / clicks),
  };
}

function roundTo4(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
