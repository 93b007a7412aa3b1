/** The duration of a round. */
export type Until = { seconds: number } | { requests: number };

/** Returns whether to make another request. */
export function untilOver(until: Until): () => boolean {
  if ("requests" in until) {
    let left = until.requests;
    return () => left-- > 0;
  }
  const deadline = performance.now() + until.seconds * 1000;
  return () => performance.now() < deadline;
}

/** The result of one round of requests or statements. */
export interface Measurement {
  count: number;
  per_second: number;
  p50_ms: number;
  p99_ms: number;
  /** The longest one. */
  max_ms: number;
  /** CPU time of the measuring process per request. */
  own_cpu_microseconds: number;
}

/** Measures a round: call `record` with the duration of each request, and `finish` for the sum. */
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
        max_ms: quantile(sorted, 1),
        own_cpu_microseconds: (cpu.user + cpu.system) / sorted.length,
      };
    },
  };
}

/** The nearest-rank quantile of ascending values; NaN for none. */
export function quantile(sorted: ArrayLike<number>, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
