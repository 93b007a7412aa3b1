import type { ClaimState } from "@findersfee/contract/customers/claims";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { type Counts, countQuery } from "../../lists/count-query.ts";
import { endOfPeriod, type ListField, type Search, startOfPeriod } from "../../lists/search.ts";
import { live } from "../../requests/live.ts";
import type { Session } from "../../session/session.tsx";

export type ClaimSearch = Search<ListField | "state" | "affiliate">;

type Procedures = Session["api"]["dashboard"]["claims"];

type Page = Awaited<ReturnType<Procedures["list"]["query"]>>;

export type ClaimRow = Page["data"][number];

export type ClaimDetail = Awaited<ReturnType<Procedures["get"]["query"]>>;

export type ClaimedPayment = ClaimDetail["payments"][number];

export type ClaimPreview = Awaited<ReturnType<Procedures["preview"]["mutate"]>>;

export function claimsQuery({ api, organization }: Session, search: ClaimSearch) {
  const { after, before } = search;
  const input = { limit: Number(search.rows ?? 50), after, before, ...claimFilters(search) };
  return queryOptions({
    queryKey: [organization.id, "claims", "list", input],
    queryFn: ({ signal }) => api.dashboard.claims.list.query(input, { signal }),
    placeholderData: keepPreviousData,
    // New claims come on the first page only.
    refetchInterval: live((_page: Page) => after === undefined && before === undefined),
  });
}

/** The filters of the address, for the list and its count. */
export function claimFilters({ text, state, affiliate, period }: ClaimSearch) {
  return {
    text,
    // The router let only these values through.
    states: state === undefined ? undefined : [state as ClaimState],
    affiliate_id: affiliate,
    created_from: startOfPeriod(period),
    created_until: endOfPeriod(period),
  };
}

export function claimCounts(session: Session, search: ClaimSearch): Counts {
  const { claims } = session.api.dashboard;
  const of = (filters: Partial<ReturnType<typeof claimFilters>>) =>
    countQuery(session, { area: "claims", filters, count: claims.count.query });
  return { matching: of(claimFilters(search)), all: of({}) };
}

export function claimQuery({ api, organization }: Session, id: string) {
  return queryOptions({
    queryKey: [organization.id, "claims", "detail", id],
    queryFn: ({ signal }) => api.dashboard.claims.get.query({ id }, { signal }),
    // Somebody else may decide it, and its payment may be reported.
    refetchInterval: live(({ claim }: ClaimDetail) => claim.state === "open"),
  });
}
