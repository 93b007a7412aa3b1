import type { Connection } from "../postgres/connect.ts";
import { statement } from "../postgres/statement.ts";
import { POLICY_OF_ORGANIZATION } from "./security-policies.ts";

export interface MemberRow {
  organization_id: string;
  user_id: string;
  role: "owner" | "admin" | "viewer";
  created_at: Date;
}

/** SQL: a member's organization, and the one with its test data; for a lateral join with `member`. */
export const OWN_ORGANIZATIONS = `(
    select * from organizations where id = member.organization_id
    union all
    select * from organizations where test_of = member.organization_id and removed_at is null
  ) as organization`;

/** An organization, and a user's role in it. */
export interface UserOrganizationRow extends Pick<MemberRow, "role"> {
  id: string;
  slug: string;
  name: string;
  currency: string;
  time_zone: string;
  /** The own host name of its portal. */
  portal_host: string | null;
  /** Not null: it has the test data of that organization. */
  test_of: string | null;
  second_factor_required: boolean;
}

export async function insertMember(sql: Connection, member: MemberRow): Promise<void> {
  await sql`insert into members ${sql({ ...member })}`;
}

const LIST_OF_USER = statement<UserOrganizationRow, "user_id">(`
  select organization.id, organization.slug, organization.name, organization.currency,
    organization.time_zone, organization.portal_host, organization.test_of, member.role,
    coalesce(policy.second_factor_required, false) as second_factor_required
  from members member
  join lateral ${OWN_ORGANIZATIONS} on true
  ${POLICY_OF_ORGANIZATION}
  where member.user_id = :user_id::uuid
  order by organization.name, organization.id`);

/** The organizations of a user, by name. A person joins each one, so there are few. */
export async function listUserOrganizations(sql: Connection, userId: string): Promise<UserOrganizationRow[]> {
  return await LIST_OF_USER.run(sql, { user_id: userId });
}

/** A member with the person's name and state. */
export interface ListedMemberRow extends Pick<MemberRow, "user_id" | "role" | "created_at"> {
  name: string;
  email: string;
  has_second_factor: boolean;
  /** Whether sign-ins with the password need a code. */
  has_authenticator_app: boolean;
  is_disabled: boolean;
  last_seen_at: Date | null;
}

/** The members of an organization, by name. */
export async function listMembers(
  sql: Connection,
  organizationId: string,
  limit: number,
): Promise<ListedMemberRow[]> {
  return await sql<ListedMemberRow[]>`
    select member.user_id, member.role, member.created_at, users.name, users.email,
      users.two_factor_enabled
        or exists (select from user_passkeys where user_id = member.user_id) as has_second_factor,
      users.two_factor_enabled as has_authenticator_app,
      users.disabled_at is not null as is_disabled,
      (select max(updated_at) from user_sessions where user_id = member.user_id) as last_seen_at
    from members member join users on users.id = member.user_id
    where member.organization_id = ${organizationId}
    order by users.name, member.user_id limit ${limit}`;
}

/** A member and their address, for the audit log. */
export interface MemberWithEmailRow extends Pick<MemberRow, "user_id" | "role"> {
  email: string;
}

export async function findMember(
  sql: Connection,
  organizationId: string,
  userId: string,
): Promise<MemberWithEmailRow | null> {
  const [row] = await sql<MemberWithEmailRow[]>`
    select member.user_id, member.role, users.email
    from members member join users on users.id = member.user_id
    where member.organization_id = ${organizationId} and member.user_id = ${userId}`;
  return row ?? null;
}

/** The role of a person who is not disabled, in test data that in the organization of it; null: no member. */
export async function findCurrentRole(
  sql: Connection,
  organizationId: string,
  userId: string,
): Promise<MemberRow["role"] | null> {
  const [row] = await sql<Pick<MemberRow, "role">[]>`
    select member.role
    from organizations organization
    join members member on member.organization_id = coalesce(organization.test_of, organization.id)
    join users on users.id = member.user_id
    where organization.id = ${organizationId} and organization.removed_at is null
      and member.user_id = ${userId} and users.disabled_at is null`;
  return row?.role ?? null;
}

/**
 * Locks members until the transaction ends, all of them in one order. `share` keeps the members and their roles as they are;
 * `update` is for their removal and new roles, and waits for everybody who shares them. Of test data: those of its organization.
 */
export async function lockMembers(
  sql: Connection,
  organizationId: string,
  { user_ids, mode }: { user_ids: readonly string[]; mode: "share" | "update" },
): Promise<void> {
  await sql`
    select from members
    where organization_id = (select coalesce(test_of, id) from organizations where id = ${organizationId})
      and user_id = any (${[...user_ids]}::uuid[])
    order by user_id ${mode === "share" ? sql`for share` : sql`for update`}`;
}

/** Locks a person's memberships of all organizations, as `lockMembers` does for a change. */
export async function lockMemberships(sql: Connection, userId: string): Promise<void> {
  await sql`select from members where user_id = ${userId} order by organization_id for update`;
}

/** Owners who are not disabled. The caller has locked the organization. */
export async function countOwners(sql: Connection, organizationId: string): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int as count
    from members member join users on users.id = member.user_id
    where member.organization_id = ${organizationId} and member.role = 'owner' and users.disabled_at is null`;
  return row.count;
}

export async function countMembers(sql: Connection, organizationId: string): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int as count from members where organization_id = ${organizationId}`;
  return row.count;
}

export async function updateMemberRole(
  sql: Connection,
  organizationId: string,
  { user_id, role }: Pick<MemberRow, "user_id" | "role">,
): Promise<void> {
  await sql`
    update members set role = ${role} where organization_id = ${organizationId} and user_id = ${user_id}`;
}

export async function deleteMember(sql: Connection, organizationId: string, userId: string): Promise<void> {
  await sql`delete from members where organization_id = ${organizationId} and user_id = ${userId}`;
}

export async function hasMemberWithEmail(
  sql: Connection,
  organizationId: string,
  email: string,
): Promise<boolean> {
  const rows = await sql`
    select from members member join users on users.id = member.user_id
    where member.organization_id = ${organizationId} and users.email = ${email}`;
  return rows.length > 0;
}
