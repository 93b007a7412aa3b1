import type { OwnPerformance, PerformanceDimension } from "@findersfee/contract/reports/performance";
import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { Suspense } from "react";
import { Card } from "../components/card.tsx";
import { Progress, SkeletonRows } from "../components/skeleton.tsx";
import { lazyPart } from "../requests/lazy-part.ts";
import { useTexts } from "../texts.tsx";
import { type PerformanceSource, type ReportState, SourceProvider, useSource } from "./context.ts";
import { nameOfRow, searchInput } from "./formats.ts";
import { Periods } from "./periods.tsx";
import {
  METRICS,
  PAGE_ROWS,
  periodInput,
  rangeOf,
  readLines,
  readSkip,
  type SeriesQuery,
  unitOf,
  unitsOf,
} from "./search.ts";
import { Tiles } from "./tiles.tsx";

// The lower part of the page comes after the first paint.
const Chart = lazyPart(() => import("./chart.tsx"), "Chart");
const TableSection = lazyPart(() => import("./table-section.tsx"), "TableSection");

/** The totals by affiliate, link, country and so on, each with its change from the period before, and their course. */
export function PerformanceReport<Dimension extends PerformanceDimension>({
  source,
}: {
  source: PerformanceSource<Dimension>;
}) {
  return (
    // Its requests have its own dimensions alone.
    <SourceProvider value={source as unknown as PerformanceSource}>
      <div className="@container grid grid-cols-[minmax(0,1fr)] gap-4 pt-2 pb-12">
        <Report />
      </div>
    </SourceProvider>
  );
}

function Report() {
  const source = useSource();
  const { texts, search, today, query_key, readTable, failure, useUsable } = source;
  const { locale } = useTexts();
  const state = stateOf(source, locale);
  const { table } = state;
  const offset = readSkip(search.skip);
  const query = useQuery({
    queryKey: [...query_key, "table", table, offset],
    queryFn: ({ signal }) => readTable({ ...table, limit: PAGE_ROWS, offset }, signal),
    placeholderData: keepPreviousData,
    refetchInterval: 60_000,
  });
  const { data, error, refetch, isPlaceholderData } = query;
  useUsable(isPlaceholderData ? undefined : data);
  return (
    <>
      <div>
        <Periods range={rangeOf(search.period, today)} />
        <Progress busy={isPlaceholderData} />
      </div>
      {error !== null && failure(error, () => void refetch())}
      {data === undefined ? (
        error === null && <SkeletonRows rows={8} label={texts.loading} />
      ) : (
        <>
          <Tiles performance={data} chosen={state.metric} />
          <ChartCard performance={data} state={state} />
          <Suspense>
            <TableSection performance={data} state={state} offset={offset} busy={isPlaceholderData} />
          </Suspense>
        </>
      )}
    </>
  );
}

function stateOf(
  { search, today, currency, dimensions, metrics, first_metric }: PerformanceSource,
  locale: string,
): ReportState {
  const shown = (name: string | undefined) =>
    metrics.find((metric) => metric === name) ??
    metrics.find((metric) => metric === first_metric) ??
    METRICS[0];
  const dimension = dimensions.find((one) => one === search.by) ?? dimensions[0] ?? "link";
  return {
    dimension,
    metric: shown(search.metric),
    lines: readLines(search.lines),
    table: {
      dimension,
      ...periodInput(rangeOf(search.period, today)),
      currency,
      sort: shown(search.sort),
      direction: search.order === "asc" ? "asc" : "desc",
      ...searchInput(search.text, dimension, locale),
    },
  };
}

function ChartCard({ performance, state }: { performance: OwnPerformance; state: ReportState }) {
  const { texts, search, today, query_key, readSeries, failure } = useSource();
  const { lines, metric, dimension, table } = state;
  const range = rangeOf(search.period, today);
  const units = unitsOf(range);
  const unit = unitOf(search.unit, range, units);
  const { sort: _, direction: __, search: ___, search_languages: ____, ...period } = table;
  const input: SeriesQuery<PerformanceDimension> = {
    ...period,
    unit,
    ...(lines.length === 0 ? {} : { keys: [...lines] }),
  };
  const { data, error, refetch, isPlaceholderData } = useQuery({
    // The line of everything is the same for all dimensions.
    queryKey: [...query_key, "series", lines.length === 0 ? { ...input, dimension: null } : input],
    queryFn: ({ signal }) => readSeries(input, signal),
    placeholderData: keepPreviousData,
    refetchInterval: 60_000,
  });
  const nameOf = useNames(dimension);
  return (
    <Card>
      {error !== null && failure(error, () => void refetch())}
      {data === undefined ? (
        error === null && <SkeletonRows rows={6} label={texts.loading} />
      ) : (
        <div {...(isPlaceholderData ? { "aria-busy": true } : {})}>
          <Suspense fallback={<div className="h-70" />}>
            <Chart series={data} {...{ performance, range, metric, unit, units, nameOf }} />
          </Suspense>
        </div>
      )}
    </Card>
  );
}

/** The name of a row by its key: as in a table that was loaded, else the key's own text. */
function useNames(dimension: PerformanceDimension): (key: string) => string {
  const { texts, query_key } = useSource();
  const { locale } = useTexts();
  const client = useQueryClient();
  return (key) => {
    const tables = client.getQueriesData<OwnPerformance>({ queryKey: [...query_key, "table"] });
    const known = tables.flatMap(([, table]) => table?.rows ?? []).find((row) => row.key === key);
    const kind = key === "none" || key === "other" ? key : "value";
    return nameOfRow(known ?? { kind, value: key.slice(1), name: null }, dimension, { texts, locale });
  };
}
