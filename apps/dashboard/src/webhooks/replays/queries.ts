import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { live } from "../../requests/live.ts";
import type { Session } from "../../session/session.tsx";

export type Replay = Awaited<ReturnType<Session["api"]["dashboard"]["replays"]["list"]["query"]>>[number];

/** The events between two moments, in ISO 8601. */
export interface Range {
  from: string;
  until: string;
}

/* All keys begin like those of the endpoints: a change of an endpoint changes its replays. */

export function replaysQuery({ api, organization }: Session, endpoint_id: string) {
  return queryOptions({
    queryKey: [organization.id, "endpoints", "replays", endpoint_id],
    queryFn: ({ signal }) => api.dashboard.replays.list.query({ endpoint_id }, { signal }),
    refetchInterval: live((replays: readonly Replay[]) =>
      replays.some(({ finished_at }) => finished_at === null),
    ),
  });
}

export function estimateQuery({ api, organization }: Session, endpoint_id: string, { from, until }: Range) {
  const input = { endpoint_id, events_from: from, events_to: until };
  return queryOptions({
    queryKey: [organization.id, "endpoints", "replay-estimate", input],
    queryFn: ({ signal }) => api.dashboard.replays.estimate.query(input, { signal }),
    placeholderData: keepPreviousData,
    enabled: from < until,
  });
}
