const MINUTE_MILLISECONDS = 60_000;

/** The writes that each organization may make per minute, in one process. */
export interface WriteBudget {
  /** Takes one write. Null: granted; otherwise the seconds until the next minute starts. */
  take(organizationId: string): number | null;
}

/** Creates a budget of writes per minute for each organization; 0: no limit. */
export function createWriteBudget(per_minute: number): WriteBudget {
  /** Contains only organizations with a valid key, each for at most a minute. */
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
