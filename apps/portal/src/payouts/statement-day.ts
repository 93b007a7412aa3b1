/** A day of a statement, which is the same wherever it is read: in the time zone of the payout's run, as its month is. */
export function statementDay(
  at: string,
  { time_zone, locale }: { time_zone: string; locale: string },
): string {
  // English dates as everywhere in the portal: 21 Nov 2026.
  const language = locale === "en-US" ? "en-GB" : locale;
  return new Intl.DateTimeFormat(language, { dateStyle: "medium", timeZone: time_zone }).format(new Date(at));
}
