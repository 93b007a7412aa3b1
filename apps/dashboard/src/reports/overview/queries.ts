import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { Session } from "../../session/session.tsx";
import { rangeOf, unitOf } from "./range.ts";
import type { OverviewSearch } from "./search.ts";

type Dashboard = Session["api"]["dashboard"];

export type Overview = Awaited<ReturnType<Dashboard["analytics"]["overview"]["query"]>>;
export type BalanceTotals = Awaited<ReturnType<Dashboard["balances"]["totals"]["query"]>>;

/* Each card has a request of its own, so that one that fails leaves the others. All begin at once. */

export function overviewQuery({ api, organization }: Session, search: OverviewSearch) {
  const range = rangeOf(search.period, organization.time_zone);
  const input = {
    from: range.from,
    until: range.until,
    unit: unitOf(search.unit, range),
    currency: search.currency ?? organization.currency,
    campaign_id: search.campaign,
  };
  return queryOptions({
    queryKey: [organization.id, "overview", input],
    queryFn: ({ signal }) => api.dashboard.analytics.overview.query(input, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: 60_000,
  });
}

export function balanceTotalsQuery({ api, organization }: Session) {
  return queryOptions({
    queryKey: [organization.id, "balances", "totals"],
    queryFn: ({ signal }) => api.dashboard.balances.totals.query(undefined, { signal }),
    refetchInterval: 60_000,
  });
}

/** The balances in all currencies, converted to the organization's. */
export function convertedBalancesQuery({ api, organization }: Session) {
  return queryOptions({
    queryKey: [organization.id, "balances", "converted"],
    queryFn: ({ signal }) => api.dashboard.balances.converted.query(undefined, { signal }),
    refetchInterval: 60_000,
  });
}
