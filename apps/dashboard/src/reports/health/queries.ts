import { queryOptions } from "@tanstack/react-query";
import { live } from "../../requests/live.ts";
import type { Session } from "../../session/session.tsx";

/** The second part of the key. */
export const HEALTH = "health";

export type Health = Awaited<ReturnType<Session["api"]["dashboard"]["health"]["get"]["query"]>>;

export function healthQuery({ api, organization }: Session) {
  return queryOptions({
    queryKey: [organization.id, HEALTH],
    queryFn: ({ signal }) => api.dashboard.health.get.query(undefined, { signal }),
    refetchInterval: live<Health>(({ ledger_check }) => ledger_check?.state === "running"),
  });
}
