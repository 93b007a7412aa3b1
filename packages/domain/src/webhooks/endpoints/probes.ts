/** Failures in a row after which an endpoint is only probed. */
export const FAILING = 5;

const FIRST_PROBE_SECONDS = 5;
export const MAX_PROBE_SECONDS = 300;

/** Delay before the next probe of a failing endpoint: 5 s, doubled each time, at most 5 min. */
export function probeSeconds(failures: number): number {
  const doublings = Math.max(0, Math.min(10, failures - FAILING));
  return Math.min(MAX_PROBE_SECONDS, FIRST_PROBE_SECONDS * 2 ** doublings);
}
