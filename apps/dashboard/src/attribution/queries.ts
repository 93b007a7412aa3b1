import { keepPreviousData, queryOptions } from "@tanstack/react-query";
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
  const { text, after, before, affiliate, processor } = search;
  const input = {
    limit: Number(search.rows ?? 50),
    text,
    after,
    before,
    outcomes: chosenOutcomes(search.outcome),
    affiliate_id: affiliate,
    processor: processor === "stripe" || processor === "generic" ? processor : undefined,
    paid_from: startOfPeriod(search.period),
    paid_until: endOfPeriod(search.period),
  } as const;
  return queryOptions({
    queryKey: [organization.id, "payments", "list", input],
    queryFn: ({ signal }) => api.dashboard.payments.list.query(input, { signal }),
    placeholderData: keepPreviousData,
  });
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
