import type { PointerEvent } from "react";
import { MARGIN } from "./margin.ts";

export interface CursorInputProps {
  title: string;
  /** The index of the point; null: none is chosen. */
  cursor: number | null;
  onMove: (cursor: number | null) => void;
  /** The number of points. */
  count: number;
  /** The value of the point, for screen readers. */
  text: string;
  /** The width of the axis. */
  left: number;
  width: number;
  height: number;
}

/** A range input over a chart, which moves its cursor. */
export function CursorInput({ title, cursor, onMove, count, text, left, width, height }: CursorInputProps) {
  const last = Math.max(count - 1, 0);
  const follow = (event: PointerEvent<HTMLInputElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    const part = (event.clientX - box.left) / box.width;
    onMove(Math.max(0, Math.min(count - 1, Math.round(part * (count - 1)))));
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
