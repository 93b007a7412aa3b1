import { line } from "d3-shape";

/** The course of a figure in the space of a word. `label` says it. */
export function Spark({ label, values }: { label: string; values: readonly number[] }) {
  const width = 96;
  const height = 20;
  const highest = Math.max(1, ...values);
  const shape = line<number>(
    (_, index) => 1 + ((width - 2) * index) / Math.max(values.length - 1, 1),
    (value) => height - 2 - ((height - 4) * Math.max(value, 0)) / highest,
  );
  return (
    <svg role="img" aria-label={label} width={width} height={height} className="inline-block align-middle">
      <path d={shape([...values]) ?? ""} className="fill-none stroke-accent-line" strokeWidth="1.5" />
    </svg>
  );
}
