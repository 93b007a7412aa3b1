import type { Connection, Transaction } from "../postgres/connect.ts";
import { statement } from "../postgres/statement.ts";

export interface ErasedBanRow {
  affiliate_id: string;
  /** Without the person's names and addresses. */
  reason: string | null;
  erased_at: Date;
}

const INSERT = statement<
  object,
  "organization_id" | "affiliate_id" | "reason" | "address_hashes" | "erased_at"
>(`
  insert into erased_bans (organization_id, affiliate_id, reason, address_hashes, erased_at)
  values (:organization_id::uuid, :affiliate_id::uuid, :reason::text, :address_hashes::text[], :erased_at::timestamptz)`);

/** Keeps a ban in the transaction that erases the affiliate. */
export async function insertErasedBan(
  sql: Transaction,
  organizationId: string,
  ban: ErasedBanRow & { address_hashes: string[] },
): Promise<void> {
  await INSERT.run(sql, { organization_id: organizationId, ...ban });
}

/** Whether the organization has any, so that the others need no hashes. */
export async function hasErasedBans(sql: Connection, organizationId: string): Promise<boolean> {
  const [row] = await sql<[{ found: boolean }]>`
    select exists (select from erased_bans where organization_id = ${organizationId}) as found`;
  return row.found;
}

const FIND_BY_ADDRESS = statement<
  { affiliate_id: string; address_hashes: string[] },
  "organization_id" | "hashes"
>(`
  select affiliate_id, address_hashes from erased_bans
  where organization_id = :organization_id::uuid and address_hashes && :hashes::text[]
  order by affiliate_id`);

/** Returns the erased affiliates that had one of the addresses. */
export async function findErasedBansByAddress(
  sql: Connection,
  organizationId: string,
  hashes: string[],
): Promise<{ affiliate_id: string; address_hashes: string[] }[]> {
  return await FIND_BY_ADDRESS.run(sql, { organization_id: organizationId, hashes });
}

export async function findErasedBan(
  sql: Connection,
  organizationId: string,
  affiliate_id: string,
): Promise<ErasedBanRow | null> {
  const [row] = await sql<ErasedBanRow[]>`
    select affiliate_id, reason, erased_at from erased_bans
    where organization_id = ${organizationId} and affiliate_id = ${affiliate_id}`;
  return row ?? null;
}

/** Forgets a ban, so that the person can join again. False: there is none. */
export async function deleteErasedBan(
  sql: Transaction,
  organizationId: string,
  affiliate_id: string,
): Promise<boolean> {
  const result = await sql`
    delete from erased_bans where organization_id = ${organizationId} and affiliate_id = ${affiliate_id}`;
  return result.count > 0;
}

/** Where an affiliate was paid, and where it wanted to be: its payout email, confirmed changes of it, and its payouts. */
export async function listPayoutAddresses(
  sql: Connection,
  organizationId: string,
  affiliate_id: string,
): Promise<string[]> {
  const rows = await sql<{ address: string }[]>`
    select address from (
      select payout_email as address from affiliates
      where organization_id = ${organizationId} and id = ${affiliate_id}
      union select email from payout_email_changes
      where organization_id = ${organizationId} and affiliate_id = ${affiliate_id} and used_at is not null
      union select former_email from payout_email_changes
      where organization_id = ${organizationId} and affiliate_id = ${affiliate_id}
      union select payout_email from payouts
      where organization_id = ${organizationId} and affiliate_id = ${affiliate_id}
    ) as known where address is not null order by address limit 100`;
  return rows.map(({ address }) => address);
}
