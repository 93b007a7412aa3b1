import { LRUCache } from "lru-cache";
import { atMost } from "./at-most.ts";
import { isAway } from "./memory.ts";

export interface CacheLimits {
  ttl_milliseconds: number;
  /** How old a value may be that is returned because the database is away; absent: there is none. */
  memory_milliseconds?: number;
  /** The least recently used values make room, `null` among them. */
  max_entries: number;
}

/** Returns a cached value, or looks it up. */
export interface Cache<Value> {
  (key: string): Promise<Value>;
  /**
   * The cached value without a turn of the event loop, or undefined when there is none. For paths that read several
   * caches per request.
   */
  peek(key: string): Value | undefined;
}

/**
 * Caches the results of `lookUp`. Concurrent calls for one key share a single lookup. If it fails, each of them fails,
 * and nothing is cached.
 *
 * A value's time to live starts when its lookup starts, because the value can be as old as that. `lru-cache` has a
 * `fetchMethod` that also shares lookups, but its time to live starts when the lookup ends.
 */
export function createCache<Value>(
  lookUp: (key: string) => Promise<Value>,
  { ttl_milliseconds, memory_milliseconds = ttl_milliseconds, max_entries }: CacheLimits,
): Cache<Value> {
  // The entry is an object because `lru-cache` holds neither null nor undefined.
  const entries = new LRUCache<string, { value: Value; read_at: number }>({
    ...atMost(max_entries),
    ttl: memory_milliseconds,
    // Reads the clock for each access. Otherwise a timer does it for each millisecond.
    ttlResolution: 0,
    perf: { now: () => performance.now() },
  });
  const lookups = new Map<string, Promise<Value>>();

  async function fetchValue(key: string): Promise<Value> {
    const start = performance.now();
    const value = await lookUp(key);
    entries.set(key, { value, read_at: start }, { start });
    return value;
  }

  function findFresh(key: string): { value: Value } | undefined {
    const entry = entries.get(key);
    const is_fresh = entry !== undefined && performance.now() - entry.read_at <= ttl_milliseconds;
    return is_fresh ? entry : undefined;
  }

  function remember(key: string, error: unknown): Value {
    const entry = isAway(error) ? entries.get(key) : undefined;
    if (entry === undefined) throw error;
    return entry.value;
  }

  async function get(key: string): Promise<Value> {
    const entry = findFresh(key);
    if (entry !== undefined) return entry.value;
    const running = lookups.get(key);
    if (running !== undefined) return await running;
    const lookup = fetchValue(key)
      .catch((error: unknown) => remember(key, error))
      .finally(() => lookups.delete(key));
    lookups.set(key, lookup);
    return await lookup;
  }

  return Object.assign(get, { peek: (key: string) => findFresh(key)?.value });
}
