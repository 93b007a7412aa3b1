import { queryOptions } from "@tanstack/react-query";
import { live } from "../../requests/live.ts";
import type { Session } from "../../session/session.tsx";

export type { Connection } from "@findersfee/contract/processors/processors";

export type ProcessorName = "stripe" | "generic";

/** The second part of the keys of all queries of connections. */
export const CONNECTIONS = "connections";

/** The organization's connections, at most one for each processor. */
export function connectionsQuery({ api, organization }: Session) {
  return queryOptions({
    queryKey: [organization.id, CONNECTIONS, "list"],
    queryFn: ({ signal }) => api.dashboard.processors.list.query(undefined, { signal }),
    refetchInterval: live<unknown>(() => true),
  });
}

/** Whether Stripe can be connected by a key. */
export function stripeSetupQuery({ api, organization }: Session) {
  return queryOptions({
    queryKey: [organization.id, CONNECTIONS, "stripe-setup"],
    queryFn: ({ signal }) => api.dashboard.processors.stripeSetup.query(undefined, { signal }),
  });
}
