import { formatMoney, formatMoneyShort } from "@findersfee/ui/formats/money";
import type { Overview } from "./queries.ts";
import type { SeriesName } from "./search.ts";
import { texts } from "./texts.ts";

type Totals = Overview["present"];

/** A total of a period or of one of its points. */
export const totalOf = (totals: Totals, series: SeriesName): number =>
  series === "revenue"
    ? totals.revenue_amount
    : series === "commission"
      ? totals.commission_amount
      : totals[series];

export const isMoney = (series: SeriesName) => series === "revenue" || series === "commission";

export function formatValue(value: number, series: SeriesName, currency: string): string {
  return isMoney(series) ? formatMoney(value, currency) : texts.count(value);
}

/** Amounts from here on are shortened in tiles. */
export const SHORTENED = 100_000;

/** Formats a value for a tile. */
export function formatShort(value: number, series: SeriesName, currency: string): string {
  return isMoney(series) && Math.abs(value) >= SHORTENED
    ? formatMoneyShort(value, currency)
    : formatValue(value, series, currency);
}
