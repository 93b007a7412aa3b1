import type { Run } from "./queries.ts";
import { texts } from "./texts.ts";

/** The payouts of a run by result, in all currencies. */
export interface RunCounts {
  paid: number;
  failed: number;
  open: number;
}

export function countsOf({ totals }: Pick<Run, "totals">): RunCounts {
  const counts: RunCounts = { paid: 0, failed: 0, open: 0 };
  for (const { status, payouts } of totals.flatMap(({ statuses }) => statuses)) {
    if (status === "paid") counts.paid += payouts;
    else if (status === "pending" || status === "processing") counts.open += payouts;
    else counts.failed += payouts;
  }
  return counts;
}

/** `28 paid · 2 failed · 1 open`, without zeros. */
export function sayCounts({ paid, failed, open }: RunCounts): string {
  return sayResults({ paid, failed, open, unchanged: 0, skipped: 0 });
}

/** The same for a report, with `3 unchanged · 4 skipped`. */
export function sayResults({
  paid,
  failed,
  open,
  unchanged,
  skipped,
}: RunCounts & { unchanged: number; skipped: number }): string {
  return texts.counts([
    ...(paid > 0 ? [texts.paid_count(paid)] : []),
    ...(failed > 0 ? [texts.failed_count(failed)] : []),
    ...(open > 0 ? [texts.open_count(open)] : []),
    ...(unchanged > 0 ? [texts.unchanged_count(unchanged)] : []),
    ...(skipped > 0 ? [texts.skipped_count(skipped)] : []),
  ]);
}
