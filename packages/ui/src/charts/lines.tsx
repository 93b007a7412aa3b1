import { line } from "d3-shape";
import { type ReactNode, useRef, useState } from "react";
import { Button } from "../components/button.tsx";
import { useTexts } from "../texts.tsx";
import { CursorInput } from "./cursor-input.tsx";
import { axisWidth, MARGIN } from "./margin.ts";
import { axisLabelsOf, Ticks } from "./plot.tsx";
import { pointPlace, ticksTo } from "./scale.ts";
import { useWidth } from "./use-width.ts";

export interface LinePoint {
  /** Null: there is none, and the line has a gap. */
  value: number | null;
  /** The value of the period before; undefined without one. */
  before?: number | null;
}

export interface Line {
  key: string;
  label: string;
  points: readonly LinePoint[];
}

export interface LinesProps {
  title: string;
  /** One sentence for those who cannot see the lines. */
  summary: string;
  /** At most five. */
  lines: readonly Line[];
  /** The days, weeks or months of all lines. */
  labels: readonly { label: string; axis_label: string; is_open: boolean }[];
  formatValue: (value: number | null) => string;
  formatTick: (value: number) => string;
  caption: string;
  controls?: ReactNode;
}

/** The colors of lines, in their order. */
const STROKES = ["stroke-accent-line", "stroke-info", "stroke-warn", "stroke-bad", "stroke-ink"];
const FILLS = ["fill-accent-line", "fill-info", "fill-warn", "fill-bad", "fill-ink"];

const HEIGHT = 180;
/** So few points are marked. */
const FEW = 31;

/** Lines of several things, each with the period before dashed. The cursor names the values of a day. */
export function Lines({
  title,
  summary,
  lines,
  labels,
  formatValue,
  formatTick,
  caption,
  controls,
}: LinesProps) {
  const texts = useTexts();
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame, 720);
  const [cursor, setCursor] = useState<number | null>(null);
  const [as_table, setAsTable] = useState(false);
  const at = cursor ?? labels.length - 1;
  const values = lines.flatMap(({ points }) =>
    points.flatMap(({ value, before }) => [value ?? 0, before ?? 0]),
  );
  const ticks = ticksTo(Math.max(0, ...values), { whole: values.every(Number.isInteger) });
  const left = axisWidth(ticks.map(formatTick));
  const describe = (index: number) =>
    `${labels[index]?.label ?? title}${labels[index]?.is_open ? `, ${texts.so_far}` : ""}: ${lines.map(({ label, points }) => `${label} ${formatValue(points[index]?.value ?? null)}`).join(", ")}`;
  return (
    <figure className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <figcaption className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <span className="font-semibold">{title}</span>
        <span className="flex flex-wrap items-center gap-1">
          {controls}
          <Button look="quiet" aria-pressed={as_table} onClick={() => setAsTable(!as_table)}>
            {as_table ? texts.show_chart : texts.show_table}
          </Button>
        </span>
      </figcaption>
      <Legend
        lines={lines}
        heading={cursor === null ? null : (labels[at]?.label ?? "")}
        textOf={({ points }) => (cursor === null ? null : formatValue(points[at]?.value ?? null))}
      />
      {as_table ? (
        <LinesTable {...{ title, lines, labels, formatValue }} />
      ) : (
        <div
          ref={frame}
          className="relative rounded-control has-[:focus-visible]:outline-2 has-[:focus-visible]:outline-offset-2 has-[:focus-visible]:outline-accent-line"
          style={{ height: HEIGHT }}
        >
          <LinesPlot
            {...{ lines, labels, ticks, left, width, formatTick, cursor }}
            label={`${title}. ${summary}`}
          />
          <CursorInput
            {...{ title, cursor, left, width, count: labels.length }}
            height={HEIGHT}
            as_bars={false}
            text={describe(at)}
            onMove={setCursor}
          />
        </div>
      )}
      <p className="text-meta text-muted">{caption}</p>
    </figure>
  );
}

/** The names of the lines, with their values at the cursor. */
function Legend({
  lines,
  heading,
  textOf,
}: {
  lines: readonly Line[];
  heading: string | null;
  textOf: (line: Line) => string | null;
}) {
  const texts = useTexts();
  const has_before = lines.some(({ points }) => points.some(({ before }) => before !== undefined));
  return (
    <ul className="flex min-h-5 flex-wrap gap-x-4 gap-y-1 text-table text-muted tabular-nums">
      {heading !== null && <li className="font-medium text-ink">{heading}</li>}
      {lines.map((one, index) => (
        <li key={one.key} className="flex max-w-full min-w-0 items-center gap-1.5">
          <svg width="16" height="2" className="shrink-0 overflow-visible" aria-hidden="true">
            <line x2="16" y1="1" y2="1" strokeWidth="2" className={STROKES[index]} />
          </svg>
          <bdi className="max-w-60 truncate" title={one.label}>
            {one.label}
          </bdi>
          {textOf(one) !== null && <span className="font-medium text-ink">{textOf(one)}</span>}
        </li>
      ))}
      {has_before && heading === null && (
        <li className="flex items-center gap-1.5">
          <svg width="16" height="2" className="shrink-0 overflow-visible" aria-hidden="true">
            <line x2="16" y1="1" y2="1" strokeWidth="1.5" strokeDasharray="3 3" className="stroke-muted" />
          </svg>
          {texts.before}
        </li>
      )}
    </ul>
  );
}

interface LinesPlotProps extends Pick<LinesProps, "lines" | "labels" | "formatTick"> {
  ticks: readonly number[];
  left: number;
  width: number;
  cursor: number | null;
  label: string;
}

function LinesPlot({ lines, labels, ticks, left, width, formatTick, cursor, label }: LinesPlotProps) {
  const highest = ticks.at(-1) ?? 1;
  const inner_width = Math.max(width - left - MARGIN.right, 1);
  const x = (index: number) => left + inner_width * pointPlace(index, labels.length, false);
  const y = (value: number) =>
    HEIGHT - MARGIN.bottom - ((HEIGHT - MARGIN.top - MARGIN.bottom) * Math.max(value, 0)) / highest;
  const texts = labels.map((one) => one.axis_label);
  // The line is dashed to a point that is not over.
  const over = labels.length - (labels.at(-1)?.is_open === true && labels.length > 1 ? 1 : 0);
  return (
    <svg role="img" aria-label={label} width={width} height={HEIGHT} className="block text-meta tabular-nums">
      <Ticks {...{ ticks, left, width, y, formatTick }} />
      {axisLabelsOf(texts, { x, left, width, inner_width }).map(({ index, ...place }) => (
        <text key={index} y={HEIGHT - 6} className="fill-muted" {...place}>
          {texts[index]}
        </text>
      ))}
      {lines.map(({ key, points }, index) => (
        <Course key={key} {...{ points, index, over, x, y, cursor }} />
      ))}
      {cursor !== null && (
        <line
          x1={x(cursor)}
          x2={x(cursor)}
          y1={MARGIN.top}
          y2={HEIGHT - MARGIN.bottom}
          className="stroke-edge"
        />
      )}
    </svg>
  );
}

interface CourseProps {
  points: readonly LinePoint[];
  /** The index of the line, for its color. */
  index: number;
  /** The points that are over: the line is dashed to a later one. */
  over: number;
  x: (index: number) => number;
  y: (value: number) => number;
  cursor: number | null;
}

function Course({ points, index, over, x, y, cursor }: CourseProps) {
  const value = (point: LinePoint) => point.value;
  const last = points.slice(-2);
  const path = { className: `fill-none ${STROKES[index]}`, strokeWidth: "2" };
  return (
    <g>
      <path
        d={pathOf(points, { x, y, value: ({ before }) => before ?? null })}
        className={`fill-none opacity-60 ${STROKES[index]}`}
        strokeWidth="1.5"
        strokeDasharray="3 4"
      />
      <path {...path} d={pathOf(points.slice(0, over), { x, y, value })} strokeLinejoin="round" />
      {over < points.length && (
        <path
          {...path}
          data-open
          d={pathOf(last, { x: (place) => x(place + points.length - last.length), y, value })}
          strokeDasharray="2 4"
          strokeLinecap="round"
        />
      )}
      {points.map((point, place) =>
        point.value !== null && (points.length <= FEW || cursor === place) ? (
          <circle
            key={place}
            cx={x(place)}
            cy={y(point.value)}
            r={cursor === place ? 4 : 2}
            className={FILLS[index]}
          />
        ) : null,
      )}
    </g>
  );
}

function pathOf(
  points: readonly LinePoint[],
  {
    x,
    y,
    value,
  }: {
    x: (index: number) => number;
    y: (value: number) => number;
    value: (point: LinePoint) => number | null;
  },
): string {
  const shape = line<LinePoint>(
    (_, index) => x(index),
    (point) => y(value(point) ?? 0),
  ).defined((point) => value(point) !== null);
  return shape([...points]) ?? "";
}

/** The numbers of the lines. */
function LinesTable({
  title,
  lines,
  labels,
  formatValue,
}: Pick<LinesProps, "title" | "lines" | "labels" | "formatValue">) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
    <section className="max-h-55 overflow-auto" tabIndex={0} aria-label={title}>
      <table className="w-full text-table tabular-nums">
        <thead className="sticky top-0 bg-page text-left text-meta text-muted">
          <tr>
            <th scope="col" className="py-1 font-medium">
              {title}
            </th>
            {lines.map(({ key, label }) => (
              <th key={key} scope="col" className="max-w-40 truncate py-1 pl-4 text-right font-medium">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {labels.map(({ label }, index) => (
            <tr key={label} className="border-t border-line">
              <th scope="row" className="py-1 text-left font-normal whitespace-nowrap">
                {label}
              </th>
              {lines.map(({ key, points }) => (
                <td key={key} className="py-1 pl-4 text-right">
                  {formatValue(points[index]?.value ?? null)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
