import { nameIn } from "../campaigns/translations.ts";
import type { PortalLanguage } from "../mails/language.ts";
import { mailLanguage } from "../mails/language.ts";
import type { Connection } from "../postgres/connect.ts";
import { statement } from "../postgres/statement.ts";
import { PROGRAMS_OF_ADDRESS } from "./sessions.ts";

export interface NewPortalCode {
  id: string;
  /** In lower case. */
  email: string;
  /** The only organization that the session sees programs of; null: it sees all. */
  limited_to: string | null;
  /** SHA-256 of the cookie of the browser that asked for it. */
  browser_hash: Buffer;
  /** SHA-256 of the link's token. */
  link_hash: Buffer;
  /** A keyed hash of the network that asked for it. */
  network_hash: Buffer;
  created_at: Date;
  expires_at: Date;
}

/** The most mails of codes to an address: open at a time and in a day, those that one network asked for and all. */
export interface CodeLimits {
  open_of_network: number;
  open_of_all: number;
  day_of_network: number;
  day_of_all: number;
}

/** Whether one more mail of a code to the address is within the limits. `purpose` is a condition on its other codes. */
export const isCodeWithinLimits = (purpose: string) => `(
    select count(*) < :day_of_all::int
      and count(*) filter (where is_open) < :open_of_all::int
      and count(*) filter (where is_of_network) < :day_of_network::int
      and count(*) filter (where is_open and is_of_network) < :open_of_network::int
    from portal_codes other cross join lateral (
      select other.expires_at > :created_at::timestamptz and other.used_at is null as is_open,
        other.network_hash = :network_hash::bytea as is_of_network
    ) as kind
    where other.email = :email::text and other.mailed and ${purpose}
      and other.created_at > :created_at::timestamptz - interval '1 day'
  )`;

const REQUEST = statement<{ organization_id: string }, keyof NewPortalCode | keyof CodeLimits>(`
  with home as (
    select affiliate.organization_id from ${PROGRAMS_OF_ADDRESS(":email::text")}
    where ${isCodeWithinLimits("other.organization_id is null")}
      and case when :limited_to::uuid is null then affiliate.disowned_at is null
        else affiliate.organization_id = :limited_to::uuid end
    order by affiliate.agreed_at is null, affiliate.banned, affiliate.id limit 1
  ), code as (
    insert into portal_codes
      (id, email, limited_to, browser_hash, link_hash, network_hash, mailed, created_at, expires_at)
    values (:id::uuid, :email::text, :limited_to::uuid, :browser_hash::bytea, :link_hash::bytea, :network_hash::bytea,
      exists (select from home), :created_at::timestamptz, :expires_at::timestamptz)
  )
  insert into mails (organization_id, kind, about, recipient, state, reason, due_at, finished_at)
  select coalesce(home.organization_id, :limited_to::uuid, anyone.id), 'portal_code', :id::uuid::text,
    case when home.organization_id is null then 'nobody' else :email::text end, case when home.organization_id is null then 'dropped' else 'due' end,
    case when home.organization_id is null then 'no affiliate gets a code at the address' end,
    case when home.organization_id is not null then now() end, case when home.organization_id is null then now() end
  from (select id from organizations order by id limit 1) as anyone left join home on true
  returning organization_id`);

/**
 * Inserts a code and its mail. If no affiliate has the address, or the address had too many mails, it inserts
 * a mail of any organization that nobody gets, so that the statement and the notification of workers take as
 * long. Returns the organization of the mail. At the service's own host, it is the organization that the
 * person has been an affiliate of for the longest time.
 */
export async function requestPortalCode(
  sql: Connection,
  code: NewPortalCode,
  limits: CodeLimits,
): Promise<string | null> {
  const [row] = await REQUEST.run(sql, { ...code, ...limits });
  return row?.organization_id ?? null;
}

/** A filled in signup form. */
export interface ApplicationRow {
  first_name: string;
  last_name: string;
  details: string | null;
  /** As they were sent: by the id of the campaign's field. */
  custom_fields: { id: string; value: string | string[] }[];
  accepted_terms: boolean;
  language: PortalLanguage;
  /** The link code of the affiliate that brought the person. */
  ref?: string;
}

export interface OpenPortalCodeRow {
  id: string;
  email: string;
  limited_to: string | null;
  /** False: nobody was sent a code, so none is right. */
  mailed: boolean;
  failures: number;
  /** The campaign to join; null: a sign-in. */
  organization_id: string | null;
  campaign_id: string | null;
  application: ApplicationRow | null;
}

/** Returns the code that a browser asked for, if it is open and has this limit, locked until the transaction ends. */
export async function lockPortalCodeOfBrowser(
  sql: Connection,
  { browser_hash, limited_to, now }: { browser_hash: Buffer; limited_to: string | null; now: Date },
): Promise<OpenPortalCodeRow | null> {
  const [row] = await sql<OpenPortalCodeRow[]>`
    select id, email, limited_to, mailed, failures, organization_id, campaign_id, application from portal_codes
    where browser_hash = ${browser_hash} and limited_to is not distinct from ${limited_to}::uuid and expires_at > ${now} and used_at is null
    for no key update`;
  return row ?? null;
}

/** Returns the code of a mailed link, if it is open and has this limit, locked until the transaction ends. */
export async function lockPortalCodeOfLink(
  sql: Connection,
  { link_hash, limited_to, now }: { link_hash: Buffer; limited_to: string | null; now: Date },
): Promise<OpenPortalCodeRow | null> {
  const [row] = await sql<OpenPortalCodeRow[]>`
    select id, email, limited_to, mailed, failures, organization_id, campaign_id, application from portal_codes
    where link_hash = ${link_hash} and limited_to is not distinct from ${limited_to}::uuid and expires_at > ${now} and used_at is null
    for no key update`;
  return row ?? null;
}

/** Returns the address of a mailed link, if it is open and has this limit. */
export async function findEmailOfLink(
  sql: Connection,
  { link_hash, limited_to, now }: { link_hash: Buffer; limited_to: string | null; now: Date },
): Promise<string | null> {
  const [row] = await sql<{ email: string }[]>`
    select email from portal_codes
    where link_hash = ${link_hash} and limited_to is not distinct from ${limited_to}::uuid and expires_at > ${now} and used_at is null`;
  return row?.email ?? null;
}

export async function countPortalCodeFailure(sql: Connection, id: string): Promise<void> {
  await sql`update portal_codes set failures = failures + 1 where id = ${id}`;
}

export async function usePortalCode(
  sql: Connection,
  { id, used_at }: { id: string; used_at: Date },
): Promise<void> {
  await sql`update portal_codes set used_at = ${used_at}, application = null where id = ${id}`;
}

/** Sums up the wrong codes of an address since a time. */
export async function countPortalCodeFailures(
  sql: Connection,
  { email, since }: { email: string; since: Date },
): Promise<number> {
  const [row] = await sql<[{ failures: number }]>`
    select coalesce(sum(failures), 0)::int as failures from portal_codes
    where email = ${email} and created_at > ${since}`;
  return row.failures;
}

export interface MailedPortalCodeRow {
  /** The language of the form; else the person's; else the organization's first. */
  language: PortalLanguage;
  /** The campaign that the person joins, in the language; null: a sign-in, also of an affiliate who filled in the form again. */
  campaign_name: string | null;
  /**
   * Whether the mail names the organization: the person asked on the organization's own pages, or has agreed to be its affiliate.
   */
  is_named: boolean;
  limited_to: string | null;
  /** The host name at which the code is accepted; null: the service's own, or the organization of `limited_to` has none any more. */
  portal_host: string | null;
}

const LANGUAGE = `coalesce(code.application ->> 'language', ${mailLanguage({ email: "code.email", organization: "organization" })})`;

/** A code to mail; null: it was used, or has expired. */
export async function findMailedPortalCode(
  sql: Connection,
  { id, email, organization_id }: { id: string; email: string; organization_id: string },
): Promise<MailedPortalCodeRow | null> {
  const [row] = await sql<MailedPortalCodeRow[]>`
    select ${sql.unsafe(LANGUAGE)} as language, (
        select ${sql.unsafe(nameIn(LANGUAGE, "campaign"))} from campaigns campaign
        where campaign.organization_id = code.organization_id and campaign.id = code.campaign_id and not exists (
          select from affiliates affiliate
          where affiliate.organization_id = code.organization_id and affiliate.campaign_id = code.campaign_id
            and lower(affiliate.email) = code.email)
      ) as campaign_name,
      code.limited_to is not null or code.organization_id is not null or exists (
        select from affiliates affiliate
        where affiliate.organization_id = organization.id and lower(affiliate.email) = code.email
          and affiliate.agreed_at is not null
      ) as is_named, code.limited_to, (
        select portal_host from organizations where id = code.limited_to
      ) as portal_host
    from portal_codes code join organizations organization on organization.id = ${organization_id}
    where code.id = ${id} and code.email = ${email} and code.expires_at > now() and code.used_at is null`;
  return row ?? null;
}

/**
 * Deletes an address' codes with their mails and applications, its sessions and its language, in the transaction that erased an
 * affiliate with it. While another affiliate has the address, in any organization, only the codes of this organization are deleted.
 */
export async function deletePortalAccess(
  sql: Connection,
  organizationId: string,
  email: string,
): Promise<void> {
  await sql`
    with code as (
      delete from portal_codes
      where email = ${email} and (organization_id = ${organizationId} or limited_to = ${organizationId}
        or not exists (select from affiliates where lower(email) = ${email}))
      returning id
    )
    delete from mails using code, organizations organization
    where mails.organization_id = organization.id and mails.kind = 'portal_code' and mails.about = code.id::text
      and mails.recipient = ${email}`;
  await sql`
    with session as (
      delete from portal_sessions
      where email = ${email} and not exists (select from affiliates where lower(email) = ${email})
    )
    delete from portal_accounts
    where email = ${email} and not exists (select from affiliates where lower(email) = ${email})`;
}

/** Deletes at most `limit` codes that expired before; returns how many. */
export async function deleteExpiredPortalCodes(
  sql: Connection,
  { before, limit }: { before: Date; limit: number },
): Promise<number> {
  const result = await sql`
    delete from portal_codes where ctid = any (array(
      select ctid from portal_codes where expires_at < ${before} order by expires_at limit ${limit}))`;
  return result.count;
}
