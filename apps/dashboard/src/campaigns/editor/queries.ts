import type { BillingInterval } from "@findersfee/contract/campaigns/rules";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { Session } from "../../session/session.tsx";
import { type CampaignDraft, payingOf } from "./draft.ts";
import type { Example } from "./example.ts";

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

const DAY_MILLISECONDS = 86_400_000;

/** The schedule of a customer who pays at an interval from today on, each month unless a rule asks for another one. */
export function scheduleQuery(
  { api, organization }: Session,
  { draft, price, example }: { draft: CampaignDraft; price: number | null; example: Example },
) {
  const { currency, interval, ...asked } = example;
  const paying = payingOf(draft);
  const payments = datesOf(interval ?? "month", paying).map((paid_at) => ({
    paid_at,
    revenue_amount: price ?? 0,
    ...asked,
    ...(interval !== undefined && { interval }),
  }));
  const input = { draft: paying, payments, ...(currency !== undefined && { currency }) };
  return queryOptions({
    queryKey: [organization.id, "campaigns", "schedule", input],
    queryFn: ({ signal }) => api.dashboard.campaigns.simulate.mutate(input, { signal }),
    placeholderData: keepPreviousData,
    enabled: price !== null && price > 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
}

/** Until the limit is reached, and once more. */
function datesOf(
  interval: BillingInterval,
  { limit_type, limit_amount }: Pick<ReturnType<typeof payingOf>, "limit_type" | "limit_amount">,
): string[] {
  if (interval === "one_time") return [today()];
  const limit = limit_type === "none" || limit_amount === null ? WITHOUT_LIMIT - 1 : limit_amount;
  const is_of_years = limit_type === "months" && interval === "year";
  const needed = (is_of_years ? Math.ceil(limit / 12) : limit) + 1;
  const is_known = Number.isInteger(limit) && limit > 0;
  const count = is_known ? Math.min(needed, MOST_PAYMENTS) : WITHOUT_LIMIT;
  return Array.from({ length: count }, (_, index) => dateAt(interval, index));
}

function dateAt(interval: BillingInterval, index: number): string {
  if (interval === "month") return monthsFrom(today(), index);
  if (interval === "year") return monthsFrom(today(), 12 * index);
  const days = interval === "week" ? 7 * index : index;
  return new Date(Date.parse(today()) + days * DAY_MILLISECONDS).toISOString();
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
