import { TimeSeries } from "@findersfee/ui/charts/time-series";
import { Card, Tile } from "@findersfee/ui/components/card";
import { Segments } from "@findersfee/ui/components/segments";
import { SkeletonRows } from "@findersfee/ui/components/skeleton";
import { Change, Money, useClock } from "@findersfee/ui/components/values";
import { type Clock, formatDay, formatMonth } from "@findersfee/ui/formats/dates";
import { formatMoney, formatMoneyShort } from "@findersfee/ui/formats/money";
import type { UseQueryResult } from "@tanstack/react-query";
import { texts as frame_texts } from "../frame/texts.ts";
import { FailureNotice } from "../requests/failure-notice.tsx";
import { useSession } from "../session/session.tsx";
import type { Overview } from "./queries.ts";
import { SERIES, type SeriesName, UNITS, type Unit } from "./search.ts";
import { texts } from "./texts.ts";

type Totals = Overview["present"];

const totalOf = (totals: Totals, series: SeriesName): number =>
  series === "revenue"
    ? totals.revenue_amount
    : series === "commission"
      ? totals.commission_amount
      : totals[series];

/** Amounts from here on are shortened in tiles. */
const SHORTENED = 100_000;

const isMoney = (series: SeriesName) => series === "revenue" || series === "commission";

function formatValue(value: number, series: SeriesName, currency: string): string {
  return isMoney(series) ? formatMoney(value, currency) : texts.count(value);
}

export interface TotalsProps {
  query: UseQueryResult<Overview>;
  series: SeriesName;
  unit: Unit;
  compares: boolean;
  onSeries: (series: SeriesName) => void;
  onUnit: (unit: Unit) => void;
}

/** Tiles, of which each chooses the line of the chart below. */
export function TotalsSection({ query, series, unit, compares, onSeries, onUnit }: TotalsProps) {
  const { data, error, refetch } = query;
  return (
    <section aria-label={texts.totals} className="grid min-w-0 gap-4">
      {error !== null && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {data === undefined ? (
        error === null && <SkeletonRows rows={6} label={frame_texts.loading} />
      ) : (
        <div className="grid gap-4" {...(query.isPlaceholderData ? { "aria-busy": true } : {})}>
          <Tiles overview={data} series={series} compares={compares} onSeries={onSeries} />
          <Card>
            <Chart overview={data} series={series} unit={unit} compares={compares} onUnit={onUnit} />
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
                  <Change now={now} before={before} from={texts.from(formatValue(before, name, currency))} />
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

function Chart({
  overview: { present, previous, points, previous_points, currency },
  series,
  unit,
  compares,
  onUnit,
}: Pick<TotalsProps, "series" | "unit" | "compares" | "onUnit"> & { overview: Overview }) {
  const { organization } = useSession();
  const clock = useClock();
  const format = (value: number) => formatValue(value, series, currency);
  const lines = points.map((point, index) => {
    const before = previous_points[index];
    return {
      label: labelOf(point.day, unit, clock),
      value: totalOf(point, series),
      ...(compares && before !== undefined ? { before: totalOf(before, series) } : {}),
    };
  });
  return (
    <TimeSeries
      title={texts.series[series]}
      summary={texts.summary(
        format(totalOf(present, series)),
        compares ? format(totalOf(previous, series)) : null,
      )}
      points={lines}
      formatValue={format}
      formatTick={(value) => (isMoney(series) ? formatMoneyShort(value, currency) : texts.count(value))}
      caption={texts.zone(organization.time_zone, currency)}
      controls={
        <Segments
          label={texts.unit}
          segments={UNITS.map((value) => ({ value, label: texts.units[value] }))}
          chosen={unit}
          onChoose={onUnit}
        />
      }
    />
  );
}

/** The days are dates of the organization's zone, and not moments. */
function labelOf(day: string, unit: Unit, clock: Clock): string {
  const utc = { ...clock, time_zone: "UTC" };
  return unit === "month" ? formatMonth(new Date(day), utc) : formatDay(new Date(day), utc);
}
