import { queryOptions } from "@tanstack/react-query";
import { type Outputs, portal } from "../../requests/portal.ts";

export type Settings = Outputs["settings"]["get"];

export type PortalSession = Outputs["sessions"]["list"][number];

export type Owed = Outputs["leaving"]["get"]["owed"];

export function settingsQuery(api: typeof portal, affiliate_id: string) {
  return queryOptions({
    queryKey: ["settings", affiliate_id],
    queryFn: ({ signal }) => api.settings.get.query(undefined, { signal }),
  });
}

export const sessionsQuery = queryOptions({
  queryKey: ["sessions"],
  queryFn: ({ signal }) => portal.sessions.list.query(undefined, { signal }),
});

export function leavingQuery(api: typeof portal, affiliate_id: string) {
  return queryOptions({
    queryKey: ["leaving", affiliate_id],
    queryFn: ({ signal }) => api.leaving.get.query(undefined, { signal }),
    // Amounts that people decide by.
    staleTime: 0,
  });
}
