const MINUTE_MILLISECONDS = 60_000;

/** What each organization may write within a minute, in one process. */
export interface WriteBudget {
  /** Takes one write. Null: granted; otherwise the seconds until the next minute begins. */
  take(organizationId: string): number | null;
}

/** Makes a budget of so many writes a minute for each organization; 0: no limit. */
export function createWriteBudget(per_minute: number): WriteBudget {
  /** Only organizations that a valid key named are in it, and none for longer than a minute. */
  const used = new Map<string, number>();
  let ends_at = 0;
  return {
    take: (organizationId) => {
      if (per_minute === 0) return null;
      const now = performance.now();
      if (now >= ends_at) {
        used.clear();
        ends_at = now + MINUTE_MILLISECONDS;
      }
      const count = (used.get(organizationId) ?? 0) + 1;
      if (count > per_minute) return Math.ceil((ends_at - now) / 1000);
      used.set(organizationId, count);
      return null;
    },
  };
}
