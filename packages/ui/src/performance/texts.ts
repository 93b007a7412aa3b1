import type { PerformanceDimension } from "@findersfee/contract/reports/performance";
import type { Metric, NamedPeriod, Unit } from "./search.ts";

/** The texts of the report. */
export interface PerformanceTexts {
  period: string;
  periods: Record<NamedPeriod, string>;
  other_days: string;
  first_day: string;
  last_day: string;
  /** `Nov 1 – Nov 28`. */
  range: (first: string, last: string) => string;
  since_ever: string;
  compared: (range: string) => string;
  metrics: Record<Metric, string>;
  /** The explanation of a metric, in a sentence. */
  metric_hints: Record<Metric, string>;
  totals: string;
  /** The totals belong to the rows that a search found. */
  totals_found: string;
  from: (before: string) => string;
  /** There was nothing before. */
  is_new: string;
  up: string;
  down: string;
  chart: (metric: string) => string;
  summary: (total: string, before: string | null) => string;
  unit: string;
  units: Record<Unit, string>;
  zone: (time_zone: string, currency: string | null) => string;
  everything: string;
  by: string;
  dimensions: Record<PerformanceDimension, string>;
  /** The header of the first column. */
  names: Record<PerformanceDimension, string>;
  search: Record<PerformanceDimension, string>;
  none: Record<PerformanceDimension, string>;
  other: Record<PerformanceDimension, string>;
  other_hint: string;
  nameless: string;
  sort_by: string;
  most_first: string;
  least_first: string;
  show_line: (name: string) => string;
  too_many_lines: (most: string) => string;
  chosen_lines: (count: string) => string;
  clear_lines: string;
  export: string;
  place: (first: string, last: string, all: string) => string;
  before_page: string;
  next_page: string;
  nothing: string;
  nothing_hint: string;
  nothing_ever: string;
  nothing_ever_hint: string;
  nothing_matches: (text: string) => string;
  clear_search: string;
  /** Why no row has a value. */
  no_values: Partial<Record<PerformanceDimension, string>>;
  loading: string;
}
