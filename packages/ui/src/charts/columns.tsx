import type { CourseProps } from "./course.tsx";
import type { SeriesPoint } from "./series-point.ts";

/** The greatest width of a bar. */
const MOST_PIXELS = 28;

export interface ColumnsProps extends CourseProps {
  /** Pixels of a point. */
  room: number;
  cursor: number | null;
}

/** A bar for each point, outlined for a point that is not over; at its left, the bar of the period before. */
export function Columns({ points, x, y, room, cursor }: ColumnsProps) {
  const has_before = points.some(({ before }) => before !== undefined);
  const bar = Math.max(1, Math.min(MOST_PIXELS, (room * 0.7) / (has_before ? 2 : 1)));
  return points.map((point, index) => (
    <g key={point.label} className={cursor === null || cursor === index ? "" : "opacity-50"}>
      {point.before !== undefined && point.before > 0 && (
        <Column x={x(index) - bar} width={bar} y={y} value={point.before} look="fill-muted/50" />
      )}
      {point.value > 0 && (
        <g {...(point.is_open ? { "data-open": true } : {})}>
          <Column
            x={has_before ? x(index) : x(index) - bar / 2}
            width={bar}
            y={y}
            value={point.value}
            look={lookOf(point)}
          />
        </g>
      )}
    </g>
  ));
}

function lookOf({ is_open }: SeriesPoint): string {
  return is_open ? "fill-accent-line/16 stroke-accent-line [stroke-dasharray:3_3]" : "fill-accent-line";
}

interface ColumnProps {
  x: number;
  width: number;
  y: (value: number) => number;
  value: number;
  look: string;
}

function Column({ x, width, y, value, look }: ColumnProps) {
  // A small value next to a large one is still seen.
  const height = Math.max(2, y(0) - y(value));
  return (
    <rect
      x={x}
      y={y(0) - height}
      width={width}
      height={height}
      rx={Math.min(2, width / 2)}
      className={look}
    />
  );
}
