import { area, line } from "d3-shape";
import { type PointerEvent, type ReactNode, useRef, useState } from "react";
import { Button } from "../components/button.tsx";
import { useTexts } from "../texts.tsx";
import { labelIndexes, ticksTo } from "./scale.ts";
import type { SeriesPoint } from "./series-point.ts";
import { SeriesTable } from "./series-table.tsx";
import { useWidth } from "./use-width.ts";

export interface TimeSeriesProps {
  title: string;
  /** One sentence for those who cannot see the lines. */
  summary: string;
  points: readonly SeriesPoint[];
  formatValue: (value: number) => string;
  /** Shorter, for the axis: `$2K`. */
  formatTick?: (value: number) => string;
  /** Below the chart, for example the time zone of its days. */
  caption?: string;
  height?: number;
  /** Beside the button for the table, for example a choice of days or weeks. */
  controls?: ReactNode;
}

const MARGIN = { top: 8, right: 12, bottom: 24 };
/** Of a figure of the axis, at most. */
const DIGIT_PIXELS = 7.5;
/** Of a letter of a label, on average. */
const LETTER_PIXELS = 6.6;

/**
 * Lines of this period and the one before. A range input lies over it: the arrow keys and the pointer move its cursor, and screen
 * readers read its value.
 */
export function TimeSeries(props: TimeSeriesProps) {
  const {
    title,
    summary,
    points,
    formatValue,
    formatTick = formatValue,
    caption,
    height = 220,
    controls,
  } = props;
  const texts = useTexts();
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame, 720);
  const [cursor, setCursor] = useState<number | null>(null);
  const [as_table, setAsTable] = useState(false);
  const has_before = points.some(({ before }) => before !== undefined);
  const ticks = ticksTo(Math.max(0, ...points.flatMap(({ value, before = 0 }) => [value, before])));
  const left = 12 + DIGIT_PIXELS * Math.max(...ticks.map((tick) => formatTick(tick).length));
  const at = cursor === null ? undefined : points[cursor];
  const follow = (event: PointerEvent<HTMLInputElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    const part = (event.clientX - box.left) / box.width;
    setCursor(Math.max(0, Math.min(points.length - 1, Math.round(part * (points.length - 1)))));
  };
  const describe = (point: SeriesPoint) =>
    point.before === undefined
      ? `${point.label}: ${formatValue(point.value)}`
      : `${point.label}: ${formatValue(point.value)}, ${texts.before.toLowerCase()} ${formatValue(point.before)}`;
  return (
    <figure className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <figcaption className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 max-wide:gap-x-2">
        <span className="font-semibold">{title}</span>
        <span className="min-h-5 flex-1 text-table max-wide:order-last max-wide:basis-full text-muted tabular-nums">
          {at === undefined ? has_before && !as_table && <Legend /> : describe(at)}
        </span>
        <span className="flex items-center gap-1 max-wide:-mr-3">
          {controls}
          <Button look="quiet" aria-pressed={as_table} onClick={() => setAsTable(!as_table)}>
            {as_table ? texts.show_chart : texts.show_table}
          </Button>
        </span>
      </figcaption>
      {as_table ? (
        <SeriesTable title={title} points={points} formatValue={formatValue} />
      ) : (
        <div
          ref={frame}
          className="relative rounded-control has-[:focus-visible]:outline-2 has-[:focus-visible]:outline-offset-2 has-[:focus-visible]:outline-accent-line"
          style={{ height }}
        >
          <Lines
            {...{ points, ticks, left, width, height, formatTick, cursor }}
            label={`${title}. ${summary}`}
          />
          <input
            type="range"
            min={0}
            max={Math.max(points.length - 1, 0)}
            value={cursor ?? Math.max(points.length - 1, 0)}
            aria-label={title}
            aria-valuetext={describe(at ?? points.at(-1) ?? { label: title, value: 0 })}
            onChange={(event) => setCursor(Number(event.target.value))}
            onFocus={() => setCursor(cursor ?? points.length - 1)}
            onBlur={() => setCursor(null)}
            onPointerMove={follow}
            onPointerLeave={() => setCursor(null)}
            className="absolute cursor-crosshair opacity-0"
            style={{
              top: MARGIN.top,
              left,
              width: Math.max(width - left - MARGIN.right, 0),
              height: height - MARGIN.top - MARGIN.bottom,
            }}
          />
        </div>
      )}
      {caption !== undefined && <p className="text-meta text-muted">{caption}</p>}
    </figure>
  );
}

function Legend() {
  const texts = useTexts();
  return (
    <span aria-hidden className="inline-flex items-center gap-4 whitespace-nowrap">
      <span className="inline-flex items-center gap-1.5">
        <svg width="16" height="2" className="overflow-visible" aria-hidden="true">
          <line x2="16" y1="1" y2="1" className="stroke-accent-line" strokeWidth="2" />
        </svg>
        {texts.this_period}
      </span>
      <span className="inline-flex items-center gap-1.5">
        <svg width="16" height="2" className="overflow-visible" aria-hidden="true">
          <line x2="16" y1="1" y2="1" className="stroke-muted" strokeWidth="1.5" strokeDasharray="3 3" />
        </svg>
        {texts.before}
      </span>
    </span>
  );
}

const axisLabelOf = (point: SeriesPoint | undefined) => point?.axis_label ?? point?.label ?? "";

/** Labels at the ends of the axis stay inside it. */
function anchorOf(x: number, left: number, right: number, label_width: number): "start" | "middle" | "end" {
  if (x - label_width / 2 < left) return "start";
  return x + label_width / 2 > right ? "end" : "middle";
}

interface LinesProps {
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

function Lines({ points, ticks, left, width, height, formatTick, cursor, label }: LinesProps) {
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
      {ticks.map((tick) => (
        <g key={tick}>
          <line x1={left} x2={width - MARGIN.right} y1={y(tick)} y2={y(tick)} className="stroke-line" />
          <text x={left - 8} y={y(tick)} dy="0.32em" textAnchor="end" className="fill-muted">
            {formatTick(tick)}
          </text>
        </g>
      ))}
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
        <g>
          <line
            x1={x(cursor)}
            x2={x(cursor)}
            y1={MARGIN.top}
            y2={height - MARGIN.bottom}
            className="stroke-edge"
          />
          <circle
            cx={x(cursor)}
            cy={y(points[cursor]?.value ?? 0)}
            r="4"
            className="fill-accent-line stroke-page"
            strokeWidth="2"
          />
        </g>
      )}
    </svg>
  );
}
