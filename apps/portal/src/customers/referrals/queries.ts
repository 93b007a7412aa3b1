import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { Outputs, portal } from "../../requests/portal.ts";

export type Referral = Outputs["referrals"]["list"]["data"][number];

export function referralsQuery(
  api: typeof portal,
  affiliate_id: string,
  page: { after?: string; before?: string },
) {
  return queryOptions({
    queryKey: ["referrals", affiliate_id, page],
    queryFn: ({ signal }) => api.referrals.list.query(page, { signal }),
    placeholderData: keepPreviousData,
  });
}
