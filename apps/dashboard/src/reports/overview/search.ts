import { isId, isOneOf, LIST_FIELDS, type Search, searchReader } from "../../lists/search.ts";

export const SERIES = ["revenue", "commission", "clicks", "signups", "conversions"] as const;

export type SeriesName = (typeof SERIES)[number];

export const UNITS = ["day", "week", "month"] as const;

export type Unit = (typeof UNITS)[number];

const CURRENCY = /^[A-Z]{3}$/;

/** The overview's parameters in the address. */
export const readOverviewSearch = searchReader({
  period: LIST_FIELDS.period,
  campaign: isId,
  currency: (value) => CURRENCY.test(value),
  unit: isOneOf(UNITS),
  series: isOneOf(SERIES),
  compare: isOneOf(["no"]),
});

export type OverviewSearch = Search<"period" | "campaign" | "currency" | "unit" | "series" | "compare">;
