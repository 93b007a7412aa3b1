import { decimalsOfKnown } from "@findersfee/contract/currency-decimals";
import type { OwnPerformanceRow, PerformanceDimension } from "@findersfee/contract/reports/performance";
import { formatCount } from "../formats/counts.ts";
import { formatMoney, formatMoneyShort } from "../formats/money.ts";
import type { Metric } from "./search.ts";
import type { PerformanceTexts } from "./texts.ts";

export type Metrics = OwnPerformanceRow["present"];

/** How a metric is written. */
export interface MetricFormat {
  locale: string;
  currency: string;
}

const KINDS = {
  clicks: "count",
  signups: "count",
  conversions: "count",
  revenue_amount: "amount",
  commission_amount: "amount",
  lost_amount: "amount",
  refunds: "count",
  conversion_rate: "rate",
  earnings_per_click: "fine_amount",
} as const satisfies Record<Metric, string>;

export const isMoney = (metric: Metric): boolean =>
  KINDS[metric] === "amount" || KINDS[metric] === "fine_amount";

/** Whether it is a count or a sum, which is 0 if nothing happened. */
export const isSum = (metric: Metric): boolean => KINDS[metric] === "count" || KINDS[metric] === "amount";

/** In place of a rate of no clicks. */
const NOTHING = "–";

/** `1,204`, `$48.20`, `4.2%`, or `$0.1234` of a click. */
export function formatMetric(
  metric: Metric,
  value: number | null,
  { locale, currency }: MetricFormat,
): string {
  if (value === null) return NOTHING;
  switch (KINDS[metric]) {
    case "count":
      return formatCount(value, locale);
    case "amount":
      return formatMoney(value, currency, locale);
    case "rate":
      return numberFormat(locale, { style: "percent", maximumFractionDigits: 2 }).format(value);
    case "fine_amount": {
      const digits = decimalsOfKnown(currency);
      return numberFormat(locale, {
        style: "currency",
        currency,
        minimumFractionDigits: digits,
        // A few cents need more of them.
        maximumFractionDigits: Math.abs(value) < 1 ? digits + 2 : digits,
      })
        .format(value)
        .replace("-", "−");
    }
  }
}

/** From here on, amounts are shortened where there is little room. */
const LONG = 100_000;

/** The same in a few letters. */
export function formatMetricShort(metric: Metric, value: number | null, format: MetricFormat): string {
  return isMoney(metric) && value !== null && Math.abs(value) >= LONG
    ? formatMoneyShort(value, format.currency, format.locale)
    : formatMetric(metric, value, format);
}

/** For an axis. */
export function formatTick(metric: Metric, value: number, format: MetricFormat): string {
  return KINDS[metric] === "amount"
    ? formatMoneyShort(value, format.currency, format.locale)
    : formatMetric(metric, value, format);
}

const formats = new Map<string, Intl.NumberFormat>();

function numberFormat(locale: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = `${locale} ${JSON.stringify(options)}`;
  const known = formats.get(key) ?? new Intl.NumberFormat(locale, options);
  formats.set(key, known);
  return known;
}

const COUNTRY = /^[A-Z]{2}$/;

/** The name of a row. */
export function nameOfRow(
  { kind, value, name }: Pick<OwnPerformanceRow, "kind" | "value" | "name">,
  dimension: PerformanceDimension,
  { texts, locale }: { texts: PerformanceTexts; locale: string },
): string {
  if (kind !== "value" || value === null) return texts[kind === "other" ? "other" : "none"][dimension];
  if (dimension === "affiliate" || dimension === "campaign") return name ?? texts.nameless;
  if (!isCountry(dimension) || !COUNTRY.test(value)) return value;
  return countryNames(locale).of(value) ?? value;
}

function isCountry(dimension: PerformanceDimension): boolean {
  return dimension === "visitor_country" || dimension === "customer_country";
}

/** A language, perhaps with its script and region, without further subtags. */
const LANGUAGE = /^[a-z]{2,3}(-[a-z]{4})?(-([a-z]{2}|[0-9]{3}))?(?=-|$)/i;

/**
 * The input for a search: countries are found by their names as the page shows them, and in the browser's
 * language.
 */
export function searchInput(text: string | undefined, dimension: PerformanceDimension, locale: string) {
  if (text === undefined) return {};
  const search = text.slice(0, 100);
  if (!isCountry(dimension)) return { search };
  const languages = [locale, navigator.language].flatMap((language) => language.match(LANGUAGE)?.[0] ?? []);
  return languages.length === 0
    ? { search }
    : { search, search_languages: [...new Set(languages)].join(",") };
}

const countries = new Map<string, Intl.DisplayNames>();

function countryNames(locale: string): Intl.DisplayNames {
  const known = countries.get(locale) ?? new Intl.DisplayNames([locale], { type: "region" });
  countries.set(locale, known);
  return known;
}
