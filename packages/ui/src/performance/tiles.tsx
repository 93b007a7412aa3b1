import type { OwnPerformance } from "@findersfee/contract/reports/performance";
import { useTexts } from "../texts.tsx";
import { MetricChange } from "./change.tsx";
import { useSource } from "./context.ts";
import { formatMetric, formatMetricShort } from "./formats.ts";
import type { Metric } from "./search.ts";

/** The totals of all rows. Each tile chooses the chart below. */
export function Tiles({ performance, chosen }: { performance: OwnPerformance; chosen: Metric }) {
  const { texts, metrics, search, change } = useSource();
  const { locale } = useTexts();
  const { present, previous, currency } = performance;
  const format = { locale, currency };
  return (
    <section
      aria-label={search.text === undefined ? texts.totals : texts.totals_found}
      className="grid gap-2"
    >
      {search.text !== undefined && <p className="text-table text-muted">{texts.totals_found}</p>}
      <div className="grid grid-cols-2 gap-2 @2xl:grid-cols-4 @5xl:grid-cols-8">
        {metrics.filter(hasTile).map((metric) => (
          <button
            key={metric}
            type="button"
            aria-pressed={metric === chosen}
            title={texts.metric_hints[metric]}
            onClick={() => change({ metric })}
            className="grid min-w-0 content-start justify-items-start rounded-card border border-line px-2.5 py-2 text-left hover:bg-hover aria-pressed:border-accent-line aria-pressed:bg-pick"
          >
            <span className="max-w-full text-table text-muted hyphens-auto wrap-anywhere">
              {texts.metrics[metric]}
            </span>
            <span className="flex max-w-full flex-wrap items-baseline gap-x-2">
              <span
                className="text-lead font-medium tabular-nums @2xl:text-title"
                title={formatMetric(metric, present[metric], format)}
              >
                {formatMetricShort(metric, present[metric], format)}
              </span>
              <span className="text-meta text-muted tabular-nums">
                <MetricChange metric={metric} now={present[metric]} before={previous?.[metric]} />
              </span>
              {metric === "lost_amount" && (
                <span className="text-meta text-muted tabular-nums">
                  {texts.metrics.refunds}: {formatMetric("refunds", present.refunds, format)}
                </span>
              )}
            </span>
          </button>
        ))}
      </div>
    </section>
  );
}

/** The number of refunds is beside their amount. */
function hasTile(metric: Metric): boolean {
  return metric !== "refunds";
}
