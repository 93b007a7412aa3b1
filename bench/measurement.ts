/** How long a round lasts. */
export type Until = { seconds: number } | { requests: number };

/** A function that says whether another request may be made. */
export function untilOver(until: Until): () => boolean {
  if ("requests" in until) {
    let left = until.requests;
    return () => left-- > 0;
  }
  const deadline = performance.now() + until.seconds * 1000;
  return () => performance.now() < deadline;
}

/** What one round of requests, or of statements, came to. */
export interface Measurement {
  count: number;
  per_second: number;
  p50_ms: number;
  p99_ms: number;
  /** CPU time that the measuring process itself took for each. */
  own_cpu_microseconds: number;
}

/** Measures a round: `record` is told how long each request took, `finish` makes the sum. */
export function startMeasurement(): { record: (milliseconds: number) => void; finish: () => Measurement } {
  const latencies: number[] = [];
  const cpu_before = process.cpuUsage();
  const started_at = performance.now();
  return {
    record: (milliseconds) => {
      latencies.push(milliseconds);
    },
    finish: () => {
      const seconds = (performance.now() - started_at) / 1000;
      const cpu = process.cpuUsage(cpu_before);
      const sorted = Float64Array.from(latencies).sort();
      return {
        count: sorted.length,
        per_second: sorted.length / seconds,
        p50_ms: quantile(sorted, 0.5),
        p99_ms: quantile(sorted, 0.99),
        own_cpu_microseconds: (cpu.user + cpu.system) / sorted.length,
      };
    },
  };
}

/** Of ascending values; the nearest one, and NaN of none. */
export function quantile(sorted: ArrayLike<number>, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
