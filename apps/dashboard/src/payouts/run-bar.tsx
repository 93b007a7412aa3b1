import type { Run } from "./queries.ts";
import { countsOf, sayCounts } from "./totals.ts";

/** Which part of a run's payouts is paid, failed and open, as a bar and in words. */
export function RunBar({ run, thick = false }: { run: Run; thick?: boolean }) {
  const counts = countsOf(run);
  const all = Math.max(1, counts.paid + counts.failed + counts.open);
  const height = thick ? 8 : 6;
  const share = (count: number) => `${(count / all) * 100}%`;
  return (
    <span className="grid gap-1" title={thick ? undefined : sayCounts(counts)}>
      <svg aria-hidden="true" width="100%" height={height} className="rounded-full">
        <rect width="100%" height={height} className="fill-line" />
        <rect width={share(counts.paid)} height={height} className="fill-good" />
        <rect x={share(counts.paid)} width={share(counts.failed)} height={height} className="fill-bad" />
      </svg>
      <span className={thick ? "text-table text-muted tabular-nums" : "sr-only"}>{sayCounts(counts)}</span>
    </span>
  );
}
