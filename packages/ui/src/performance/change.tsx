import { changeOf, formatChange } from "../formats/changes.ts";
import { useTexts } from "../texts.tsx";
import { useSource } from "./context.ts";
import { formatMetric } from "./formats.ts";
import type { Metric } from "./search.ts";

/** The change of a metric from the period before, with that in its tooltip. Nothing if there is nothing to compare. */
export function MetricChange({
  metric,
  now,
  before,
  is_small = false,
}: {
  metric: Metric;
  now: number | null;
  before: number | null | undefined;
  /** Omits the word “new” for a number that was 0 before. */
  is_small?: boolean;
}) {
  const { texts, currency } = useSource();
  const { locale } = useTexts();
  if (before === undefined || before === null || now === null || (now === 0 && before === 0)) return null;
  const change = changeOf(now, before);
  const title = texts.from(formatMetric(metric, before, { locale, currency }));
  if (change === null) return before === 0 && !is_small ? <span title={title}>{texts.is_new}</span> : null;
  const { direction, percent } = change;
  return (
    <span title={title} className="whitespace-nowrap">
      {direction !== "same" && (
        <>
          <span aria-hidden>{direction === "up" ? "▲" : "▼"} </span>
          <span className="sr-only">{direction === "up" ? texts.up : texts.down} </span>
        </>
      )}
      {formatChange(percent, locale)}
    </span>
  );
}
