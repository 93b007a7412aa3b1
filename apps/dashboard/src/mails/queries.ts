import { queryOptions } from "@tanstack/react-query";
import type { Session } from "../session/session.tsx";

export function notificationsQuery({ api, organization }: Session) {
  return queryOptions({
    queryKey: [organization.id, "settings", "notifications"],
    queryFn: ({ signal }) => api.dashboard.notifications.get.query(undefined, { signal }),
  });
}

export type Notifications = Awaited<ReturnType<Session["api"]["dashboard"]["notifications"]["get"]["query"]>>;

export type Topic = keyof Notifications["frequencies"];
export type Frequency = Notifications["frequencies"][Topic];
