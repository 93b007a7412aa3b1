import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { ListField, Search } from "../../lists/search.ts";
import type { Session } from "../../session/session.tsx";
import { STATUSES } from "./search.ts";

export type ReferralSearch = Search<Exclude<ListField, "period"> | "status" | "affiliate">;

type Procedures = Session["api"]["dashboard"]["referrals"];

export type ReferralRow = Awaited<ReturnType<Procedures["list"]["query"]>>["data"][number];

export type Timeline = Awaited<ReturnType<Procedures["timeline"]["query"]>>;

export function referralsQuery({ api, organization }: Session, search: ReferralSearch) {
  const { text, after, before, affiliate, status } = search;
  const input = {
    limit: Number(search.rows ?? 50),
    text,
    after,
    before,
    affiliate_id: affiliate,
    statuses: status === undefined ? undefined : STATUSES.filter((item) => status.split(",").includes(item)),
  };
  return queryOptions({
    queryKey: [organization.id, "referrals", "list", input],
    queryFn: ({ signal }) => api.dashboard.referrals.list.query(input, { signal }),
    placeholderData: keepPreviousData,
  });
}

export function timelineQuery({ api, organization }: Session, id: string) {
  return queryOptions({
    queryKey: [organization.id, "referrals", "timeline", id],
    queryFn: ({ signal }) => api.dashboard.referrals.timeline.query({ id }, { signal }),
  });
}
