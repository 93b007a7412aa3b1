/**
 * What became of an attempt to claim an event:
 *
 * - `claimed`: nobody has it; it is to be handled now, and then completed or released.
 * - `handled`: it was handled; this copy is passed over, with 2xx.
 * - `busy`: another copy is being handled now. This one is refused with 503, so that it comes again should
 *   the other fail.
 */
export type Claim = "claimed" | "handled" | "busy";

/**
 * Where the ids of events are kept, so that each is handled once though it is delivered more than once: the
 * service sends an event again when no 2xx reached it in time, also if the first copy was handled.
 *
 * - `claim` must be atomic: of two copies at once only one may get `claimed` (`set … nx`, `insert … on conflict`).
 * - `complete` follows when `onEvent` has succeeded. If it fails, that is reported and the delivery still
 *   answered with 2xx.
 * - `release` follows when `onEvent` has failed, and forgets the claim: the next attempt is to get it.
 * - A process that dies does neither. So in a store that outlives it a claim must end by itself, later than
 *   the longest handling takes; the event is then handled once more. Where even that must not happen, write
 *   the id in the transaction of what `onEvent` does, instead of using this.
 * - Keep ids that were handled for as long as copies can come: 3 days for retries, longer with replays.
 */
export interface Deduplication {
  claim(id: string): Claim | Promise<Claim>;
  complete(id: string): unknown;
  release(id: string): unknown;
}

const CAPACITY = 10_000;

/**
 * Deduplication in this process's memory: enough for one process, and forgotten when it ends. It remembers
 * the last `capacity` events (10,000 unless told); of older ones a copy would be handled again. At most
 * as many are handled at once; more are `busy`.
 */
export function memoryDeduplication({
  capacity = CAPACITY,
}: {
  capacity?: number | undefined;
} = {}): Deduplication {
  const busy = new Set<string>();
  const handled = new Set<string>();
  return {
    claim: (id) => {
      if (handled.has(id)) return "handled";
      if (busy.has(id) || busy.size >= capacity) return "busy";
      busy.add(id);
      return "claimed";
    },
    complete: (id) => {
      busy.delete(id);
      handled.add(id);
      const [oldest] = handled;
      if (handled.size > capacity && oldest !== undefined) handled.delete(oldest);
    },
    release: (id) => {
      busy.delete(id);
    },
  };
}
