import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { type Counts, countQuery } from "../lists/count-query.ts";
import { endOfPeriod, type ListField, type Search, startOfPeriod } from "../lists/search.ts";
import type { Session } from "../session/session.tsx";
import { chosenOutcomes } from "./search.ts";

export type PaymentSearch = Search<ListField | "outcome" | "affiliate" | "processor">;

export type PaymentRow = Awaited<
  ReturnType<Session["api"]["dashboard"]["payments"]["list"]["query"]>
>["data"][number];

export type Explained = Awaited<
  ReturnType<Session["api"]["dashboard"]["payment_decisions"]["explain"]["query"]>
>;

export function paymentsQuery({ api, organization }: Session, search: PaymentSearch) {
  const { after, before } = search;
  const input = { limit: Number(search.rows ?? 50), after, before, ...paymentFilters(search) };
  return queryOptions({
    queryKey: [organization.id, "payments", "list", input],
    queryFn: ({ signal }) => api.dashboard.payments.list.query(input, { signal }),
    placeholderData: keepPreviousData,
  });
}

/** The filters of the address, for the list and its count. */
export function paymentFilters({ text, affiliate, processor, outcome, period }: PaymentSearch) {
  return {
    text,
    outcomes: chosenOutcomes(outcome),
    affiliate_id: affiliate,
    processor: processor === "stripe" || processor === "generic" ? processor : undefined,
    paid_from: startOfPeriod(period),
    paid_until: endOfPeriod(period),
  } as const;
}

export function paymentRowCounts(session: Session, search: PaymentSearch): Counts {
  const { payments } = session.api.dashboard;
  const of = (filters: Partial<ReturnType<typeof paymentFilters>>) =>
    countQuery(session, { area: "payments", filters, count: payments.count.query });
  return { matching: of(paymentFilters(search)), all: of({}) };
}

export function paymentCountsQuery({ api, organization }: Session, period: string | undefined) {
  const input = { paid_from: startOfPeriod(period), paid_until: endOfPeriod(period) };
  return queryOptions({
    queryKey: [organization.id, "payments", "counts", input],
    queryFn: ({ signal }) => api.dashboard.payment_decisions.counts.query(input, { signal }),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
}

export function explanationQuery({ api, organization }: Session, id: string) {
  return queryOptions({
    queryKey: [organization.id, "payments", "explain", id],
    queryFn: ({ signal }) => api.dashboard.payment_decisions.explain.query({ id }, { signal }),
  });
}
