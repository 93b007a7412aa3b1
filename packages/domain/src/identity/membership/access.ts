import type { MemberAccess, MemberAccessInput } from "@findersfee/contract/identity/members";
import { type Role, roles } from "@findersfee/contract/identity/roles";
import type { ApiKeyRow } from "@findersfee/database/identity/api-keys";
import type { InvitationRow } from "@findersfee/database/identity/invitations";
import {
  listMadeEndpoints,
  listMadeInvitations,
  listMadeJobs,
  listMadeKeys,
  type MadeEndpointRow,
} from "@findersfee/database/identity/member-access";
import { findMember } from "@findersfee/database/identity/members";
import type { Connection } from "@findersfee/database/postgres/connect";
import { actorText } from "../../actor.ts";
import type { Context } from "../../context.ts";
import { DomainError } from "../../errors.ts";
import { mayManage } from "../rights/roles.ts";

/** A member's keys, endpoints and other access that a removal, or another role, ends. */
export interface EndingAccess {
  /** Valid ones. */
  keys: ApiKeyRow[];
  endpoints: MadeEndpointRow[];
  job_ids: string[];
  invitations: InvitationRow[];
}

/**
 * Returns the access that ends when a member is removed, or gets a role, unless the caller keeps it.
 *
 * @throws DomainError `not_found`
 */
export async function getMemberAccess(
  { database, organization }: Context,
  { user_id, role }: MemberAccessInput,
): Promise<MemberAccess> {
  const member = await findMember(database, organization.id, user_id);
  if (member === null) throw noSuchMember();
  const keys = await listMadeKeys(database, organization.id, user_id);
  const ending = await listEnding(database, organization.id, { user_id, role: role ?? null, keys });
  return {
    api_keys: ending.keys.map(({ id, name, scopes, last_four, created_at, last_used_at }) => ({
      id,
      name,
      scopes,
      last_four,
      created_at: created_at.toISOString(),
      last_used_at: last_used_at?.toISOString() ?? null,
    })),
    endpoints: ending.endpoints,
    invitations: ending.invitations.length,
    jobs: ending.job_ids.length,
  };
}

export function noSuchMember(): DomainError {
  return new DomainError("not_found", { message: "The organization has no such member." });
}

/**
 * Returns the access that ends with the former role. `role` is the new one; null: the member is removed. A
 * member who still changes things keeps all but keys and invitations that they could not make any more.
 * `keys` are all that the member ever made.
 */
export async function listEnding(
  sql: Connection,
  organization_id: string,
  { user_id, role, keys }: { user_id: string; role: Role | null; keys: readonly ApiKeyRow[] },
): Promise<EndingAccess> {
  const lost = roles.filter((invited) => role === null || !mayManage(role, [invited]));
  const invitations = await listMadeInvitations(sql, organization_id, { user_id, roles: lost });
  const valid = keys.filter(isValid);
  if (role !== null && role !== "viewer") {
    const of_owners = role === "owner" ? [] : valid.filter(({ scopes }) => scopes.includes("audit"));
    return { keys: of_owners, endpoints: [], job_ids: [], invitations };
  }
  const authors = [
    { kind: "user", id: user_id } as const,
    ...keys.map(({ id }) => ({ kind: "key", id }) as const),
  ];
  const actors = authors.map(actorText);
  return {
    keys: valid,
    endpoints: await listMadeEndpoints(sql, organization_id, actors),
    job_ids: await listMadeJobs(sql, organization_id, actors),
    invitations,
  };
}

function isValid({ revoked_at, expires_at }: ApiKeyRow): boolean {
  return revoked_at === null && (expires_at === null || expires_at > new Date());
}
