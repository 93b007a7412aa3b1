import type { ViewedList } from "@findersfee/contract/identity/viewed-lists";
import { queryOptions } from "@tanstack/react-query";
import type { Session } from "../../session/session.tsx";

export type View = Awaited<ReturnType<Session["api"]["dashboard"]["saved_views"]["list"]["query"]>>[number];

/** The key of the person's views of all lists. */
export function viewsKey({ organization }: Session) {
  return [organization.id, "views"];
}

/** The person's own views of a list. */
export function viewsQuery(session: Session, list: ViewedList) {
  return queryOptions({
    queryKey: [...viewsKey(session), list],
    queryFn: ({ signal }) => session.api.dashboard.saved_views.list.query({ list }, { signal }),
    staleTime: 60_000,
  });
}
