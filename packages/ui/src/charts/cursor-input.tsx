import type { PointerEvent } from "react";
import { MARGIN } from "./margin.ts";
import { pointAt } from "./scale.ts";

export interface CursorInputProps {
  title: string;
  /** The index of the point; null: none is chosen. */
  cursor: number | null;
  onMove: (cursor: number | null) => void;
  /** The number of points. */
  count: number;
  as_bars: boolean;
  /** The value of the point, for screen readers. */
  text: string;
  /** The width of the axis. */
  left: number;
  width: number;
  height: number;
}

/** A range input over a chart, which moves its cursor. */
export function CursorInput(props: CursorInputProps) {
  const { title, cursor, onMove, count, as_bars, text, left, width, height } = props;
  const last = Math.max(count - 1, 0);
  const follow = (event: PointerEvent<HTMLInputElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    const part = (event.clientX - box.left) / box.width;
    onMove(pointAt(part, count, as_bars));
  };
  return (
    <input
      type="range"
      min={0}
      max={last}
      value={cursor ?? last}
      aria-label={title}
      aria-valuetext={text}
      onChange={(event) => onMove(Number(event.target.value))}
      onFocus={() => onMove(cursor ?? count - 1)}
      onBlur={() => onMove(null)}
      onPointerMove={follow}
      onPointerLeave={() => onMove(null)}
      className="absolute cursor-crosshair opacity-0"
      style={{
        top: MARGIN.top,
        left,
        width: Math.max(width - left - MARGIN.right, 0),
        height: height - MARGIN.top - MARGIN.bottom,
      }}
    />
  );
}
