import type { PerformanceDimension, PerformanceSort } from "@findersfee/contract/reports/performance";
import {
  addDays,
  type ComparedPeriod,
  daysBefore,
  type PeriodPreset,
  periodOf,
  periodPresets,
} from "@findersfee/contract/reports/periods";
import { daysOf } from "../lists/days.ts";
import { PERFORMANCE_FIELDS, type PerformanceField, type PerformanceSearch } from "./fields.ts";

export const METRICS = [
  "clicks",
  "signups",
  "conversions",
  "revenue_amount",
  "commission_amount",
  "conversion_rate",
  "earnings_per_click",
  "lost_amount",
  "refunds",
] as const satisfies readonly PerformanceSort[];

export type Metric = (typeof METRICS)[number];

export const DIMENSIONS = [
  "affiliate",
  "campaign",
  "link",
  "landing_page",
  "referrer",
  "sub_id",
  "visitor_country",
  "customer_country",
] as const satisfies readonly PerformanceDimension[];

export const UNITS = ["day", "week", "month"] as const;

export type Unit = (typeof UNITS)[number];

/** Lines of the chart: people cannot distinguish more. */
export const MAX_LINES = 5;

export const LAST_30_DAYS = "last_30_days";

/** The periods that have a name, in their order. */
export const PERIODS = [LAST_30_DAYS, ...periodPresets] as const;

export type NamedPeriod = typeof LAST_30_DAYS | PeriodPreset;

/** Rows of a page. */
export const PAGE_ROWS = 50;

/** Reads the query of an address. Unknown parameters and impossible values are left out. */
export function readPerformanceSearch(query: string): PerformanceSearch {
  const search: PerformanceSearch = {};
  for (const [name, value] of new URLSearchParams(query)) {
    if (isField(name) && PERFORMANCE_FIELDS[name](value)) search[name] = value;
  }
  return search;
}

const isField = (name: string): name is PerformanceField => Object.hasOwn(PERFORMANCE_FIELDS, name);

const KEY = /^(none|other|=.+)$/su;

/** The keys of the chosen rows. */
export function readLines(text: string | undefined): string[] {
  if (text === undefined || text === "") return [];
  return text
    .split(",")
    .map((key) => key.replaceAll("%2C", ",").replaceAll("%25", "%"))
    .filter((key) => KEY.test(key))
    .slice(0, MAX_LINES);
}

/** The inverse; undefined without rows. */
export function writeLines(keys: readonly string[]): string | undefined {
  if (keys.length === 0) return undefined;
  return keys.map((key) => key.replaceAll("%", "%25").replaceAll(",", "%2C")).join(",");
}

/** The number of rows before the page. */
export function readSkip(text: string | undefined): number {
  return /^\d{1,5}$/.test(text ?? "") ? Number(text) : 0;
}

const CURRENCY = /^[A-Z]{3}$/;

/** The chosen currency, or the organization's. */
export function readCurrency(text: string | undefined, own: string): string {
  return text !== undefined && CURRENCY.test(text) ? text : own;
}

/** The days of a period and of the one before, on a day. */
export function rangeOf(period: string | undefined, today: string): ComparedPeriod {
  const own = daysOf(period);
  if (own !== null) {
    const days = { from: own.first, until: addDays(own.last, 1) };
    return { ...days, previous: daysBefore(days) };
  }
  const named = PERIODS.find((name) => name === period) ?? LAST_30_DAYS;
  if (named !== LAST_30_DAYS) return periodOf(named, today);
  const days = { from: addDays(today, -29), until: addDays(today, 1) };
  return { ...days, previous: daysBefore(days) };
}

const DAY_MILLISECONDS = 86_400_000;
const UNIT_DAYS = { day: 1, week: 7, month: 28 };
/** The most points of a chart. */
const MAX_POINTS = 366;

/** The units of the chart's points that its period can have. */
export function unitsOf({ from, until, previous }: ComparedPeriod): Unit[] {
  if (from === null) return ["month"];
  const daysOfRange = (days: { from: string; until: string }) =>
    (Date.parse(days.until) - Date.parse(days.from)) / DAY_MILLISECONDS;
  const days = Math.max(daysOfRange({ from, until }), previous === null ? 0 : daysOfRange(previous));
  return UNITS.filter((unit) => unit === "month" || days / UNIT_DAYS[unit] <= MAX_POINTS);
}

/** The unit of the points: one that the eye can separate, unless another is chosen. */
export function unitOf(
  chosen: string | undefined,
  { from, until }: ComparedPeriod,
  units: readonly Unit[],
): Unit {
  const days =
    from === null ? Number.POSITIVE_INFINITY : (Date.parse(until) - Date.parse(from)) / DAY_MILLISECONDS;
  const usual: Unit = days <= 62 ? "day" : days <= 200 ? "week" : "month";
  return (
    units.find((unit) => unit === chosen) ?? units.find((unit) => unit === usual) ?? units.at(-1) ?? "month"
  );
}

/** The parameters of a request for the table, and of its file. */
export interface TableQuery<Dimension extends string> {
  dimension: Dimension;
  from?: string;
  until: string;
  previous_from?: string;
  previous_until?: string;
  currency: string;
  sort: Metric;
  direction: "asc" | "desc";
  search?: string;
  /** The languages for the names of countries, separated by commas. */
  search_languages?: string;
}

export interface SeriesQuery<Dimension extends string>
  extends Omit<TableQuery<Dimension>, "sort" | "direction" | "search" | "search_languages"> {
  unit: Unit;
  keys?: string[];
}

/** The period's parameters of a request. */
export function periodInput({ from, until, previous }: ComparedPeriod) {
  return {
    ...(from === null ? {} : { from }),
    until,
    ...(previous === null ? {} : { previous_from: previous.from, previous_until: previous.until }),
  };
}
