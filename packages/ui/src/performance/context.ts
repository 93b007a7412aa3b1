import type {
  OwnPerformance,
  OwnPerformanceRow,
  OwnPerformanceSeries,
  PerformanceDimension,
} from "@findersfee/contract/reports/performance";
import { createContext, type ReactNode, useContext } from "react";
import type { PerformanceSearch } from "./fields.ts";
import type { Metric, SeriesQuery, TableQuery } from "./search.ts";
import type { PerformanceTexts } from "./texts.ts";

export type PerformanceChanges = { [Field in keyof PerformanceSearch]?: string | undefined };

/** The source of a report's totals, and the state in its address. */
export interface PerformanceSource<Dimension extends PerformanceDimension = PerformanceDimension> {
  texts: PerformanceTexts;
  /** Those that can be shown, in their order; the first unless another is chosen. */
  dimensions: readonly Dimension[];
  /** The columns, in their order. */
  metrics: readonly Metric[];
  /** The metric of the chart and of the order, unless others are chosen. */
  first_metric: Metric;
  search: PerformanceSearch;
  hrefWith: (changes: PerformanceChanges) => string;
  change: (changes: PerformanceChanges) => void;
  /** The day in the organization's time zone. */
  today: string;
  time_zone: string;
  /** The organization's currency, or the chosen one. */
  currency: string;
  /** Beginning of the keys of its requests. */
  query_key: readonly unknown[];
  readTable: (
    query: TableQuery<Dimension> & { limit: number; offset: number },
    signal: AbortSignal,
  ) => Promise<OwnPerformance>;
  readSeries: (query: SeriesQuery<Dimension>, signal: AbortSignal) => Promise<OwnPerformanceSeries>;
  /** Saves the file of the table; undefined where nobody may. */
  saveFile?: (query: TableQuery<Dimension>) => Promise<void>;
  failure: (error: unknown, retry: () => void) => ReactNode;
  /** The page of a row. */
  linkTo?: (row: OwnPerformanceRow, dimension: Dimension) => string | null;
  /** Beside the button for the file, for example a choice of the currency. */
  controls?: ReactNode;
  /** Below the text that nothing has ever happened. */
  first_step?: ReactNode;
  /** A hook, which marks the time at which content has arrived. */
  useUsable: (content: unknown) => void;
}

const SourceContext = createContext<PerformanceSource | null>(null);

export const SourceProvider = SourceContext.Provider;

export function useSource(): PerformanceSource {
  const source = useContext(SourceContext);
  if (source === null) throw new Error("this is a part of a report");
  return source;
}

/** The report's state in the address. */
export interface ReportState {
  dimension: PerformanceDimension;
  metric: Metric;
  /** The keys of the chosen rows. */
  lines: readonly string[];
  table: TableQuery<PerformanceDimension>;
}
