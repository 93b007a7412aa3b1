const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** A wait in words, rounded up: `45 seconds`, `15 minutes`, `6 hours`. */
export function waitInWords(seconds: number): string {
  if (seconds > 2 * HOUR) return `${Math.ceil(seconds / HOUR)} hours`;
  if (seconds > 2 * MINUTE) return `${Math.ceil(seconds / MINUTE)} minutes`;
  return seconds === 1 ? "1 second" : `${seconds} seconds`;
}
