import type { CommissionState } from "@findersfee/contract/commissions/rows";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { Outputs, portal } from "../requests/portal.ts";

export type Earning = Outputs["earnings"]["list"]["data"][number];

export type Story = Outputs["earnings"]["get"];

export interface EarningsSearch {
  state?: CommissionState;
  after?: string;
  before?: string;
}

export function earningsQuery(api: typeof portal, affiliate_id: string, search: EarningsSearch) {
  return queryOptions({
    queryKey: ["earnings", affiliate_id, search],
    queryFn: ({ signal }) => api.earnings.list.query(search, { signal }),
    placeholderData: keepPreviousData,
  });
}

export function storyQuery(api: typeof portal, affiliate_id: string, id: string) {
  return queryOptions({
    queryKey: ["earnings", affiliate_id, "story", id],
    queryFn: ({ signal }) => api.earnings.get.query({ id }, { signal }),
  });
}
