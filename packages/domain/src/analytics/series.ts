import type { GetSeries, Series } from "@findersfee/contract/analytics";
import { listTotalsSeries } from "@findersfee/database/totals/periods";
import type { Context } from "../context.ts";
import { filterOf, viewTotals } from "./range.ts";

/** The totals of each hour, day, week or month of a range, in the organization's time zone. */
export async function getSeries(context: Context, query: GetSeries): Promise<Series> {
  const filter = filterOf(context, query);
  const { database, organization } = context;
  const rows = await listTotalsSeries(database, organization.id, { ...filter, unit: query.unit });
  const { currency } = filter;
  const points = rows.map((row) => ({
    starts_at: row.starts_at.toISOString(),
    ...viewTotals(row, currency),
  }));
  return { currency, points };
}
