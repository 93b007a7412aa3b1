import { queryOptions } from "@tanstack/react-query";
import type { Session } from "../session/session.tsx";
import { settingsKey } from "../settings/queries.ts";

export function portalQuery(session: Session) {
  return queryOptions({
    queryKey: [...settingsKey(session), "portal"],
    queryFn: ({ signal }) => session.api.dashboard.portal.get.query(undefined, { signal }),
  });
}

export type PortalSettings = Awaited<ReturnType<Session["api"]["dashboard"]["portal"]["get"]["query"]>>;
