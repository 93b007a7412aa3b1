import { queryOptions } from "@tanstack/react-query";
import type { Session } from "../session/session.tsx";

export type Attention = Awaited<ReturnType<Session["api"]["dashboard"]["attention"]["list"]["query"]>>;

/** The tasks that need a person: for the overview, and the counts of the navigation. */
export function attentionQuery({ api, organization }: Session) {
  return queryOptions({
    queryKey: [organization.id, "attention"],
    queryFn: ({ signal }) => api.dashboard.attention.list.query(undefined, { signal }),
    refetchInterval: 60_000,
  });
}
