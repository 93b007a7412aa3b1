import { queryOptions } from "@tanstack/react-query";
import type { Session } from "../../session/session.tsx";

export type { Invitation } from "@findersfee/contract/identity/invitations";
export type { Member } from "@findersfee/contract/identity/members";

/** The second part of the keys of all queries of people and invitations. */
export const TEAM = "team";

export function membersQuery({ api, organization }: Session) {
  return queryOptions({
    queryKey: [organization.id, TEAM, "members"],
    queryFn: ({ signal }) => api.dashboard.members.list.query(undefined, { signal }),
  });
}

export function invitationsQuery({ api, organization }: Session) {
  return queryOptions({
    queryKey: [organization.id, TEAM, "invitations"],
    queryFn: ({ signal }) => api.dashboard.invitations.list.query(undefined, { signal }),
  });
}
