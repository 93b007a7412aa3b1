import { queryOptions } from "@tanstack/react-query";
import { settingsKey } from "../organizations/settings/queries.ts";
import type { Session } from "../session/session.tsx";

export function portalQuery(session: Session) {
  return queryOptions({
    queryKey: [...settingsKey(session), "portal"],
    queryFn: ({ signal }) => session.api.dashboard.portal.get.query(undefined, { signal }),
  });
}

export type PortalSettings = Awaited<ReturnType<Session["api"]["dashboard"]["portal"]["get"]["query"]>>;
