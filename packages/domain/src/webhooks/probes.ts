/** Failures in a row after which an endpoint is only probed. */
export const FAILING = 5;

const FIRST_PROBE_SECONDS = 5;
export const LONGEST_PROBE_SECONDS = 300;

/** How long to leave a failing endpoint alone until the next probe: 5 s, twice as long each time, 5 min at most. */
export function probeSeconds(failures: number): number {
  const doublings = Math.max(0, Math.min(10, failures - FAILING));
  return Math.min(LONGEST_PROBE_SECONDS, FIRST_PROBE_SECONDS * 2 ** doublings);
}
