const MINUTE = 60;
const HOUR = 60 * MINUTE;

/**
 * Seconds between attempts to send a mail. The same for every refusal: a server that is set up wrongly refuses
 * for good what it takes an hour later.
 */
const PAUSES_SECONDS = [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 24 * HOUR];

/** The pause after so many failed attempts; null: that was the last one. */
export function pauseAfter(attempts: number): number | null {
  return PAUSES_SECONDS[attempts - 1] ?? null;
}
