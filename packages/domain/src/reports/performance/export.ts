import {
  type ExportPerformance,
  type OwnPerformance,
  type OwnPerformanceMetrics,
  type PerformanceDimension,
  performanceSorts,
} from "@findersfee/contract/reports/performance";
import { BYTE_ORDER_MARK, type Cell, writeLines } from "../../csv/write-lines.ts";
import { getPerformance, type Program } from "./get.ts";

/** Rows of a file. Tables have fewer: each month gives at most 300 new values of a dimension an id. */
export const MAX_ROWS = 50_000;

/** The rows of the table as CSV, in its order, of one moment. Errors: `not_found` for an unknown scope. */
export async function exportPerformance(program: Program, query: ExportPerformance): Promise<string> {
  const performance = await getPerformance(program, { ...query, limit: MAX_ROWS, offset: 0 });
  return writePerformance(performance, query.dimension);
}

/** A table as CSV. */
export function writePerformance(
  { rows, currency }: OwnPerformance,
  dimension: PerformanceDimension,
): string {
  const header = [
    dimension,
    "name",
    "currency",
    ...performanceSorts,
    ...performanceSorts.map((metric) => `previous_${metric}`),
  ];
  const lines = rows.map(({ kind, value, name, present, previous }): Cell[] => [
    kind === "value" ? (value ?? "") : `(${kind})`,
    name ?? "",
    currency,
    ...cellsOf(present),
    ...(previous === null ? performanceSorts.map(() => "") : cellsOf(previous)),
  ]);
  return BYTE_ORDER_MARK + writeLines([header, ...lines]);
}

function cellsOf(metrics: OwnPerformanceMetrics): Cell[] {
  return performanceSorts.map((metric) => ({ exact: metrics[metric]?.toString() ?? "" }));
}
