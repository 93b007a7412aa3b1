import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { Session } from "../../session/session.tsx";
import { type CampaignDraft, payingOf } from "./draft.ts";

/** While somebody edits, so that they soon see the changes of others. */
const WATCHED_MILLISECONDS = 15_000;

export function editedQuery({ api, organization }: Session, id: string) {
  return queryOptions({
    queryKey: [organization.id, "campaigns", "edited", id],
    queryFn: ({ signal }) => api.dashboard.campaigns.get.query({ id }, { signal }),
    refetchInterval: WATCHED_MILLISECONDS,
  });
}

/** More months are not shown one by one. */
const MOST_PAYMENTS = 37;
const WITHOUT_LIMIT = 12;

/** The schedule of a customer who pays each month from today on. */
export function scheduleQuery(
  { api, organization }: Session,
  { draft, price, product_id }: { draft: CampaignDraft; price: number | null; product_id: string },
) {
  const paying = payingOf(draft);
  const limit = paying.limit_amount ?? WITHOUT_LIMIT - 1;
  const count = Number.isInteger(limit) && limit > 0 ? Math.min(limit + 1, MOST_PAYMENTS) : WITHOUT_LIMIT;
  const payments = Array.from({ length: count }, (_, month) => ({
    paid_at: monthsFrom(today(), month),
    revenue_amount: price ?? 0,
    ...(product_id === "" ? {} : { product_id }),
  }));
  const input = { draft: paying, payments };
  return queryOptions({
    queryKey: [organization.id, "campaigns", "schedule", input],
    queryFn: ({ signal }) => api.dashboard.campaigns.simulate.query(input, { signal }),
    placeholderData: keepPreviousData,
    enabled: price !== null && price > 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
}

function today(): string {
  return `${new Date().toISOString().slice(0, 10)}T12:00:00.000Z`;
}

/** The same day of a later month, or the last one of a shorter month: as the service counts them. */
function monthsFrom(start: string, months: number): string {
  const first = new Date(start);
  const later = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + months, 1, 12));
  const days = new Date(Date.UTC(later.getUTCFullYear(), later.getUTCMonth() + 1, 0)).getUTCDate();
  later.setUTCDate(Math.min(first.getUTCDate(), days));
  return later.toISOString();
}
