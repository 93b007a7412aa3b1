import type { AffiliateState } from "@findersfee/contract/affiliate-rows";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { type ListField, type Search, startOfPeriod } from "../lists/search.ts";
import type { Session } from "../session/session.tsx";

export type AffiliateSearch = Search<ListField | "status" | "campaign">;

export type AffiliateRow = Awaited<
  ReturnType<Session["api"]["dashboard"]["affiliates"]["list"]["query"]>
>["data"][number];

export function affiliatesQuery({ api, organization }: Session, search: AffiliateSearch) {
  const { text, after, before, campaign } = search;
  const input = {
    limit: Number(search.rows ?? 50),
    text,
    after,
    before,
    // The router let only these values through.
    state: search.status as AffiliateState | undefined,
    campaign_id: campaign,
    created_from: startOfPeriod(search.period),
  };
  return queryOptions({
    queryKey: [organization.id, "affiliates", "list", input],
    queryFn: ({ signal }) => api.dashboard.affiliates.list.query(input, { signal }),
    placeholderData: keepPreviousData,
  });
}
