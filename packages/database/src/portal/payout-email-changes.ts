import { nameIn } from "../campaigns/translations.ts";
import type { PortalLanguage } from "../mails/language.ts";
import { mailLanguage } from "../mails/language.ts";
import type { Connection, Transaction } from "../postgres/connect.ts";
import { statement } from "../postgres/statement.ts";
import type { OwnAffiliate } from "./home.ts";

export interface NewPayoutEmailChange extends OwnAffiliate {
  id: string;
  session_id: string;
  email: string;
  former_email: string | null;
  created_at: Date;
  expires_at: Date;
}

const COUNT = statement<
  { of_affiliate: number; of_address: number },
  keyof OwnAffiliate | "email" | "since"
>(`
  select (
      select count(*)::int from payout_email_changes
      where organization_id = :organization_id::uuid and affiliate_id = :affiliate_id::uuid
        and created_at > :since::timestamptz
    ) as of_affiliate, (
      select count(*)::int from payout_email_changes
      where lower(email) = lower(:email::text) and created_at > :since::timestamptz
    ) as of_address`);

/** Counts the requests of an affiliate, and those with an address in all organizations, since a time. */
export async function countPayoutEmailChanges(
  sql: Transaction,
  asked: OwnAffiliate & { email: string; since: Date },
): Promise<{ of_affiliate: number; of_address: number }> {
  const [row] = await COUNT.run(sql, asked);
  return row ?? { of_affiliate: 0, of_address: 0 };
}

const INSERT = statement<object, keyof NewPayoutEmailChange>(`
  with change as (
    insert into payout_email_changes
      (organization_id, id, affiliate_id, session_id, email, former_email, created_at, expires_at)
    values (:organization_id::uuid, :id::uuid, :affiliate_id::uuid, :session_id::uuid, :email::text,
      :former_email::text, :created_at::timestamptz, :expires_at::timestamptz)
  )
  insert into mails (organization_id, kind, about, recipient)
  values (:organization_id::uuid, 'payout_email_code', :id::uuid::text, :email::text)`);

const INSERT_OWNERS_MAIL = statement<object, "organization_id" | "id" | "sign_in_email">(`
  insert into mails (organization_id, kind, about, recipient)
  values (:organization_id::uuid, 'payout_email_code', :id::uuid::text, :sign_in_email::text)`);

/** Inserts a request with the mails that have its codes: one to the new address, and one to the sign-in address if it differs. */
export async function insertPayoutEmailChange(
  sql: Transaction,
  { sign_in_email, ...change }: NewPayoutEmailChange & { sign_in_email: string },
): Promise<void> {
  await INSERT.run(sql, { ...change });
  if (sign_in_email.toLowerCase() === change.email.toLowerCase()) return;
  const { organization_id, id } = change;
  await INSERT_OWNERS_MAIL.run(sql, { organization_id, id, sign_in_email });
}

export interface PayoutEmailChangeRow {
  id: string;
  session_id: string;
  email: string;
  former_email: string | null;
  failures: number;
  created_at: Date;
  expires_at: Date;
  used_at: Date | null;
}

const COLUMNS = "id, session_id, email, former_email, failures, created_at, expires_at, used_at";

const FIND = statement<PayoutEmailChangeRow & { all_failures: number }, keyof OwnAffiliate | "since">(`
  select ${COLUMNS}, (
      select coalesce(sum(failures), 0)::int from payout_email_changes
      where organization_id = :organization_id::uuid and affiliate_id = :affiliate_id::uuid
        and created_at > :since::timestamptz
    ) as all_failures
  from payout_email_changes
  where organization_id = :organization_id::uuid and affiliate_id = :affiliate_id::uuid
  order by id desc limit 1`);

/** Returns an affiliate's newest request, and the wrong codes of all of them since a time. The caller has locked the affiliate. */
export async function findPayoutEmailChange(
  sql: Connection,
  asked: OwnAffiliate & { since: Date },
): Promise<(PayoutEmailChangeRow & { all_failures: number }) | null> {
  const [row] = await FIND.run(sql, asked);
  return row ?? null;
}

/** An affiliate's requests that are stored, oldest first: a few of each day. */
export async function listPayoutEmailChanges(
  sql: Connection,
  { organization_id, affiliate_id }: OwnAffiliate,
): Promise<PayoutEmailChangeRow[]> {
  return await sql<PayoutEmailChangeRow[]>`
    select ${sql.unsafe(COLUMNS)} from payout_email_changes
    where organization_id = ${organization_id} and affiliate_id = ${affiliate_id} order by id`;
}

export async function countPayoutEmailFailure(
  sql: Transaction,
  { organization_id, id }: { organization_id: string; id: string },
): Promise<void> {
  await sql`
    update payout_email_changes set failures = failures + 1
    where organization_id = ${organization_id} and id = ${id}`;
}

/** Marks a request as used, and writes the mails to the former addresses. */
export async function usePayoutEmailChange(
  sql: Transaction,
  {
    organization_id,
    id,
    used_at,
    recipients,
  }: { organization_id: string; id: string; used_at: Date; recipients: readonly string[] },
): Promise<void> {
  await sql`
    with change as (
      update payout_email_changes set used_at = ${used_at} where organization_id = ${organization_id} and id = ${id}
    )
    insert into mails (organization_id, kind, about, recipient)
    select ${organization_id}, 'payout_email_changed', ${id}::text, recipient
    from unnest(${[...recipients]}::text[]) as recipient`;
}

/**
 * Inserts the change to the sign-in address, which needs no code, with the mails to the former addresses. `email` is the sign-in
 * address.
 */
export async function insertClearedPayoutEmail(
  sql: Transaction,
  change: Omit<NewPayoutEmailChange, "created_at" | "expires_at"> & {
    at: Date;
    recipients: readonly string[];
  },
): Promise<void> {
  const { at, recipients, ...row } = change;
  const stored = { ...row, created_at: at, expires_at: at, used_at: at };
  await sql`
    with change as (insert into payout_email_changes ${sql(stored)})
    insert into mails (organization_id, kind, about, recipient)
    select ${row.organization_id}, 'payout_email_changed', ${row.id}::text, recipient
    from unnest(${[...recipients]}::text[]) as recipient`;
}

export interface MailedPayoutEmailRow {
  first_name: string;
  campaign_name: string;
  email: string;
  former_email: string | null;
  /** The person's; else the organization's first. */
  language: PortalLanguage;
  is_open: boolean;
  used_at: Date | null;
  /** The host name of the organization's portal; null: the service's. */
  portal_host: string | null;
}

const LANGUAGE = mailLanguage({ email: "lower(affiliate.email)", organization: "organization" });

/** The data for a mail about a request; null: the request is not stored any more. */
export async function findMailedPayoutEmail(
  sql: Connection,
  organizationId: string,
  id: string,
): Promise<MailedPayoutEmailRow | null> {
  const [row] = await sql<MailedPayoutEmailRow[]>`
    select affiliate.first_name, ${sql.unsafe(nameIn(LANGUAGE, "campaign"))} as campaign_name, change.email, change.former_email, change.used_at,
      ${sql.unsafe(LANGUAGE)} as language, organization.portal_host,
      change.used_at is null and change.expires_at > now() as is_open
    from payout_email_changes change
    join organizations organization on organization.id = change.organization_id
    join affiliates affiliate
      on affiliate.organization_id = change.organization_id and affiliate.id = change.affiliate_id
    join campaigns campaign
      on campaign.organization_id = change.organization_id and campaign.id = affiliate.campaign_id
    where change.organization_id = ${organizationId} and change.id = ${id}`;
  return row ?? null;
}

/** Deletes an affiliate's requests with their mails. */
export async function erasePayoutEmailChanges(
  sql: Transaction,
  organizationId: string,
  affiliateId: string,
): Promise<void> {
  await sql`
    with change as (
      delete from payout_email_changes
      where organization_id = ${organizationId} and affiliate_id = ${affiliateId} returning id
    )
    delete from mails using change
    where mails.organization_id = ${organizationId} and mails.about = change.id::text
      and mails.kind in ('payout_email_code', 'payout_email_changed')`;
}

/** Deletes at most `limit` requests that expired before; returns how many. */
export async function deleteOldPayoutEmailChanges(
  sql: Connection,
  { before, limit }: { before: Date; limit: number },
): Promise<number> {
  const result = await sql`
    delete from payout_email_changes where ctid = any (array(
      select ctid from payout_email_changes where expires_at < ${before} order by expires_at limit ${limit}))`;
  return result.count;
}
