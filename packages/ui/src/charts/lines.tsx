import { area, line } from "d3-shape";
import { MARGIN } from "./margin.ts";
import { labelIndexes } from "./scale.ts";
import type { SeriesPoint } from "./series-point.ts";

/** Of a letter of a label, on average. */
const LETTER_PIXELS = 6.6;

const axisLabelOf = (point: SeriesPoint | undefined) => point?.axis_label ?? point?.label ?? "";

/** Labels at the ends of the axis stay inside it. */
function anchorOf(x: number, left: number, right: number, label_width: number): "start" | "middle" | "end" {
  if (x - label_width / 2 < left) return "start";
  return x + label_width / 2 > right ? "end" : "middle";
}

export interface LinesProps {
  points: readonly SeriesPoint[];
  ticks: readonly number[];
  /** The width of the axis. */
  left: number;
  width: number;
  height: number;
  formatTick: (value: number) => string;
  cursor: number | null;
  label: string;
}

/** The lines of a chart with their axes; the line of the period before is dashed. */
export function Lines({ points, ticks, left, width, height, formatTick, cursor, label }: LinesProps) {
  const highest = ticks.at(-1) ?? 1;
  const inner_width = Math.max(width - left - MARGIN.right, 1);
  const x = (index: number) => left + (inner_width * index) / Math.max(points.length - 1, 1);
  const y = (value: number) =>
    height - MARGIN.bottom - ((height - MARGIN.top - MARGIN.bottom) * Math.max(value, 0)) / highest;
  const label_width = LETTER_PIXELS * Math.max(0, ...points.map((point) => axisLabelOf(point).length));
  const labels = labelIndexes(points.length, inner_width, label_width);
  const shape = line<SeriesPoint>(
    (_, index) => x(index),
    (point) => y(point.value),
  );
  const shade = area<SeriesPoint>(
    (_, index) => x(index),
    y(0),
    (point) => y(point.value),
  );
  const earlier = line<SeriesPoint>(
    (_, index) => x(index),
    (point) => y(point.before ?? 0),
  ).defined(({ before }) => before !== undefined);
  const all = [...points];
  return (
    <svg role="img" aria-label={label} width={width} height={height} className="block text-meta tabular-nums">
      <Ticks {...{ ticks, left, width, y, formatTick }} />
      {labels.map((index) => (
        <text
          key={index}
          x={x(index)}
          y={height - 6}
          textAnchor={anchorOf(x(index), left, width - MARGIN.right, label_width)}
          className="fill-muted"
        >
          {axisLabelOf(points[index])}
        </text>
      ))}
      <path d={shade(all) ?? ""} className="fill-accent-line/8" />
      <path
        d={earlier(all) ?? ""}
        className="fill-none stroke-muted"
        strokeWidth="1.5"
        strokeDasharray="3 4"
      />
      <path
        d={shape(all) ?? ""}
        className="fill-none stroke-accent-line"
        strokeWidth="2"
        strokeLinejoin="round"
      />
      {points.length === 1 && (
        <circle cx={x(0)} cy={y(points[0]?.value ?? 0)} r="3" className="fill-accent-line" />
      )}
      {cursor !== null && (
        <Cursor x={x(cursor)} y={y(points[cursor]?.value ?? 0)} bottom={height - MARGIN.bottom} />
      )}
    </svg>
  );
}

interface TicksProps extends Pick<LinesProps, "ticks" | "left" | "width" | "formatTick"> {
  y: (value: number) => number;
}

/** Horizontal lines with their values on the axis. */
function Ticks({ ticks, left, width, formatTick, y }: TicksProps) {
  return ticks.map((tick) => (
    <g key={tick}>
      <line x1={left} x2={width - MARGIN.right} y1={y(tick)} y2={y(tick)} className="stroke-line" />
      <text x={left - 8} y={y(tick)} dy="0.32em" textAnchor="end" className="fill-muted">
        {formatTick(tick)}
      </text>
    </g>
  ));
}

function Cursor({ x, y, bottom }: { x: number; y: number; bottom: number }) {
  return (
    <g>
      <line x1={x} x2={x} y1={MARGIN.top} y2={bottom} className="stroke-edge" />
      <circle cx={x} cy={y} r="4" className="fill-accent-line stroke-page" strokeWidth="2" />
    </g>
  );
}
