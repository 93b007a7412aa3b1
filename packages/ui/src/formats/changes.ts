/** The change in percent from an earlier amount, for an arrow: null if there is nothing to compare with. */
export function changeOf(
  now: number,
  before: number,
): { percent: number; direction: "up" | "down" | "same" } | null {
  if (before <= 0) return null;
  const percent = Math.round((Math.abs(now - before) / before) * 100);
  if (percent === 0) return { percent: 0, direction: "same" };
  return { percent, direction: now > before ? "up" : "down" };
}

/** A change in percent in a few letters: `12%`, or `12K%`. */
export function formatChange(percent: number, locale = "en-US"): string {
  const notation = percent >= LONG_PERCENT ? "compact" : "standard";
  const key = `${locale} ${notation}`;
  const formatter =
    change_formatters.get(key) ?? new Intl.NumberFormat(locale, { style: "percent", notation });
  change_formatters.set(key, formatter);
  return formatter.format(percent / 100);
}

const LONG_PERCENT = 10_000;
const change_formatters = new Map<string, Intl.NumberFormat>();
