import { formatCount } from "@findersfee/ui/formats/counts";
import { type PointerEvent, useState } from "react";
import type { DeliveryCounts } from "../deliveries/queries.ts";
import type { Range } from "./queries.ts";
import { texts } from "./texts.ts";

const HEIGHT = 64;
const HOUR_MILLISECONDS = 3_600_000;

interface FailureHoursProps {
  hours: DeliveryCounts["hours"];
  range: Range;
  onRange: (range: Range) => void;
}

/** Failed deliveries by the hours of their events. Dragging over them chooses a range; the fields below do the same by keys. */
export function FailureHours({ hours, range, onRange }: FailureHoursProps) {
  const [start, setStart] = useState<number | null>(null);
  const highest = Math.max(1, ...hours.map(({ failed }) => failed));
  const sum = formatCount(hours.reduce((all, { failed }) => all + failed, 0));
  const first = Date.parse(hours[0]?.hour ?? "");
  const positionOf = (at: string) =>
    Math.max(0, Math.min(hours.length, (Date.parse(at) - first) / HOUR_MILLISECONDS));
  const hourAt = (event: PointerEvent<SVGSVGElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    const index = Math.floor(((event.clientX - box.left) / box.width) * hours.length);
    return Math.max(0, Math.min(hours.length - 1, index));
  };
  const choose = (from: number, to: number) => {
    const at = (index: number) => new Date(first + index * HOUR_MILLISECONDS).toISOString();
    onRange({ from: at(Math.min(from, to)), until: at(Math.max(from, to) + 1) });
  };
  const [left, right] = [positionOf(range.from), positionOf(range.until)];
  return (
    <svg
      role="img"
      aria-label={`${texts.failures}. ${texts.failures_summary(sum)}`}
      width="100%"
      height={HEIGHT}
      viewBox={`0 0 ${hours.length} ${HEIGHT}`}
      preserveAspectRatio="none"
      className="block cursor-crosshair touch-none rounded-control bg-sunk"
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        setStart(hourAt(event));
        choose(hourAt(event), hourAt(event));
      }}
      onPointerMove={(event) => start !== null && choose(start, hourAt(event))}
      onPointerUp={() => setStart(null)}
    >
      <rect x={left} y="0" width={Math.max(0, right - left)} height={HEIGHT} className="fill-accent/15" />
      {hours.map(({ hour, failed }, index) => {
        const height = failed === 0 ? 0 : Math.max(3, ((HEIGHT - 4) * failed) / highest);
        return (
          <rect
            key={hour}
            x={index + 0.1}
            y={HEIGHT - height}
            width="0.8"
            height={height}
            className="fill-bad"
          />
        );
      })}
    </svg>
  );
}
