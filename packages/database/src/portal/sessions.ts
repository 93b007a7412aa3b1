import type { ByLanguage, Translation } from "@findersfee/contract/campaigns/translations";
import { recordsOwnNetworks } from "../campaigns/recorded-networks.ts";
import { translatedNames } from "../campaigns/translations.ts";
import { closedReason, type ListedSessionRow } from "../identity/sessions.ts";
import type { OrganizationRow } from "../organizations/organizations.ts";
import type { Connection } from "../postgres/connect.ts";
import { statement } from "../postgres/statement.ts";
import { KEY_IS_VALID } from "./tokens.ts";

export interface NewPortalSession {
  id: string;
  /** The proven address, in lower case. */
  email: string;
  /** The only organization that it sees programs of; null: all programs of the address. */
  limited_to: string | null;
  /** In a frame, the only affiliate that it sees; null: the affiliate opened it. */
  affiliate_id: string | null;
  /** The session in the dashboard of the member who views the portal; null: nobody does. */
  user_session_id: string | null;
  /** The API key that made the token of a frame; null: it is no frame. */
  key_id: string | null;
  /** SHA-256 of the session's token. */
  token_hash: Buffer;
  ip_address: string | null;
  user_agent: string | null;
  created_at: Date;
  expires_at: Date;
}

/** An affiliate with the address of a session. */
export interface PortalProgramRow {
  organization_id: string;
  organization_name: string;
  affiliate_id: string;
  campaign_name: string;
  /** The translations of the name alone. */
  campaign_translations: ByLanguage<Pick<Translation, "name">>;
  currency: string;
  subscription_status: OrganizationRow["subscription_status"];
  approved: boolean;
  banned: boolean;
  declined: boolean;
  left: boolean;
  /** False: the organization invites the person, who has not answered. */
  agreed: boolean;
  /** Whether hashes of the networks that it uses are stored. */
  records_networks: boolean;
}

export interface PortalSessionRow {
  id: string;
  email: string;
  limited_to: string | null;
  affiliate_id: string | null;
  /** A member of the organization views the portal. */
  by_staff: boolean;
  expires_at: Date;
  /** Those that the person has agreed to, the newest first; then invitations. */
  programs: PortalProgramRow[];
}

/** The affiliates with an address, without those of test data. `address` is an SQL expression in lower case. */
export const PROGRAMS_OF_ADDRESS = (address: string) => `
  affiliates affiliate
  join organizations organization
    on organization.id = affiliate.organization_id and organization.test_of is null
      and lower(affiliate.email) = ${address} and affiliate.erased_at is null`;

/** A session has its address' newest programs. */
const MAX_PROGRAMS = 100;

const FIND_BY_HASH = statement<PortalSessionRow, "hash">(`
  select session.id, session.email, session.limited_to, session.affiliate_id, session.expires_at,
    session.user_session_id is not null as by_staff,
    (
      select coalesce(json_agg(to_json(program)), '[]') from (
        select organization.id as organization_id, organization.name as organization_name,
          organization.currency, organization.subscription_status, affiliate.id as affiliate_id,
          campaign.name as campaign_name, ${translatedNames("campaign")} as campaign_translations, affiliate.approved, affiliate.banned,
          affiliate.declined_at is not null as declined, affiliate.left_at is not null as left,
          affiliate.agreed_at is not null as agreed, ${recordsOwnNetworks("campaign")} as records_networks
        from ${PROGRAMS_OF_ADDRESS("session.email")}
        join campaigns campaign
          on campaign.organization_id = affiliate.organization_id and campaign.id = affiliate.campaign_id
        where (session.limited_to is null or affiliate.organization_id = session.limited_to)
          and case when session.affiliate_id is null then affiliate.disowned_at is null
            else affiliate.id = session.affiliate_id end
        order by affiliate.agreed_at is null,
          -- An organization with many invitations does not hide those of others.
          case when affiliate.agreed_at is null then
            row_number() over (partition by affiliate.organization_id, affiliate.agreed_at is null order by affiliate.id desc)
          end,
          affiliate.id desc
        limit ${MAX_PROGRAMS}
      ) as program
    ) as programs
  from portal_sessions session
  where session.token_hash = :hash::bytea
    and (session.user_session_id is null or exists (
      select from user_sessions staff
      join users on users.id = staff.user_id and users.disabled_at is null
      join members member on member.user_id = staff.user_id
        and member.organization_id = session.limited_to and member.role <> 'viewer'
      where staff.id = session.user_session_id and staff.expires_at > now() and ${closedReason("staff")} is null))
    and ${KEY_IS_VALID("session", "session.limited_to")}`);

/**
 * Authentication: the token determines the address, and the address the programs, which come along. A session of staff ends with the
 * member's session in the dashboard, and with its role; that of a frame with the API key that made its token.
 */
export async function findPortalSessionByHash(
  sql: Connection,
  hash: Buffer,
): Promise<PortalSessionRow | null> {
  const [row] = await FIND_BY_HASH.run(sql, { hash });
  return row ?? null;
}

export async function insertPortalSession(sql: Connection, session: NewPortalSession): Promise<void> {
  await sql`insert into portal_sessions ${sql({ ...session, updated_at: session.created_at })}`;
}

/** Stores when a session was last used, at most once an hour across all processes. */
export async function touchPortalSession(
  sql: Connection,
  { id, used_at }: { id: string; used_at: Date },
): Promise<void> {
  await sql`
    update portal_sessions set updated_at = ${used_at}
    where id = ${id} and updated_at < ${used_at}::timestamptz - interval '1 hour'`;
}

/** The address of a session, and its limit: a limited session sees and ends only those with the same limit. */
export interface PortalSessionOwner {
  email: string;
  limited_to: string | null;
}

const OWNED = (sql: Connection, { email, limited_to }: PortalSessionOwner) =>
  sql`email = ${email} and (${limited_to}::uuid is null or limited_to = ${limited_to}::uuid)`;

/** The sessions that an address opened and that have not expired, the last used one first. Those of frames last an hour. */
export async function listPortalSessions(
  sql: Connection,
  owner: PortalSessionOwner,
  { now, limit }: { now: Date; limit: number },
): Promise<ListedSessionRow[]> {
  return await sql<ListedSessionRow[]>`
    select id, ip_address, user_agent, created_at, updated_at from portal_sessions
    where ${OWNED(sql, owner)} and affiliate_id is null and expires_at > ${now}
    order by updated_at desc, id desc limit ${limit}`;
}

/** Ends a session; false: the address has no such session. */
export async function deletePortalSession(
  sql: Connection,
  owner: PortalSessionOwner,
  id: string,
): Promise<boolean> {
  const rows = await sql`delete from portal_sessions where ${OWNED(sql, owner)} and id = ${id} returning id`;
  return rows.length > 0;
}

/** Ends all sessions of an address but one; returns how many. */
export async function deleteOtherPortalSessions(
  sql: Connection,
  owner: PortalSessionOwner,
  { except }: { except: string },
): Promise<number> {
  const result = await sql`delete from portal_sessions where ${OWNED(sql, owner)} and id <> ${except}`;
  return result.count;
}

/** Ends the session with this token. */
export async function deletePortalSessionByHash(sql: Connection, hash: Buffer): Promise<void> {
  await sql`delete from portal_sessions where token_hash = ${hash}`;
}

/** Whether an affiliate opened the session after a time. */
export async function hasPortalSessionSince(
  sql: Connection,
  { id, since }: { id: string; since: Date },
): Promise<boolean> {
  const [row] = await sql<[{ found: boolean }]>`
    select exists (select from portal_sessions where id = ${id} and created_at > ${since}) as found`;
  return row.found;
}
