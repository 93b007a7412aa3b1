const formatters = new Map<string, Intl.NumberFormat>();

/** A count with separators: `1,372`. */
export function formatCount(count: number, locale = "en-US"): string {
  // `toLocaleString` creates a formatter each time, which takes 20 times as long as using it.
  const formatter = formatters.get(locale) ?? new Intl.NumberFormat(locale);
  formatters.set(locale, formatter);
  return formatter.format(count);
}

/** A count that stops at `most`, which means that or more: `999+` for 1,000. */
export function formatCountBelow(count: number, most: number, locale = "en-US"): string {
  return count >= most ? `${formatCount(most - 1, locale)}+` : formatCount(count, locale);
}
