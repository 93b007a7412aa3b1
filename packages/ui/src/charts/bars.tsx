export interface Bar {
  id: string;
  label: string;
  value: number;
  /** The value in words, beside it. */
  text: string;
  /** Amounts that have a color elsewhere keep it; else the accent. */
  tone?: "accent" | "warn" | "info";
}

const FILLS = { accent: "fill-accent-line", warn: "fill-warn", info: "fill-info" };

/** Amounts side by side, each with its share of the largest one as a bar. */
export function Bars({ label, bars }: { label: string; bars: readonly Bar[] }) {
  const largest = Math.max(1, ...bars.map(({ value }) => Math.abs(value)));
  return (
    <dl aria-label={label} className="grid gap-2">
      {bars.map(({ id, label: name, value, text, tone = "accent" }) => (
        <div
          key={id}
          className="grid grid-cols-[minmax(80px,1fr)_auto] items-baseline gap-x-3 gap-y-1 text-table"
        >
          <dt className="text-muted">{name}</dt>
          <dd className="font-medium tabular-nums">{text}</dd>
          <svg aria-hidden="true" width="100%" height="6" className="col-span-2 rounded-full">
            <rect width="100%" height="6" rx="3" className="fill-hover" />
            <rect width={`${(Math.abs(value) / largest) * 100}%`} height="6" rx="3" className={FILLS[tone]} />
          </svg>
        </div>
      ))}
    </dl>
  );
}
