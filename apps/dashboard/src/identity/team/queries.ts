import { queryOptions } from "@tanstack/react-query";
import type { Role, Session } from "../../session/session.tsx";

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

/**
 * The access that ends when a member is removed (null), or gets a role. It is not a query of the team: each
 * dialog reads it again, and no page reads it for a removed member.
 */
export function accessQuery(
  { api, organization }: Session,
  { user_id, role }: { user_id: string; role: Role | null },
) {
  const input = role === null ? { user_id } : { user_id, role };
  return queryOptions({
    queryKey: [organization.id, "member_access", user_id, role],
    queryFn: ({ signal }) => api.dashboard.members.access.query(input, { signal }),
    gcTime: 0,
  });
}

export function memberSessionsQuery({ api, organization }: Session, user_id: string) {
  return queryOptions({
    queryKey: [organization.id, TEAM, "sessions", user_id],
    queryFn: ({ signal }) => api.dashboard.members.sessions.query({ user_id }, { signal }),
  });
}

export function invitationsQuery({ api, organization }: Session) {
  return queryOptions({
    queryKey: [organization.id, TEAM, "invitations"],
    queryFn: ({ signal }) => api.dashboard.invitations.list.query(undefined, { signal }),
  });
}
