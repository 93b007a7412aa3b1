import { Card, Tile } from "@findersfee/ui/components/card";
import { SkeletonRows } from "@findersfee/ui/components/skeleton";
import { Change, Money } from "@findersfee/ui/components/values";
import { lazyPart } from "@findersfee/ui/requests/lazy-part";
import type { UseQueryResult } from "@tanstack/react-query";
import { Suspense } from "react";
import { FailureNotice } from "../../requests/failure-notice.tsx";
import { texts as shell_texts } from "../../shell/texts.ts";
import { formatShort, isMoney, SHORTENED, totalOf } from "./figures.ts";
import type { Overview } from "./queries.ts";
import { SERIES, type SeriesName, type Unit } from "./search.ts";
import { texts } from "./texts.ts";

/** The tiles do not wait for it. */
const Chart = lazyPart(() => import("./chart.tsx"), "Chart");

export interface TotalsProps {
  query: UseQueryResult<Overview>;
  series: SeriesName;
  unit: Unit;
  compares: boolean;
  onSeries: (series: SeriesName) => void;
  onUnit: (unit: Unit) => void;
}

/** Tiles. Each one chooses the line of the chart below. */
export function TotalsSection({ query, series, unit, compares, onSeries, onUnit }: TotalsProps) {
  const { data, error, refetch } = query;
  return (
    <section aria-label={texts.totals} className="grid min-w-0 gap-4">
      {error !== null && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {data === undefined ? (
        error === null && <SkeletonRows rows={6} label={shell_texts.loading} />
      ) : (
        <div className="grid gap-4" {...(query.isPlaceholderData ? { "aria-busy": true } : {})}>
          <Tiles overview={data} series={series} compares={compares} onSeries={onSeries} />
          <Card>
            <Suspense fallback={<div className="h-70" />}>
              <Chart overview={data} series={series} unit={unit} compares={compares} onUnit={onUnit} />
            </Suspense>
          </Card>
        </div>
      )}
    </section>
  );
}

function Tiles({
  overview: { present, previous, currency },
  series,
  compares,
  onSeries,
}: {
  overview: Overview;
  series: SeriesName;
  compares: boolean;
  onSeries: (series: SeriesName) => void;
}) {
  return (
    <div className="grid grid-cols-2 gap-3 wide:grid-cols-5">
      {SERIES.map((name) => {
        const now = totalOf(present, name);
        const before = totalOf(previous, name);
        return (
          <div key={name} className="grid max-wide:first:col-span-2">
            <Tile
              label={texts.series[name]}
              value={
                isMoney(name) ? (
                  <Money amount={now} currency={currency} short={Math.abs(now) >= SHORTENED} />
                ) : (
                  texts.count(now)
                )
              }
              change={
                compares && (
                  <Change now={now} before={before} from={texts.from(formatShort(before, name, currency))} />
                )
              }
              chosen={name === series}
              onChoose={() => onSeries(name)}
            />
          </div>
        );
      })}
    </div>
  );
}
