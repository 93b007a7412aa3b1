/** Periods until now, by their number of days. */
const PERIODS = { "7d": 7, "30d": 30, "90d": 90, "365d": 365 } as const;

const DAY_MILLISECONDS = 86_400_000;
const MINUTE_MILLISECONDS = 60_000;

/** The start of a period, to the minute, so that a list that is shown again asks the same. */
export function startOfPeriod(period: string | undefined): string | undefined {
  const days = Object.entries(PERIODS).find(([name]) => name === period)?.[1];
  if (days === undefined) return undefined;
  const now = Math.floor(Date.now() / MINUTE_MILLISECONDS) * MINUTE_MILLISECONDS;
  return new Date(now - days * DAY_MILLISECONDS).toISOString();
}
