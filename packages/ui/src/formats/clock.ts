/** The zone and language in which times are shown. */
export interface Clock {
  time_zone: string;
  /** BCP 47, with the region that dates are written for: `en-US`. */
  locale: string;
}

/** How a person wants dates: as the browser's region writes them, or as in `Nov 21, 8:06 PM` or `21 Nov, 20:06`. */
export type DateOrder = "browser" | "month_first" | "day_first";

const REGIONS = { month_first: "US", day_first: "GB" };

/**
 * The locale of dates in the language of a screen. The region is that of the first language of the browser, which need not be the
 * screen's: with `de-DE`, an English screen has days before months, and 24 hours.
 */
export function dateLocale(language: string, order: DateOrder = "browser"): string {
  return `${language}-${order === "browser" ? browserRegion() : REGIONS[order]}`;
}

function browserRegion(): string {
  const [first = "en-US"] = globalThis.navigator?.languages ?? [];
  return new Intl.Locale(first).maximize().region ?? "US";
}

export const BROWSER_CLOCK: Clock = {
  time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  locale: dateLocale("en"),
};
