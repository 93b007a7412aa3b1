/*
 * Question: how do two things compare on a machine with other load? They alternate in short rounds, and each
 * round is compared with its neighbor, so that anything slowing the machine for longer than a round affects
 * both.
 */
import { type Measurement, quantile } from "./measurement.ts";
import { fine, formatTable, whole } from "./table.ts";

export interface Spread {
  min: number;
  median: number;
  max: number;
}

export interface Comparison {
  /** Rounds of the subject. */
  subject: Measurement[];
  /** Rounds of the reference that it is compared with. */
  limit: Measurement[];
}

/** Alternates between the two. Both must have run before: nothing is warmed up here. */
export async function takeTurns(
  rounds: number,
  run: { subject: () => Promise<Measurement>; limit: () => Promise<Measurement> },
): Promise<Comparison> {
  const comparison: Comparison = { subject: [], limit: [] };
  for (let round = 0; round < rounds; round++) {
    comparison.subject.push(await run.subject());
    comparison.limit.push(await run.limit());
  }
  return comparison;
}

export function spread(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const median = Number.isInteger(middle)
    ? ((sorted[middle - 1] ?? Number.NaN) + (sorted[middle] ?? Number.NaN)) / 2
    : quantile(sorted, 0.5);
  return { min: sorted[0] ?? Number.NaN, median, max: sorted.at(-1) ?? Number.NaN };
}

/** The ratio of the subject to the limit, round by round. */
export function ratios({ subject, limit }: Comparison, figure: (measurement: Measurement) => number): Spread {
  return spread(subject.map((sample, round) => figure(sample) / figure(limit[round] ?? sample)));
}

/** Formats the rounds of a comparison. */
export function describe(
  comparison: Comparison,
  names: { subject: string; limit: string },
  ratio: { name: string; spread: Spread },
): string {
  const line = (name: string, measurements: Measurement[]) => {
    const rate = spread(measurements.map(({ per_second }) => per_second));
    return [
      name,
      ...[rate.min, rate.median, rate.max].map(whole),
      fine(spread(measurements.map(({ p50_ms }) => p50_ms)).median),
      fine(spread(measurements.map(({ p99_ms }) => p99_ms)).median),
    ];
  };
  return formatTable([
    [
      `${comparison.subject.length} rounds of each, in turn`,
      "min /s",
      "median /s",
      "max /s",
      "p50 ms",
      "p99 ms",
    ],
    line(names.subject, comparison.subject),
    line(names.limit, comparison.limit),
    [ratio.name, ...[ratio.spread.min, ratio.spread.median, ratio.spread.max].map(fine)],
  ]);
}

/** The median rate of some rounds. */
export function medianRate(measurements: readonly Measurement[]): number {
  return spread(measurements.map(({ per_second }) => per_second)).median;
}
