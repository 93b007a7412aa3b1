import type { Connection } from "./connect.ts";
import { PROGRAMS_OF_ADDRESS } from "./portal-sessions.ts";
import { statement } from "./statement.ts";

export interface NewPortalCode {
  id: string;
  /** In lower case. */
  email: string;
  /** SHA-256 of the cookie of the browser that asked for it. */
  browser_hash: Buffer;
  /** SHA-256 of the link's token. */
  link_hash: Buffer;
  created_at: Date;
  expires_at: Date;
}

const REQUEST = statement<object, keyof NewPortalCode | "max_open">(`
  with home as (
    select affiliate.organization_id from ${PROGRAMS_OF_ADDRESS(":email::text")}
    where :max_open::int > (
      select count(*) from portal_codes open
      where open.email = :email::text and open.mailed and open.expires_at > :created_at::timestamptz and open.used_at is null
    )
    order by affiliate.banned, affiliate.id desc limit 1
  ), code as (
    insert into portal_codes (id, email, browser_hash, link_hash, mailed, created_at, expires_at)
    values (:id::uuid, :email::text, :browser_hash::bytea, :link_hash::bytea, exists (select from home),
      :created_at::timestamptz, :expires_at::timestamptz)
  )
  insert into mails (organization_id, kind, about, recipient)
  select organization_id, 'portal_code', :id::uuid::text, :email::text from home
  returning organization_id`);

/**
 * Inserts a code, and its mail if an affiliate has the address. If nobody has it, or `max_open` codes of the address are
 * open, the statement inserts the code and no mail, so that both take as long. Returns the organization of the mail.
 */
export async function requestPortalCode(
  sql: Connection,
  code: NewPortalCode & { max_open: number },
): Promise<string | null> {
  const [row] = (await REQUEST.run(sql, { ...code })) as { organization_id: string }[];
  return row?.organization_id ?? null;
}

export interface OpenPortalCodeRow {
  id: string;
  email: string;
  /** False: nobody was sent a code, so none is right. */
  mailed: boolean;
  failures: number;
}

/** Returns the code that a browser asked for, if it is open, locked until the transaction ends. */
export async function lockPortalCodeOfBrowser(
  sql: Connection,
  { browser_hash, now }: { browser_hash: Buffer; now: Date },
): Promise<OpenPortalCodeRow | null> {
  const [row] = await sql<OpenPortalCodeRow[]>`
    select id, email, mailed, failures from portal_codes
    where browser_hash = ${browser_hash} and expires_at > ${now} and used_at is null
    for no key update`;
  return row ?? null;
}

/** Returns the code of a mailed link, if it is open, locked until the transaction ends. */
export async function lockPortalCodeOfLink(
  sql: Connection,
  { link_hash, now }: { link_hash: Buffer; now: Date },
): Promise<OpenPortalCodeRow | null> {
  const [row] = await sql<OpenPortalCodeRow[]>`
    select id, email, mailed, failures from portal_codes
    where link_hash = ${link_hash} and expires_at > ${now} and used_at is null
    for no key update`;
  return row ?? null;
}

export async function countPortalCodeFailure(sql: Connection, id: string): Promise<void> {
  await sql`update portal_codes set failures = failures + 1 where id = ${id}`;
}

export async function usePortalCode(
  sql: Connection,
  { id, used_at }: { id: string; used_at: Date },
): Promise<void> {
  await sql`update portal_codes set used_at = ${used_at} where id = ${id}`;
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

/** A code to mail; null: it was used, or has expired. */
export async function findMailedPortalCode(
  sql: Connection,
  { id, email }: { id: string; email: string },
): Promise<{ expires_at: Date } | null> {
  const [row] = await sql<{ expires_at: Date }[]>`
    select expires_at from portal_codes
    where id = ${id} and email = ${email} and expires_at > now() and used_at is null`;
  return row ?? null;
}

/** Deletes an address' codes with their mails, and its sessions unless another affiliate has the address. */
export async function deletePortalAccess(sql: Connection, email: string): Promise<void> {
  await sql`
    with code as (delete from portal_codes where email = ${email} returning id)
    delete from mails using code, organizations organization
    where mails.organization_id = organization.id and mails.kind = 'portal_code' and mails.about = code.id::text
      and mails.recipient = ${email}`;
  await sql`
    delete from portal_sessions
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
