/** After each failed attempt; then the lookup has failed, until the API key changes or staff retry it. */
const AGAIN_SECONDS = [30, 120, 600, 3_600, 6 * 3_600, 24 * 3_600, 24 * 3_600, 24 * 3_600];

/** After how many seconds a lookup is tried again that failed so often before; null: no more. */
export function lookupAgainSeconds(attempts: number): number | null {
  return AGAIN_SECONDS[attempts] ?? null;
}
