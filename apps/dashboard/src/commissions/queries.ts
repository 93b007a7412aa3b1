import type { CommissionState } from "@findersfee/contract/commissions/rows";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { type Counts, countQuery } from "../lists/count-query.ts";
import { endOfPeriod, type ListField, type Search, startOfPeriod } from "../lists/search.ts";
import type { Session } from "../session/session.tsx";

export type CommissionSearch = Search<ListField | "status" | "affiliate" | "campaign" | "payout" | "kind">;

export type CommissionRow = Awaited<
  ReturnType<Session["api"]["dashboard"]["commissions"]["list"]["query"]>
>["data"][number];

export type Story = Awaited<ReturnType<Session["api"]["dashboard"]["commissions"]["story"]["query"]>>;

export function commissionsQuery({ api, organization }: Session, search: CommissionSearch) {
  const { after, before } = search;
  const input = { limit: Number(search.rows ?? 50), after, before, ...commissionFilters(search) };
  return queryOptions({
    queryKey: [organization.id, "commissions", "list", input],
    queryFn: ({ signal }) => api.dashboard.commissions.list.query(input, { signal }),
    placeholderData: keepPreviousData,
  });
}

/** The filters of the address, for the list and its export. */
export function commissionFilters(search: CommissionSearch) {
  const { text, affiliate, campaign, payout, kind } = search;
  return {
    text,
    // The router let only these values through.
    state: search.status as CommissionState | undefined,
    affiliate_id: affiliate,
    campaign_id: campaign,
    payout_id: payout,
    reversal: kind === undefined ? undefined : kind === "reversals",
    paid_from: startOfPeriod(search.period),
    paid_until: endOfPeriod(search.period),
  };
}

export function commissionCounts(session: Session, search: CommissionSearch): Counts {
  const { commissions } = session.api.dashboard;
  const of = (filters: Partial<ReturnType<typeof commissionFilters>>) =>
    countQuery(session, { area: "commissions", filters, count: commissions.count.query });
  return { matching: of(commissionFilters(search)), all: of({}) };
}

export type CustomerPayment = Awaited<
  ReturnType<Session["api"]["dashboard"]["commissions"]["customer_payments"]["query"]>
>["payments"][number];

/** The payments of a customer, for a manual commission. */
export function customerPaymentsQuery(
  { api, organization }: Session,
  input: { affiliate_id: string; customer_email: string },
) {
  return queryOptions({
    queryKey: [organization.id, "payments", "of_customer", input],
    queryFn: ({ signal }) => api.dashboard.commissions.customer_payments.query(input, { signal }),
  });
}

export function storyQuery({ api, organization }: Session, id: string) {
  return queryOptions({
    queryKey: [organization.id, "commissions", "story", id],
    queryFn: ({ signal }) => api.dashboard.commissions.story.query({ id }, { signal }),
  });
}
