/** A day of a statement, which is the same wherever it is read: in UTC, as the months of payouts are. */
export function utcDay(at: string, locale: string): string {
  // English dates as everywhere in the portal: 21 Nov 2026.
  const language = locale === "en-US" ? "en-GB" : locale;
  return new Intl.DateTimeFormat(language, { dateStyle: "medium", timeZone: "UTC" }).format(new Date(at));
}
