/** The delay after which a screen shows changes on the server. */
const LIVE_MILLISECONDS = 2_000;

/** The delay while no change is expected. */
export const IDLE_MILLISECONDS = 30_000;

interface Polled<Data> {
  state: { data: Data | undefined; error: unknown };
}

/**
 * The interval of a query that follows changes on the server: two seconds while they are expected, and half a minute otherwise or
 * after a failure. TanStack Query pauses it while the tab is hidden.
 *
 *     queryOptions({ …, refetchInterval: live((run) => run.finished_at === null) })
 */
export function live<Data>(isExpected: (data: Data) => boolean): (query: Polled<Data>) => number {
  return ({ state: { data, error } }) =>
    error === null && data !== undefined && isExpected(data) ? LIVE_MILLISECONDS : IDLE_MILLISECONDS;
}
