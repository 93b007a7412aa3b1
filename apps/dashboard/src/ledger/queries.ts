import { queryOptions } from "@tanstack/react-query";
import type { Session } from "../session/session.tsx";

export type Adjustment = Awaited<ReturnType<Session["api"]["adjustments"]["list"]["query"]>>["data"][number];

/** More are in the ledger of the affiliate. */
const SHOWN_ADJUSTMENTS = 10;

/** The latest adjustments of an affiliate, or of a commission. */
export function adjustmentsQuery(
  { api, organization }: Session,
  of: { affiliate_id: string } | { commission_id: string },
) {
  return queryOptions({
    queryKey: [organization.id, "adjustments", of],
    queryFn: async ({ signal }) => {
      const { data, pagination } = await api.adjustments.list.query(
        { ...of, cursor: "", limit: SHOWN_ADJUSTMENTS },
        { signal },
      );
      return { adjustments: data, has_more: pagination.has_more };
    },
  });
}

export function balancesQuery({ api, organization }: Session, affiliate_id: string) {
  return queryOptions({
    queryKey: [organization.id, "balances", affiliate_id],
    queryFn: ({ signal }) => api.dashboard.balances.list.query({ affiliate_id }, { signal }),
  });
}
