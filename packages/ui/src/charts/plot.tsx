import { Columns } from "./columns.tsx";
import { Course } from "./course.tsx";
import { MARGIN } from "./margin.ts";
import { labelIndexes, pointPlace } from "./scale.ts";
import type { SeriesPoint } from "./series-point.ts";

/** The average width of a letter of a label. */
const LETTER_PIXELS = 6.6;

const axisLabelOf = ({ axis_label, label }: SeriesPoint) => axis_label ?? label;

/** Labels at the ends of the axis stay inside it. */
function anchorOf(x: number, left: number, right: number, label_width: number): "start" | "middle" | "end" {
  if (x - label_width / 2 < left) return "start";
  return x + label_width / 2 > right ? "end" : "middle";
}

/** Which points have a label below the axis, and where. */
export function axisLabelsOf(
  texts: readonly string[],
  {
    x,
    left,
    width,
    inner_width,
  }: { x: (index: number) => number; left: number; width: number; inner_width: number },
): { index: number; x: number; textAnchor: "start" | "middle" | "end" }[] {
  const label_width = LETTER_PIXELS * Math.max(0, ...texts.map((text) => text.length));
  return labelIndexes(texts.length, inner_width, label_width).map((index) => ({
    index,
    x: x(index),
    textAnchor: anchorOf(x(index), left, width - MARGIN.right, label_width),
  }));
}

export interface PlotProps {
  points: readonly SeriesPoint[];
  /** Bars instead of lines. */
  as_bars: boolean;
  ticks: readonly number[];
  /** The width of the axis. */
  left: number;
  width: number;
  height: number;
  formatTick: (value: number) => string;
  cursor: number | null;
  label: string;
}

/** The points of a chart as lines or bars, with their axes. */
export function Plot({ points, as_bars, ticks, left, width, height, formatTick, cursor, label }: PlotProps) {
  const highest = ticks.at(-1) ?? 1;
  const inner_width = Math.max(width - left - MARGIN.right, 1);
  const x = (index: number) => left + inner_width * pointPlace(index, points.length, as_bars);
  const y = (value: number) =>
    height - MARGIN.bottom - ((height - MARGIN.top - MARGIN.bottom) * Math.max(value, 0)) / highest;
  const texts = points.map(axisLabelOf);
  return (
    <svg role="img" aria-label={label} width={width} height={height} className="block text-meta tabular-nums">
      <Ticks {...{ ticks, left, width, y, formatTick }} />
      {axisLabelsOf(texts, { x, left, width, inner_width }).map(({ index, ...place }) => (
        <text key={index} y={height - 6} className="fill-muted" {...place}>
          {texts[index]}
        </text>
      ))}
      {as_bars ? (
        <Columns {...{ points, x, y, cursor }} room={inner_width / Math.max(points.length, 1)} />
      ) : (
        <Course {...{ points, x, y }} />
      )}
      {cursor !== null && (
        <Cursor
          x={x(cursor)}
          y={as_bars ? null : y(points[cursor]?.value ?? 0)}
          bottom={height - MARGIN.bottom}
        />
      )}
    </svg>
  );
}

interface TicksProps extends Pick<PlotProps, "ticks" | "left" | "width" | "formatTick"> {
  y: (value: number) => number;
}

/** Horizontal lines with their values on the axis. */
export function Ticks({ ticks, left, width, formatTick, y }: TicksProps) {
  return ticks.map((tick) => (
    <g key={tick}>
      <line x1={left} x2={width - MARGIN.right} y1={y(tick)} y2={y(tick)} className="stroke-line" />
      <text x={left - 8} y={y(tick)} dy="0.32em" textAnchor="end" className="fill-muted">
        {formatTick(tick)}
      </text>
    </g>
  ));
}

/** `y` is null without a line to mark. */
function Cursor({ x, y, bottom }: { x: number; y: number | null; bottom: number }) {
  return (
    <g>
      <line x1={x} x2={x} y1={MARGIN.top} y2={bottom} className="stroke-edge" />
      {y !== null && <circle cx={x} cy={y} r="4" className="fill-accent-line stroke-page" strokeWidth="2" />}
    </g>
  );
}
