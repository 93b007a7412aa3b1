import { daysBetween, type GetTotals, type Totals } from "@findersfee/contract/analytics";
import type { TotalsFilter, TotalsRow } from "@findersfee/database/totals/periods";
import type { Context } from "../context.ts";
import { toMajor } from "../money.ts";

const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;

/** The filter of a query's statement; amounts are in the organization's currency by default. */
export function filterOf({ organization }: Context, query: GetTotals): TotalsFilter {
  const { from, until, currency = organization.currency, campaign_id = null } = query;
  return { from, until, currency, campaign_id };
}

/** The first day of the period before a range that is as long. */
export function previousStart({ from, until }: Pick<GetTotals, "until" | "from">): string {
  const days = daysBetween(from, until);
  return new Date(Date.parse(from) - days * DAY_MILLISECONDS).toISOString().slice(0, 10);
}

export function viewTotals(row: TotalsRow, currency: string): Totals {
  return {
    clicks: Number(row.clicks),
    signups: Number(row.signups),
    conversions: Number(row.conversions),
    revenue_amount: toMajor(row.revenue_minor, currency),
    commission_amount: toMajor(row.commission_minor, currency),
    lost_amount: toMajor(row.lost_minor, currency),
  };
}
