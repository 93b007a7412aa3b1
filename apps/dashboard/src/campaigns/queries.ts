import { queryOptions } from "@tanstack/react-query";
import type { Session } from "../session/session.tsx";

/** The campaigns of a filter. */
export function campaignsQuery({ api, organization }: Session) {
  return queryOptions({
    queryKey: [organization.id, "campaigns"],
    queryFn: ({ signal }) => api.campaigns.list.query({ limit: 100 }, { signal }),
    staleTime: 60_000,
  });
}

/** A campaign, with who may join it. */
export function joiningQuery({ api, organization }: Session, id: string) {
  return queryOptions({
    queryKey: [organization.id, "campaigns", "joining", id],
    queryFn: ({ signal }) => api.dashboard.campaigns.get.query({ id }, { signal }),
  });
}

export type CampaignRow = Awaited<
  ReturnType<Session["api"]["dashboard"]["campaigns"]["list"]["query"]>
>["campaigns"][number];

/** The campaigns with their figures. */
export function campaignRowsQuery({ api, organization }: Session) {
  return queryOptions({
    queryKey: [organization.id, "campaigns", "list"],
    queryFn: ({ signal }) => api.dashboard.campaigns.list.query(undefined, { signal }),
  });
}
