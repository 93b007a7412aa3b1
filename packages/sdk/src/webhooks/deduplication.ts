/**
 * The result of claiming an event:
 *
 * - `claimed`: no other copy has the claim. Handle the event, then complete or release it.
 * - `handled`: the event was handled. This copy is skipped with 2xx.
 * - `busy`: another copy is being handled. This one is rejected with 503, so that the service retries it in
 *   case the other fails.
 */
export type Claim = "claimed" | "handled" | "busy";

/**
 * Stores event ids so that each event is handled once even if it is delivered repeatedly: the service
 * redelivers an event when it receives no 2xx in time, even if the receiver handled it.
 *
 * - `claim` must be atomic: of two concurrent copies only one may get `claimed` (`set … nx`, `insert … on
 *   conflict`).
 * - `complete` runs after `onEvent` succeeds. If it fails, the error is reported and the delivery still gets
 *   2xx.
 * - `release` runs after `onEvent` fails and drops the claim, so that the next attempt can take it.
 * - A process that crashes calls neither. In a store that outlives the process, let claims expire after more
 *   than the longest handling time; the event is then handled again. To rule that out, insert the id in the
 *   same transaction as the work of `onEvent`, instead of using this interface.
 * - Keep the ids of handled events for as long as copies can arrive: 3 days for retries, longer with replays.
 */
export interface Deduplication {
  claim(id: string): Claim | Promise<Claim>;
  complete(id: string): unknown;
  release(id: string): unknown;
}

const CAPACITY = 10_000;

/**
 * Deduplication in the memory of one process; restarting it forgets all ids. It remembers the last `capacity`
 * events (default: 10,000); a copy of an older event would be handled again. It handles at most as many
 * events at once; further ones are `busy`.
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
