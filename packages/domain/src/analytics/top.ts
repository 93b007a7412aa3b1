import type { ListTopAffiliates, TopAffiliates } from "@findersfee/contract/analytics";
import { listTopAffiliates as listRows, type TopOrder } from "@findersfee/database/totals/periods";
import type { Context } from "../context.ts";
import { filterOf, viewTotals } from "./range.ts";

const ORDERS: Record<ListTopAffiliates["order"], TopOrder> = {
  revenue: "revenue_minor",
  commission: "commission_minor",
  clicks: "clicks",
};

/** The affiliates with the most revenue, commission or clicks in a range of days. */
export async function listTopAffiliates(context: Context, query: ListTopAffiliates): Promise<TopAffiliates> {
  const filter = filterOf(context, query);
  const { order, limit } = query;
  const rows = await listRows(context.database, context.organization.id, {
    ...filter,
    order: ORDERS[order],
    limit,
  });
  const affiliates = rows.map(({ id, email, first_name, last_name, ...row }) => ({
    affiliate: { id, email, first_name, last_name },
    ...viewTotals(row, filter.currency),
  }));
  return { currency: filter.currency, affiliates };
}
