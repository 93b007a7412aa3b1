const WIDTHS = ["w-3/5", "w-2/5", "w-1/2", "w-1/3"];

/** In place of content that arrives later than 150 ms. */
function Skeleton({ className = "h-3 w-full" }: { className?: string }) {
  return <span aria-hidden className={`appear-late block rounded-control bg-hover ${className}`} />;
}

/** Rows of a list that is loaded for the first time. */
export function SkeletonRows({ rows = 8, label }: { rows?: number; label: string }) {
  return (
    <div role="status" aria-label={label} className="appear-late grid">
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className="flex h-9 items-center gap-6 border-b border-line px-3">
          <Skeleton className={`h-3 ${WIDTHS[row % WIDTHS.length]}`} />
          <Skeleton className="h-3 w-16" />
        </div>
      ))}
    </div>
  );
}

/** The line above rows that are loaded again. */
export function Progress({ busy }: { busy: boolean }) {
  return (
    <div aria-hidden className="relative h-0.5 overflow-hidden">
      {busy && <div className="progress-motion absolute inset-y-0 left-0 w-1/4 bg-accent-line" />}
    </div>
  );
}
