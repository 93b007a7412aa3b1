import { area, line } from "d3-shape";
import type { SeriesPoint } from "./series-point.ts";

export interface CourseProps {
  points: readonly SeriesPoint[];
  /** Pixels of a point and of a value. */
  x: (index: number) => number;
  y: (value: number) => number;
}

/**
 * The line of the points, dashed to a point that is not over. The line of the period before is dashed, too.
 */
export function Course({ points, x, y }: CourseProps) {
  const shape = line<SeriesPoint>(
    (point) => x(points.indexOf(point)),
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
  const last = points.at(-1);
  const open = last?.is_open ? last : undefined;
  const over = open === undefined ? [...points] : points.slice(0, -1);
  return (
    <>
      <path d={shade([...points]) ?? ""} className="fill-accent-line/8" />
      <path
        d={earlier([...points]) ?? ""}
        className="fill-none stroke-muted"
        strokeWidth="1.5"
        strokeDasharray="3 4"
      />
      <path
        d={shape(over) ?? ""}
        className="fill-none stroke-accent-line"
        strokeWidth="2"
        strokeLinejoin="round"
      />
      {open !== undefined && (
        <g data-open>
          <path
            d={shape(points.slice(-2)) ?? ""}
            className="fill-none stroke-accent-line"
            strokeWidth="2"
            strokeDasharray="2 4"
            strokeLinecap="round"
          />
          <circle
            cx={x(points.length - 1)}
            cy={y(open.value)}
            r="3"
            className="fill-page stroke-accent-line"
            strokeWidth="1.5"
          />
        </g>
      )}
    </>
  );
}
