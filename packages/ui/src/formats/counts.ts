/** A count with separators: `1,372`. */
export function formatCount(count: number, locale = "en-US"): string {
  return count.toLocaleString(locale);
}

/** A count that stops at `most`, which means that or more: `999+` for 1,000. */
export function formatCountBelow(count: number, most: number, locale = "en-US"): string {
  return count >= most ? `${formatCount(most - 1, locale)}+` : formatCount(count, locale);
}
