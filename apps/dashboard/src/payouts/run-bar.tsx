import type { Run } from "./queries.ts";
import { countsOf, sayCounts } from "./totals.ts";

/** The paid, failed and open payouts of a run, as a bar and as text. `thick`: the text is below the bar. */
export function RunBar({ run, thick = false }: { run: Run; thick?: boolean }) {
  const counts = countsOf(run);
  const all = Math.max(1, counts.paid + counts.failed + counts.open);
  const height = thick ? 8 : 6;
  const share = (count: number) => `${(count / all) * 100}%`;
  const [frame, bar, text] = thick ? BELOW : BESIDE;
  return (
    <span className={frame} title={thick ? undefined : sayCounts(counts)}>
      <svg aria-hidden="true" width="100%" height={height} className={`rounded-full ${bar}`}>
        <rect width="100%" height={height} className="fill-line" />
        <rect width={share(counts.paid)} height={height} className="fill-good" />
        <rect x={share(counts.paid)} width={share(counts.failed)} height={height} className="fill-bad" />
      </svg>
      <span className={`tabular-nums ${text}`}>{sayCounts(counts)}</span>
    </span>
  );
}

const BELOW = ["grid gap-1", "", "text-table text-muted"];

/** A phone shows only the text; up to wide screens, only the bar is shown. */
const BESIDE = [
  "flex min-w-0 items-center gap-2",
  "full:w-18 full:shrink-0 max-wide:hidden",
  "min-w-0 truncate not-full:wide:sr-only",
];
