import type { AffiliateState, Agreement } from "@findersfee/contract/affiliates/rows";
import type { PortalLanguage } from "@findersfee/contract/portal/join-paths";
import {
  type InfiniteData,
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  type UseInfiniteQueryResult,
} from "@tanstack/react-query";
import { type Counts, countQuery } from "../lists/count-query.ts";
import { endOfPeriod, type ListField, type Search, startOfPeriod } from "../lists/search.ts";
import type { Session } from "../session/session.tsx";

export type AffiliateSearch = Search<
  ListField | "status" | "agreement" | "campaign" | "tag" | "tier" | "balance" | "sort"
>;

type Procedures = Session["api"]["dashboard"]["affiliates"];

export type AffiliateRow = Awaited<ReturnType<Procedures["list"]["query"]>>["data"][number];

export type Application = Awaited<ReturnType<Procedures["waiting"]["query"]>>["data"][number];

export type Detail = Awaited<ReturnType<Procedures["get"]["query"]>>;

/** The filters of the list, as its export takes them, too. */
function filtersOf({ text, campaign, tag, tier, status, agreement, period, balance }: AffiliateSearch) {
  return {
    text,
    // The router let only these values through.
    state: status as AffiliateState | undefined,
    agreement: agreement as Agreement | undefined,
    campaign_id: campaign,
    tag,
    tier_id: tier,
    created_from: startOfPeriod(period),
    created_until: endOfPeriod(period),
    owed: balance === undefined ? undefined : true,
  };
}

export function affiliatesQuery({ api, organization }: Session, search: AffiliateSearch) {
  const { after, before, sort } = search;
  const input = {
    limit: Number(search.rows ?? 50),
    after,
    before,
    sort: sort as "earned" | "unpaid" | "clicks" | undefined,
    ...filtersOf(search),
  };
  return queryOptions({
    queryKey: [organization.id, "affiliates", "list", input],
    queryFn: ({ signal }) => api.dashboard.affiliates.list.query(input, { signal }),
    placeholderData: keepPreviousData,
  });
}

/** The tags that affiliates have, the most frequent ones first. */
export function tagsQuery({ api, organization }: Session) {
  return queryOptions({
    queryKey: [organization.id, "affiliates", "tags"],
    queryFn: ({ signal }) => api.dashboard.affiliates.tags.query(undefined, { signal }),
    staleTime: 60_000,
  });
}

/** All pages of the list. */
export function matchingOf(search: AffiliateSearch) {
  return { sort: search.sort as "earned" | "unpaid" | "clicks" | undefined, ...filtersOf(search) };
}

export function affiliateCounts(session: Session, search: AffiliateSearch): Counts {
  const { affiliates } = session.api.dashboard;
  const ofMatching = (filters: ReturnType<typeof matchingOf> | object) =>
    countQuery(session, { area: "affiliates", filters, count: affiliates.count.query });
  return { matching: ofMatching(matchingOf(search)), all: ofMatching({}) };
}

/** All applications, by pages, oldest first. */
export function applicationsQuery({ api, organization }: Session, campaign_id: string | undefined) {
  return infiniteQueryOptions({
    queryKey: [organization.id, "affiliates", "applications", campaign_id ?? null],
    queryFn: ({ signal, pageParam: after }) =>
      api.dashboard.affiliates.waiting.query({ limit: 50, campaign_id, after }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    placeholderData: keepPreviousData,
  });
}

export type ApplicationQuery = UseInfiniteQueryResult<
  InfiniteData<Awaited<ReturnType<Procedures["waiting"]["query"]>>>
>;

/** The oldest application, and the number of all. */
export function waitingQuery({ api, organization }: Session, campaign_id: string | undefined) {
  return queryOptions({
    queryKey: [organization.id, "affiliates", "waiting", campaign_id ?? null],
    queryFn: ({ signal }) => api.dashboard.affiliates.waiting.query({ limit: 1, campaign_id }, { signal }),
    placeholderData: keepPreviousData,
  });
}

export function affiliateQuery({ api, organization }: Session, id: string) {
  return queryOptions({
    queryKey: [organization.id, "affiliates", "detail", id],
    queryFn: ({ signal }) => api.dashboard.affiliates.get.query({ id }, { signal }),
  });
}

export type MailPreview = Awaited<ReturnType<Procedures["previewMail"]["query"]>>;

export function welcomeQuery(
  { api, organization }: Session,
  input: {
    campaign_id: string;
    welcome_message: string | null;
    campaign_name?: string;
    language?: PortalLanguage;
  },
) {
  return queryOptions({
    queryKey: [organization.id, "affiliates", "welcome", input],
    queryFn: ({ signal }) => api.dashboard.affiliates.previewWelcome.mutate(input, { signal }),
    placeholderData: keepPreviousData,
  });
}

export function mailQuery(
  { api, organization }: Session,
  input: { id: string; kind: "approved" | "declined"; reason: string | null },
) {
  return queryOptions({
    queryKey: [organization.id, "affiliates", "mail", input],
    queryFn: ({ signal }) => api.dashboard.affiliates.previewMail.query(input, { signal }),
    placeholderData: keepPreviousData,
  });
}

/** The payments that earned nothing because the affiliates were not approved, or were banned. */
export function refusedQuery(
  { api, organization }: Session,
  affiliate_ids: readonly string[],
  outcome: "affiliate_unapproved" | "affiliate_banned",
) {
  const input = { affiliate_ids: [...affiliate_ids], outcome };
  return queryOptions({
    queryKey: [organization.id, "payments", "refused", input],
    queryFn: ({ signal }) => api.dashboard.payment_decisions.refused.query(input, { signal }),
  });
}
