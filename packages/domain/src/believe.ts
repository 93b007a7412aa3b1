/** How long, and how much of it, what was looked up is believed. */
export interface BeliefLimits {
  milliseconds: number;
  /** Answers kept at most, those of nothing too; the oldest ones go first. */
  entries: number;
}

/** Asks for what is believed. */
export interface Believed<Value> {
  (key: string): Promise<Value>;
  /**
   * What is believed right now, without waiting a turn of the event loop; undefined: ask. For paths that go
   * through several of them for each request.
   */
  known(key: string): Value | undefined;
}

interface Belief<Value> {
  value: Value;
  /** On the monotonic clock. */
  until: number;
}

/**
 * Keeps what a look-up answers for a short while, counted from the moment of asking, since the answer may be
 * as old as that. Those who ask for the same while it is being looked up wait for one answer; a failure is
 * told to them and not kept.
 */
export function believe<Value>(
  lookUp: (key: string) => Promise<Value>,
  { milliseconds, entries }: BeliefLimits,
): Believed<Value> {
  /** In the order of asking, so that the first one is the oldest. */
  const beliefs = new Map<string, Belief<Value>>();
  const running = new Map<string, Promise<Value>>();

  async function ask(key: string): Promise<Value> {
    const asked_at = performance.now();
    const value = await lookUp(key);
    beliefs.delete(key);
    beliefs.set(key, { value, until: asked_at + milliseconds });
    forget(asked_at);
    return value;
  }

  function forget(now: number): void {
    for (const [key, { until }] of beliefs) {
      if (until > now && beliefs.size <= entries) return;
      beliefs.delete(key);
    }
  }

  function known(key: string): Value | undefined {
    const belief = beliefs.get(key);
    return belief !== undefined && performance.now() < belief.until ? belief.value : undefined;
  }

  async function find(key: string): Promise<Value> {
    const value = known(key);
    if (value !== undefined) return value;
    const asked = running.get(key);
    if (asked !== undefined) return await asked;
    const asking = ask(key).finally(() => running.delete(key));
    running.set(key, asking);
    return await asking;
  }

  return Object.assign(find, { known });
}
