import type { OrganizationRow } from "../organizations/organizations.ts";
import type { Connection } from "../postgres/connect.ts";
import { statement } from "../postgres/statement.ts";
import { type MemberRow, OWN_ORGANIZATIONS } from "./members.ts";
import { POLICY_OF_ORGANIZATION, type SessionPolicyRow } from "./security-policies.ts";

/** How a person proved who they are at a sign-in. */
export type SignInMethod = "password" | "code" | "passkey" | "invitation" | "setup_link" | "single_sign_on";

/** The sign-ins that let an owner in although the organization requires its provider, which may fail. */
export const WAYS_BACK: readonly SignInMethod[] = ["passkey", "code", "setup_link"];

export interface NewUserSession {
  id: string;
  user_id: string;
  method: SignInMethod;
  /** The organization with the provider that opened the session; null: no provider opened it. */
  provider_organization_id: string | null;
  /** SHA-256 of the cookie's token. */
  token_hash: Buffer;
  ip_address: string | null;
  user_agent: string | null;
  created_at: Date;
  expires_at: Date;
}

/** A user's role in an organization. */
export interface MembershipRow extends Pick<MemberRow, "organization_id" | "role"> {
  currency: string;
  subscription_status: OrganizationRow["subscription_status"];
  /** Why the session does not open the organization; null: it does. */
  closed: ClosedReason | null;
  /** Null: none was set. */
  policy: SessionPolicyRow | null;
}

/**
 * `other_provider`: the provider of another organization opened the session. `single_sign_on`: the organization requires its own
 * provider.
 */
export type ClosedReason = "other_provider" | "single_sign_on";

/** A session of a user who is not disabled. */
export interface UserSessionRow {
  id: string;
  user_id: string;
  created_at: Date;
  /** The last use, to the minute. */
  updated_at: Date;
  /** The longest time between two uses. */
  longest_idle_seconds: number;
  expires_at: Date;
  two_factor_enabled: boolean;
  memberships: MembershipRow[];
}

export async function insertUserSession(sql: Connection, session: NewUserSession): Promise<void> {
  await sql`insert into user_sessions ${sql({ ...session, updated_at: session.created_at })}`;
}

/**
 * SQL: the reason for a row of `user_sessions`, its user in `users` and a `member`. Owners have a way back from a provider that
 * fails: a passkey, a password with a second factor, or a link of the operator.
 */
export function closedReason(session: string): string {
  return `case
    when ${session}.provider_organization_id <> member.organization_id then 'other_provider'
    when ${session}.provider_organization_id is null
      and not (member.role = 'owner' and ${session}.method in (${WAYS_BACK.map((method) => `'${method}'`).join(", ")}))
      and exists (
        select from sign_in_providers provider
        join sign_in_domains proven on proven.organization_id = provider.organization_id
        where provider.organization_id = member.organization_id and provider.is_required
          and proven.proven_at is not null and proven.domain = substring(users.email from '[^@]*$'))
      then 'single_sign_on'
  end`;
}

const FIND_BY_HASH = statement<UserSessionRow, "hash">(`
  select session.id, session.user_id, session.created_at, session.updated_at, session.longest_idle_seconds,
    session.expires_at, users.two_factor_enabled,
    (
      select coalesce(json_agg(json_build_object('organization_id', organization.id, 'role', member.role,
        'currency', organization.currency, 'subscription_status', organization.subscription_status,
        'closed', ${closedReason("session")},
        'policy', case when policy.organization_id is not null then json_build_object(
          'second_factor_required', policy.second_factor_required, 'session_hours', policy.session_hours,
          'idle_minutes', policy.idle_minutes, 'staff_networks', policy.staff_networks::text[]) end)), '[]')
      from members member
      join lateral ${OWN_ORGANIZATIONS} on true
      ${POLICY_OF_ORGANIZATION}
      where member.user_id = session.user_id
    ) as memberships
  from user_sessions session
  join users on users.id = session.user_id
  where session.token_hash = :hash::bytea and users.disabled_at is null`);

/**
 * Authentication: the token determines the user, and the user the organizations. All memberships come with the session,
 * so a request for an organization of others costs no statement. A person joins each one, so there are few.
 */
export async function findUserSessionByHash(sql: Connection, hash: Buffer): Promise<UserSessionRow | null> {
  const [row] = await FIND_BY_HASH.run(sql, { hash });
  return row ?? null;
}

/** Stores when a session was last used, at most once a minute across all processes, and the longest time between two uses. */
export async function touchUserSession(
  sql: Connection,
  { id, used_at }: { id: string; used_at: Date },
): Promise<void> {
  await sql`
    update user_sessions set updated_at = ${used_at},
      longest_idle_seconds = greatest(longest_idle_seconds, extract(epoch from ${used_at}::timestamptz - updated_at)::int)
    where id = ${id} and updated_at < ${used_at}::timestamptz - interval '1 minute'`;
}

/** A session, as its user lists sessions. */
export interface ListedSessionRow {
  id: string;
  ip_address: string | null;
  user_agent: string | null;
  created_at: Date;
  /** The time of the last use, to the minute. */
  updated_at: Date;
}

/** The sessions of a user that have not expired, the last used one first. */
export async function listUserSessions(
  sql: Connection,
  userId: string,
  { now, limit }: { now: Date; limit: number },
): Promise<ListedSessionRow[]> {
  return await sql<ListedSessionRow[]>`
    select id, ip_address, user_agent, created_at, updated_at from user_sessions
    where user_id = ${userId} and expires_at > ${now}
    order by updated_at desc, id desc limit ${limit}`;
}

export interface SessionProofRow {
  /** The sign-in, or the confirmation. */
  proved_at: Date;
  /** Null: only the sign-in. */
  confirmed_at: Date | null;
  /** Whether the provider of the asked organization signed the user in. */
  is_of_provider: boolean;
}

/**
 * Returns when the user last proved their identity in a session. Null: the user has no such session, or none
 * of its proofs has the second factor, which was added later. A sign-in by an organization's provider counts
 * for `organization_id` alone; for the account, only a confirmation counts.
 */
export async function findSessionProof(
  sql: Connection,
  userId: string,
  { id, organization_id = null }: { id: string; organization_id?: string | null },
): Promise<SessionProofRow | null> {
  const [row] = await sql<SessionProofRow[]>`
    select coalesce(session.confirmed_at, session.created_at) as proved_at, session.confirmed_at,
      session.method = 'single_sign_on' and session.provider_organization_id is not distinct from ${organization_id} as is_of_provider
    from user_sessions session
    left join user_second_factors factor on factor.user_id = session.user_id and factor.confirmed_at is not null
    where session.user_id = ${userId} and session.id = ${id}
      and (session.method <> 'single_sign_on' or session.confirmed_at is not null
        or session.provider_organization_id = ${organization_id})
      and (factor.confirmed_at is null or coalesce(session.confirmed_at, session.created_at) >= factor.confirmed_at)`;
  return row ?? null;
}

export async function confirmSession(
  sql: Connection,
  userId: string,
  { id, confirmed_at }: { id: string; confirmed_at: Date },
): Promise<void> {
  await sql`
    update user_sessions set confirmed_at = ${confirmed_at}, failures = 0 where user_id = ${userId} and id = ${id}`;
}

/** Takes one of a session's consecutive guesses at its person's password; false: it has none, or has ended. */
export async function takeSessionGuess(
  sql: Connection,
  userId: string,
  { id, allowed }: { id: string; allowed: number },
): Promise<boolean> {
  const rows = await sql`
    update user_sessions set failures = failures + 1
    where user_id = ${userId} and id = ${id} and failures < ${allowed}::int returning 1`;
  return rows.length > 0;
}

/** Gives one guess back, which was never compared. */
export async function returnSessionGuess(sql: Connection, userId: string, id: string): Promise<void> {
  await sql`
    update user_sessions set failures = greatest(failures - 1, 0) where user_id = ${userId} and id = ${id}`;
}

/** Ends a session; false: the user has no such session. */
export async function deleteUserSession(sql: Connection, userId: string, id: string): Promise<boolean> {
  const rows = await sql`delete from user_sessions where user_id = ${userId} and id = ${id} returning id`;
  return rows.length > 0;
}

/** Ends all sessions of a user but one (null: all); returns how many. */
export async function deleteUserSessions(
  sql: Connection,
  userId: string,
  { except }: { except: string | null },
): Promise<number> {
  const result = await sql`
    delete from user_sessions where user_id = ${userId} and id is distinct from ${except}::uuid`;
  return result.count;
}

/** Ends the session with this token. */
export async function deleteSessionByHash(sql: Connection, hash: Buffer): Promise<void> {
  await sql`delete from user_sessions where token_hash = ${hash}`;
}
