import { queryOptions } from "@tanstack/react-query";
import { live } from "../../requests/live.ts";
import type { Session } from "../../session/session.tsx";

type Procedures = Session["api"]["dashboard"]["endpoints"];

export type Endpoint = Awaited<ReturnType<Procedures["list"]["query"]>>[number];

export type Health = Awaited<ReturnType<Procedures["health"]["query"]>>["data"][number];

export interface EndpointRow extends Endpoint {
  health: Health | undefined;
}

/** The health reads up to 20,000 deliveries, the endpoints themselves some rows. */
const HEALTH_MILLISECONDS = 10_000;

function healthQuery({ api, organization }: Session) {
  return queryOptions({
    queryKey: [organization.id, "endpoints", "health"],
    queryFn: ({ signal }) => api.dashboard.endpoints.health.query(undefined, { signal }),
    staleTime: HEALTH_MILLISECONDS,
  });
}

/** All endpoints, newest first, with their health. An organization has at most 50. */
export function endpointsQuery(session: Session) {
  const { api, organization } = session;
  return queryOptions({
    queryKey: [organization.id, "endpoints", "list"],
    queryFn: async ({ signal, client }) => {
      const [endpoints, health] = await Promise.all([
        api.dashboard.endpoints.list.query(undefined, { signal }),
        client.fetchQuery(healthQuery(session)),
      ]);
      const rows = endpoints.map((endpoint): EndpointRow => {
        return { ...endpoint, health: health.data.find((item) => item.endpoint_id === endpoint.id) };
      });
      return { rows, most_counted: health.most_counted };
    },
    refetchInterval: live<unknown>(() => true),
  });
}

/** The signing secret: forgotten as soon as it is hidden. */
export function secretQuery({ api, organization }: Session, id: string) {
  return queryOptions({
    queryKey: [organization.id, "endpoints", "secret", id],
    queryFn: ({ signal }) => api.dashboard.endpoints.secret.query({ id }, { signal }),
    gcTime: 0,
  });
}
