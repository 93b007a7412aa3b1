import type { Connection, Transaction } from "../postgres/connect.ts";
import { statement } from "../postgres/statement.ts";

export interface PayoutHold {
  affiliate_id: string;
  reason: string;
  held_by: string;
  held_at: Date;
  /** Whether a ban set it. */
  of_ban: boolean;
  /** When it ends automatically; null: only a person ends it. */
  ends_at: Date | null;
}

/**
 * The weaker hold changes nothing. The hold of a changed address is the weakest, then comes a ban's, then a
 * person's.
 */
const IS_WEAKER = `case when former.ends_at is null
    then excluded.ends_at is not null or (excluded.of_ban and not former.of_ban) else false end`;

/** A ban leaves the hold that a person set before as it is, so that the end of the ban does not end it. */
const SET = statement<{ is_new: boolean }, "organization_id" | keyof PayoutHold>(`
  insert into payout_holds as former (organization_id, affiliate_id, reason, held_by, held_at, of_ban, ends_at)
  values (:organization_id::uuid, :affiliate_id::uuid, :reason::text, :held_by::text, :held_at::timestamptz, :of_ban::boolean, :ends_at::timestamptz)
  on conflict (organization_id, affiliate_id) do update
  set reason = case when ${IS_WEAKER} then former.reason else excluded.reason end,
    of_ban = case when former.ends_at is not null then excluded.of_ban
      else former.of_ban and (excluded.of_ban or excluded.ends_at is not null) end,
    ends_at = case when ${IS_WEAKER} then former.ends_at else excluded.ends_at end
  returning xmax = 0 as is_new`);

/** Leaves an affiliate out of payout runs, or replaces the reason. Returns whether it was in them before. */
export async function setPayoutHold(
  sql: Transaction,
  organizationId: string,
  hold: PayoutHold,
): Promise<boolean> {
  await sql`
    delete from payout_holds
    where organization_id = ${organizationId} and affiliate_id = ${hold.affiliate_id} and ends_at <= now()`;
  const [row] = await SET.run(sql, { organization_id: organizationId, ...hold });
  return row?.is_new ?? false;
}

export async function findPayoutHold(
  sql: Connection,
  organizationId: string,
  affiliate_id: string,
): Promise<PayoutHold | null> {
  const [row] = await sql<PayoutHold[]>`
    select affiliate_id, reason, held_by, held_at, of_ban, ends_at from current_payout_holds
    where organization_id = ${organizationId} and affiliate_id = ${affiliate_id}`;
  return row ?? null;
}

/** Lets payout runs pay an affiliate again, if asked only after the hold of a ban. False: they do already, or a person set the hold. */
export async function deletePayoutHold(
  sql: Transaction,
  organizationId: string,
  { affiliate_id, only_of_ban = false }: { affiliate_id: string; only_of_ban?: boolean },
): Promise<boolean> {
  const rows = await sql`
    delete from payout_holds
    where organization_id = ${organizationId} and affiliate_id = ${affiliate_id}
      ${only_of_ban ? sql`and of_ban` : sql``}
    returning affiliate_id`;
  return rows.length > 0;
}

/** A commission or an adjustment that no payout has. */
export interface UnpaidLine {
  id: string;
  is_adjustment: boolean;
}

/** The commissions and adjustments above zero of an affiliate that no payout has, held ones included. */
export async function listUnpaid(
  sql: Connection,
  organizationId: string,
  { affiliate_id, limit }: { affiliate_id: string; limit: number },
): Promise<UnpaidLine[]> {
  return await sql<UnpaidLine[]>`
    select commission_id as id, exists (
        select from adjustments where organization_id = ${organizationId} and id = unpaid.commission_id) as is_adjustment
    from unpaid_commissions unpaid
    where organization_id = ${organizationId} and affiliate_id = ${affiliate_id} and commission_minor > 0
    order by commission_id limit ${limit}`;
}

/** SQL: whether the payout runs of the organization leave out the affiliate of a row. */
export function isWithheld(row: string): string {
  return `exists (
      select from current_payout_holds hold
      where hold.organization_id = :organization_id::uuid and hold.affiliate_id = ${row}.affiliate_id)`;
}

/** Whether a payout has an affiliate's commission or adjustment. */
export async function isInPayout(
  sql: Connection,
  organizationId: string,
  { affiliate_id, id }: { affiliate_id: string; id: string },
): Promise<boolean> {
  const rows = await sql`
    select from payout_commissions
    where organization_id = ${organizationId} and affiliate_id = ${affiliate_id} and commission_id = ${id}`;
  return rows.length > 0;
}
