import type { CommissionState } from "@findersfee/contract/commission-rows";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { endOfPeriod, type ListField, type Search, startOfPeriod } from "../lists/search.ts";
import type { Session } from "../session/session.tsx";

export type CommissionSearch = Search<ListField | "status" | "affiliate" | "campaign" | "kind">;

export type CommissionRow = Awaited<
  ReturnType<Session["api"]["dashboard"]["commissions"]["list"]["query"]>
>["data"][number];

export type Story = Awaited<ReturnType<Session["api"]["dashboard"]["commissions"]["story"]["query"]>>;

export function commissionsQuery({ api, organization }: Session, search: CommissionSearch) {
  const { text, after, before, affiliate, campaign, kind } = search;
  const input = {
    limit: Number(search.rows ?? 50),
    text,
    after,
    before,
    // The router let only these values through.
    state: search.status as CommissionState | undefined,
    affiliate_id: affiliate,
    campaign_id: campaign,
    reversal: kind === undefined ? undefined : kind === "reversals",
    created_from: startOfPeriod(search.period),
    created_until: endOfPeriod(search.period),
  };
  return queryOptions({
    queryKey: [organization.id, "commissions", "list", input],
    queryFn: ({ signal }) => api.dashboard.commissions.list.query(input, { signal }),
    placeholderData: keepPreviousData,
  });
}

export function storyQuery({ api, organization }: Session, id: string) {
  return queryOptions({
    queryKey: [organization.id, "commissions", "story", id],
    queryFn: ({ signal }) => api.dashboard.commissions.story.query({ id }, { signal }),
  });
}
