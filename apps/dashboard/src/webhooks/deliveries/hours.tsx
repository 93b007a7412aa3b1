import type { DeliveryCounts } from "./queries.ts";
import { texts } from "./texts.ts";

const HEIGHT = 32;
const STEP = 8;
const KINDS = ["delivered", "retrying", "failed"] as const;
const FILLS = { delivered: "fill-accent", retrying: "fill-warn", failed: "fill-bad" };
const DOTS = { delivered: "bg-accent", retrying: "bg-warn", failed: "bg-bad" };
const LEGEND = ["delivered", "failed", "retrying"] as const;

/** The events of the last day by hour and state of their deliveries. */
export function DeliveryHours({ counts: { hours, is_complete } }: { counts: DeliveryCounts }) {
  const highest = Math.max(1, ...hours.map((hour) => hour.delivered + hour.retrying + hour.failed));
  const sumOf = (kind: (typeof KINDS)[number]) => {
    const sum = hours.reduce((all, hour) => all + hour[kind], 0);
    return texts.sum(sum, !is_complete && sum > 0);
  };
  const legend = LEGEND.map((kind) => ({ kind, text: texts.day_sum[kind](sumOf(kind)) }));
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 pt-4 pb-2 text-table">
      <svg
        role="img"
        aria-label={`${texts.last_day}: ${legend.map(({ text }) => text).join(", ")}`}
        width={hours.length * STEP}
        height={HEIGHT}
        className="shrink-0"
      >
        <line x1="0" x2={hours.length * STEP} y1={HEIGHT - 0.5} y2={HEIGHT - 0.5} className="stroke-rule" />
        {hours.map((hour, index) => {
          let below = 0;
          return KINDS.map((kind) => {
            const height = ((HEIGHT - 2) * hour[kind]) / highest;
            below += height;
            return (
              <rect
                key={`${hour.hour} ${kind}`}
                x={index * STEP + 1}
                width={STEP - 2}
                y={HEIGHT - 1 - below}
                height={height}
                className={FILLS[kind]}
              />
            );
          });
        })}
      </svg>
      <p className="flex flex-wrap gap-x-4">
        <span className="text-muted">{texts.last_day}</span>
        {legend.map(({ kind, text }) => (
          <span key={kind} className="inline-flex items-center gap-1.5">
            <span aria-hidden className={`size-2 rounded-full ${DOTS[kind]}`} />
            {text}
          </span>
        ))}
      </p>
    </div>
  );
}
