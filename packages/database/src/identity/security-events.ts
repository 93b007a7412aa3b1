import type { Connection } from "../postgres/connect.ts";
import { statement } from "../postgres/statement.ts";
import type { SignInMethod } from "./sessions.ts";

export type SecurityEventKind =
  | "signed_in"
  | "signed_in_on_new_device"
  | "signed_in_from_new_network"
  | "sign_in_failed"
  | "code_failed"
  | "device_confirmed"
  | "password_changed"
  | "password_reset"
  | "second_factor_added"
  | "second_factor_removed"
  | "recovery_codes_replaced"
  | "passkey_added"
  | "passkey_removed"
  | "sessions_ended"
  | "single_sign_on_changed"
  | "credentials_removed"
  | "network_refused"
  | "key_network_refused"
  | "policies_changed";

/** Where a security event came from. */
interface Origin {
  network: string | null;
  ip_address: string | null;
  user_agent: string | null;
}

export interface NewSecurityEvent extends Origin {
  id: string;
  user_id: string;
  kind: Exclude<
    SecurityEventKind,
    "sign_in_failed" | "code_failed" | "network_refused" | "key_network_refused"
  >;
  actor: string | null;
  detail: string | null;
  created_at: Date;
}

/**
 * The end of a statement that wrote an `event`: shows it to the owners of the organizations that its person is a member of. One in
 * which another failure was counted comes again in the feed.
 */
const FOR_OWNERS = `
  insert into member_security_events (organization_id, id, user_id)
  select member.organization_id, event.id, event.user_id
  from event join members member on member.user_id = event.user_id
  on conflict (organization_id, id) do update set position = excluded.position`;

/**
 * The same for the owners of one organization. Members of other organizations read neither its settings nor
 * its name.
 */
const FOR_ITS_OWNERS = `
  insert into member_security_events (organization_id, id, user_id)
  select coalesce(organization.test_of, organization.id), event.id, event.user_id
  from event join organizations organization on organization.id = `;
const ONCE = " on conflict (organization_id, id) do update set position = excluded.position";

export async function insertSecurityEvent(sql: Connection, event: NewSecurityEvent): Promise<void> {
  await sql`
    with event as (
      insert into security_events ${sql({ ...event, last_at: event.created_at })} returning id, user_id
    ) ${sql.unsafe(FOR_OWNERS)}`;
}

interface Failure extends Origin {
  id: string;
  network: string;
  at: Date;
}

/**
 * Counts a wrong password of the user with this address, in the hour's event of its network. If nobody has the address, the
 * statement writes as much to the disk: it touches the guesses of the address in either case.
 */
export async function countFailedSignIn(
  sql: Connection,
  { email, email_hash, ...failure }: Failure & { email: string; email_hash: Buffer },
): Promise<void> {
  const { id, network, ip_address, user_agent, at } = failure;
  await sql`
    with touched as (update sign_in_guesses set full_at = full_at where email_hash = ${email_hash}),
    event as (
      insert into security_events as stored
        (id, user_id, kind, network, ip_address, user_agent, hour, created_at, last_at)
      select ${id}, users.id, 'sign_in_failed', ${network}, ${ip_address}, ${user_agent},
        date_trunc('hour', ${at}::timestamptz), ${at}, ${at}
      from users where users.email = ${email} and users.disabled_at is null
      on conflict (user_id, kind, network, hour, coalesce(detail, '')) where hour is not null
      do update set times = stored.times + 1, last_at = excluded.last_at, ip_address = excluded.ip_address,
        user_agent = excluded.user_agent
      returning id, user_id
    ) ${sql.unsafe(FOR_OWNERS)}`;
}

/** Counts a wrong code of a user's authenticator app, in the hour's event of its network. */
export async function countFailedCode(
  sql: Connection,
  { user_id, ...failure }: Failure & { user_id: string },
): Promise<void> {
  const { id, network, ip_address, user_agent, at } = failure;
  await sql`
    with event as (
      insert into security_events as stored
        (id, user_id, kind, network, ip_address, user_agent, hour, created_at, last_at)
      values (${id}, ${user_id}, 'code_failed', ${network}, ${ip_address}, ${user_agent},
        date_trunc('hour', ${at}::timestamptz), ${at}, ${at})
      on conflict (user_id, kind, network, hour, coalesce(detail, '')) where hour is not null
      do update set times = stored.times + 1, last_at = excluded.last_at, ip_address = excluded.ip_address,
        user_agent = excluded.user_agent
      returning id, user_id
    ) ${sql.unsafe(FOR_OWNERS)}`;
}

/** Counts a request of a member from a network that the organization does not allow, in the hour's event of the network. */
export async function countRefusedMember(
  sql: Connection,
  organizationId: string,
  { user_id, ...failure }: Failure & { user_id: string },
): Promise<void> {
  const { id, network, ip_address, user_agent, at } = failure;
  await sql`
    with event as (
      insert into security_events as stored
        (id, user_id, kind, detail, network, ip_address, user_agent, hour, created_at, last_at)
      select ${id}, users.id, 'network_refused', organization.name, ${network}, ${ip_address}, ${user_agent},
        date_trunc('hour', ${at}::timestamptz), ${at}, ${at}
      from users join organizations organization on organization.id = ${organizationId}
      where users.id = ${user_id}
      on conflict (user_id, kind, network, hour, coalesce(detail, '')) where hour is not null
      do update set times = stored.times + 1, last_at = excluded.last_at, ip_address = excluded.ip_address,
        user_agent = excluded.user_agent
      returning id, user_id
    ) ${sql.unsafe(FOR_ITS_OWNERS)} ${organizationId}::uuid ${sql.unsafe(ONCE)}`;
}

/**
 * The same for a request with a key, as an event of the member who made the key, or else of the member who
 * has been an owner longest.
 */
export async function countRefusedKey(
  sql: Connection,
  organizationId: string,
  { key_id, ...failure }: Failure & { key_id: string },
): Promise<void> {
  const { id, network, ip_address, user_agent, at } = failure;
  await sql`
    with event as (
      insert into security_events as stored
        (id, user_id, kind, detail, network, ip_address, user_agent, hour, created_at, last_at)
      select ${id}, holder.user_id, 'key_network_refused', left(api_key.name, 190) || ' …' || api_key.last_four, ${network},
        ${ip_address}, ${user_agent}, date_trunc('hour', ${at}::timestamptz), ${at}, ${at}
      from api_keys api_key
      join organizations organization on organization.id = api_key.organization_id
      cross join lateral (
        select member.user_id from members member
        where member.organization_id = coalesce(organization.test_of, organization.id)
          and (member.role = 'owner' or api_key.created_by = 'user ' || member.user_id)
        order by api_key.created_by = 'user ' || member.user_id desc, member.created_at limit 1
      ) as holder
      where api_key.organization_id = ${organizationId} and api_key.id = ${key_id}
      on conflict (user_id, kind, network, hour, coalesce(detail, '')) where hour is not null
      do update set times = stored.times + 1, last_at = excluded.last_at, ip_address = excluded.ip_address,
        user_agent = excluded.user_agent
      returning id, user_id
    ) ${sql.unsafe(FOR_ITS_OWNERS)} ${organizationId}::uuid ${sql.unsafe(ONCE)}`;
}

/**
 * Whether the user signed in from a network before, and when they last did so on a new device or network, except by `first_methods`,
 * which are not mailed.
 */
export async function findFormerSignIns(
  sql: Connection,
  userId: string,
  { network, first_methods }: { network: string; first_methods: readonly SignInMethod[] },
): Promise<{ is_known_network: boolean; last_new_at: Date | null }> {
  const [row] = await sql<[{ is_known_network: boolean; last_new_at: Date | null }]>`
    select coalesce(bool_or(network = ${network}), false) as is_known_network,
      max(created_at) filter (where kind <> 'signed_in' and detail <> all (${[...first_methods]}::text[])) as last_new_at
    from security_events
    where user_id = ${userId} and kind in ('signed_in', 'signed_in_on_new_device', 'signed_in_from_new_network')`;
  return row;
}

/** Mails an event to its person, by the organization that they joined first. A member of none gets no mail. */
export async function insertSecurityNotice(
  sql: Connection,
  { id, user_id }: { id: string; user_id: string },
): Promise<void> {
  await sql`
    insert into mails (organization_id, kind, about, recipient)
    select member.organization_id, 'security_notice', ${id}::uuid::text, users.email
    from users join members member on member.user_id = users.id
    where users.id = ${user_id}
    order by member.created_at, member.organization_id limit 1`;
}

export interface SecurityEventRow extends Origin {
  id: string;
  kind: SecurityEventKind;
  actor: string | null;
  /** Of a user who caused it; null: another actor, or a deleted user. */
  actor_name: string | null;
  detail: string | null;
  times: number;
  created_at: Date;
  last_at: Date;
}

interface Range {
  below: string | null;
  limit: number;
}

/** A user's security events, newest first, after the one with the id `below`. */
export async function listSecurityEvents(
  sql: Connection,
  userId: string,
  { below, limit }: Range,
): Promise<SecurityEventRow[]> {
  return await sql<SecurityEventRow[]>`
    select event.id, event.kind, event.actor, actor.name as actor_name, event.detail, event.network, event.ip_address,
      event.user_agent, event.times, event.created_at, event.last_at
    from security_events event
    left join users actor on event.actor = 'user ' || actor.id::text
    where event.user_id = ${userId} and (${below}::uuid is null or event.id < ${below})
    order by event.id desc limit ${limit}`;
}

export interface MemberSecurityEventRow extends SecurityEventRow {
  user_id: string;
  user_name: string;
}

/** The statement for all members, or for one: each has its index. */
const LIST_OF_MEMBERS = (condition: string) =>
  statement<MemberSecurityEventRow, "organization_id" | "user_id" | "below" | "limit">(`
  select event.id, event.user_id, person.name as user_name, event.kind, event.actor, actor.name as actor_name, event.detail,
    event.network, event.ip_address, event.user_agent, event.times, event.created_at, event.last_at
  from (
    select id from member_security_events
    where organization_id = :organization_id::uuid and ${condition} and (:below::uuid is null or id < :below::uuid)
    order by id desc limit :limit::int
  ) shown
  join security_events event on event.id = shown.id
  join users person on person.id = event.user_id
  left join users actor on event.actor = 'user ' || actor.id::text
  order by event.id desc`);

const LIST_OF_ALL = LIST_OF_MEMBERS(":user_id::uuid is null");
const LIST_OF_ONE = LIST_OF_MEMBERS("user_id = :user_id::uuid");

/** The security events of an organization's members, or of one of them, while they were members; newest first. */
export async function listMemberSecurityEvents(
  sql: Connection,
  organizationId: string,
  { user_id, below, limit }: Range & { user_id: string | null },
): Promise<MemberSecurityEventRow[]> {
  const list = user_id === null ? LIST_OF_ALL : LIST_OF_ONE;
  return await list.run(sql, { organization_id: organizationId, user_id, below, limit });
}

export interface MailedSecurityEventRow {
  kind: SecurityEventKind;
  detail: string | null;
  ip_address: string | null;
  user_agent: string | null;
  created_at: Date;
  user_name: string;
}

/** Null: it was deleted, or its user no longer has this address. */
export async function findMailedSecurityEvent(
  sql: Connection,
  { id, email }: { id: string; email: string },
): Promise<MailedSecurityEventRow | null> {
  const [row] = await sql<MailedSecurityEventRow[]>`
    select event.kind, event.detail, event.ip_address, event.user_agent, event.created_at, users.name as user_name
    from security_events event join users on users.id = event.user_id
    where event.id = ${id} and users.email = ${email}`;
  return row ?? null;
}

/** Deletes at most `limit` events from before; returns how many. */
export async function deleteOldSecurityEvents(
  sql: Connection,
  { before, limit }: { before: Date; limit: number },
): Promise<number> {
  const result = await sql`
    delete from security_events where ctid = any (array(
      select ctid from security_events where created_at < ${before} order by created_at limit ${limit}))`;
  return result.count;
}
