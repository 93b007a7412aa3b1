import type { GetTotals, TotalsComparison } from "@findersfee/contract/analytics";
import { sumTotals } from "@findersfee/database/totals/periods";
import type { Context } from "../context.ts";
import { filterOf, previousStart, viewTotals } from "./range.ts";

/** The totals of a range of days, and of as many days before it. */
export async function getTotals(context: Context, query: GetTotals): Promise<TotalsComparison> {
  const filter = filterOf(context, query);
  const { present, previous } = await sumTotals(context.database, context.organization.id, {
    ...filter,
    from: previousStart(query),
    middle: query.from,
  });
  const { currency } = filter;
  return { currency, present: viewTotals(present, currency), previous: viewTotals(previous, currency) };
}
