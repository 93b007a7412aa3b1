import { type ReactNode, useRef, useState } from "react";
import { Button } from "../components/button.tsx";
import { type Texts, useTexts } from "../texts.tsx";
import { CursorInput } from "./cursor-input.tsx";
import { axisWidth } from "./margin.ts";
import { Plot } from "./plot.tsx";
import { areFew, ticksTo } from "./scale.ts";
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
  const values = points.flatMap(({ value, before = 0 }) => [value, before]);
  const ticks = ticksTo(Math.max(0, ...values), { whole: values.every(Number.isInteger) });
  const as_bars = areFew(points.map(({ value }) => value));
  const left = axisWidth(ticks.map(formatTick));
  const at = cursor === null ? undefined : points[cursor];
  const describe = (point: SeriesPoint) => describePoint(point, texts, formatValue);
  return (
    <figure className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <figcaption className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 max-wide:gap-x-2">
        <span className="font-semibold">{title}</span>
        <span className="min-h-5 flex-1 text-table max-wide:order-last max-wide:basis-full text-muted tabular-nums">
          {at === undefined ? has_before && !as_table && <Legend as_bars={as_bars} /> : describe(at)}
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
          <Plot
            {...{ points, as_bars, ticks, left, width, height, formatTick, cursor }}
            label={`${title}. ${summary}`}
          />
          <CursorInput
            {...{ title, cursor, as_bars, left, width, height, count: points.length }}
            text={describe(at ?? points.at(-1) ?? { label: title, value: 0 })}
            onMove={setCursor}
          />
        </div>
      )}
      {caption !== undefined && <p className="text-meta text-muted">{caption}</p>}
    </figure>
  );
}

/** `Nov 21, so far: $12.00, previous period $9.00`. */
function describePoint(
  { label, value, before, is_open }: SeriesPoint,
  texts: Pick<Texts, "so_far" | "before">,
  formatValue: (value: number) => string,
): string {
  const present = `${label}${is_open ? `, ${texts.so_far}` : ""}: ${formatValue(value)}`;
  return before === undefined ? present : `${present}, ${texts.before.toLowerCase()} ${formatValue(before)}`;
}

function Legend({ as_bars }: { as_bars: boolean }) {
  const texts = useTexts();
  return (
    <span aria-hidden className="inline-flex flex-wrap items-center gap-x-4 whitespace-nowrap">
      <span className="inline-flex items-center gap-1.5">
        {as_bars ? <Swatch look="fill-accent-line" /> : <Stroke look="stroke-accent-line" />}
        {texts.this_period}
      </span>
      <span className="inline-flex items-center gap-1.5">
        {as_bars ? <Swatch look="fill-muted/50" /> : <Stroke look="stroke-muted" is_dashed />}
        {texts.before}
      </span>
    </span>
  );
}

function Swatch({ look }: { look: string }) {
  return (
    <svg width="10" height="10" aria-hidden="true">
      <rect width="10" height="10" rx="2" className={look} />
    </svg>
  );
}

function Stroke({ look, is_dashed = false }: { look: string; is_dashed?: boolean }) {
  return (
    <svg width="16" height="2" className="overflow-visible" aria-hidden="true">
      <line
        x2="16"
        y1="1"
        y2="1"
        className={look}
        {...(is_dashed ? { strokeWidth: 1.5, strokeDasharray: "3 3" } : { strokeWidth: 2 })}
      />
    </svg>
  );
}
