import type { ReactNode } from "react";

/** Content with a heading, in a frame. */
export function Card({
  title,
  beside,
  children,
}: {
  title?: string;
  beside?: ReactNode;
  children: ReactNode;
}) {
  return (
    <section className="min-w-0 rounded-card border border-line bg-page p-4">
      {title !== undefined && (
        <header className="mb-3 flex items-center justify-between gap-3">
          <h2 className="font-semibold">{title}</h2>
          {beside}
        </header>
      )}
      {children}
    </section>
  );
}

export interface FactProps {
  label: string;
  children: ReactNode;
}

export interface FactsProps {
  /** In a column at the side. */
  narrow?: boolean;
  /** Labels are sentences: on a phone each value is below its label. */
  stacked?: boolean;
  children: ReactNode;
}

/** Names and values of a thing. */
export function Facts({ narrow = false, stacked = false, children }: FactsProps) {
  const columns = narrow
    ? "grid-cols-[88px_minmax(0,1fr)]"
    : stacked
      ? "wide:grid-cols-[120px_minmax(0,1fr)] max-wide:gap-y-0.5 max-wide:[&_div:not(:first-child)>dt]:mt-2"
      : "grid-cols-[104px_minmax(0,1fr)] wide:grid-cols-[120px_minmax(0,1fr)]";
  return <dl className={`grid items-baseline gap-x-4 gap-y-2 text-table ${columns}`}>{children}</dl>;
}

export function Fact({ label, children }: FactProps) {
  return (
    <div className="contents">
      <dt className="text-muted">{label}</dt>
      <dd className="min-w-0">{children}</dd>
    </div>
  );
}

export interface TileProps {
  label: string;
  value: ReactNode;
  change?: ReactNode;
  /** Whether the chart below shows this figure. */
  chosen?: boolean;
  onChoose?: () => void;
}

/** A figure with its label. */
export function Tile({ label, value, change, chosen, onChoose }: TileProps) {
  const content = (
    <>
      <span className="text-table text-muted">{label}</span>
      <span className="text-figure font-medium tabular-nums">{value}</span>
      <span className="min-h-4 max-w-full min-w-0">{change}</span>
    </>
  );
  const look = "grid content-start justify-items-start rounded-card border p-3 text-left";
  if (onChoose === undefined) return <div className={`${look} border-line`}>{content}</div>;
  return (
    <button
      type="button"
      aria-pressed={chosen ?? false}
      onClick={onChoose}
      className={`${look} border-line hover:bg-hover aria-pressed:border-accent-line aria-pressed:bg-pick`}
    >
      {content}
    </button>
  );
}
