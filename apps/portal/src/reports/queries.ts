import { queryOptions } from "@tanstack/react-query";
import type { Outputs, portal } from "../requests/portal.ts";

export type Home = Outputs["home"]["get"];

export type NextPayout = Home["payouts"]["currencies"][number];

export function homeQuery(api: typeof portal, affiliate_id: string) {
  return queryOptions({
    queryKey: ["home", affiliate_id],
    queryFn: ({ signal }) => api.home.get.query(undefined, { signal }),
  });
}

export function tiersQuery(api: typeof portal, affiliate_id: string) {
  return queryOptions({
    queryKey: ["tiers", affiliate_id],
    queryFn: ({ signal }) => api.tiers.get.query(undefined, { signal }),
  });
}
