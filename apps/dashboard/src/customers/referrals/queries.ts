import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { type Counts, countQuery } from "../../lists/count-query.ts";
import { endOfPeriod, type ListField, type Search, startOfPeriod } from "../../lists/search.ts";
import type { Session } from "../../session/session.tsx";
import { STATUSES } from "./search.ts";

export type ReferralSearch = Search<ListField | "status" | "affiliate">;

type Procedures = Session["api"]["dashboard"]["referrals"];

export type ReferralRow = Awaited<ReturnType<Procedures["list"]["query"]>>["data"][number];

export type Timeline = Awaited<ReturnType<Procedures["timeline"]["query"]>>;

export function referralsQuery({ api, organization }: Session, search: ReferralSearch) {
  const { after, before } = search;
  const input = { limit: Number(search.rows ?? 50), after, before, ...referralFilters(search) };
  return queryOptions({
    queryKey: [organization.id, "referrals", "list", input],
    queryFn: ({ signal }) => api.dashboard.referrals.list.query(input, { signal }),
    placeholderData: keepPreviousData,
  });
}

/** The filters of the address, for the list and its count. */
export function referralFilters({ text, affiliate, status, period }: ReferralSearch) {
  return {
    text,
    affiliate_id: affiliate,
    statuses: status === undefined ? undefined : STATUSES.filter((item) => status.split(",").includes(item)),
    signed_up_from: startOfPeriod(period),
    signed_up_until: endOfPeriod(period),
  };
}

export function referralCounts(session: Session, search: ReferralSearch): Counts {
  const { referrals } = session.api.dashboard;
  const of = (filters: Partial<ReturnType<typeof referralFilters>>) =>
    countQuery(session, { area: "referrals", filters, count: referrals.count.query });
  return { matching: of(referralFilters(search)), all: of({}) };
}

export function timelineQuery({ api, organization }: Session, id: string) {
  return queryOptions({
    queryKey: [organization.id, "referrals", "timeline", id],
    queryFn: ({ signal }) => api.dashboard.referrals.timeline.query({ id }, { signal }),
  });
}
