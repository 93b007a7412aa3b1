import type { Connection, Transaction } from "../postgres/connect.ts";
import { statement } from "../postgres/statement.ts";

export interface PayoutHold {
  affiliate_id: string;
  reason: string;
  held_by: string;
  held_at: Date;
}

const SET = statement<{ is_new: boolean }, "organization_id" | keyof PayoutHold>(`
  insert into payout_holds as former (organization_id, affiliate_id, reason, held_by, held_at)
  values (:organization_id::uuid, :affiliate_id::uuid, :reason::text, :held_by::text, :held_at::timestamptz)
  on conflict (organization_id, affiliate_id) do update set reason = excluded.reason
  returning xmax = 0 as is_new`);

/** Leaves an affiliate out of payout runs, or replaces the reason. Returns whether it was in them before. */
export async function setPayoutHold(
  sql: Transaction,
  organizationId: string,
  hold: PayoutHold,
): Promise<boolean> {
  const [row] = await SET.run(sql, { organization_id: organizationId, ...hold });
  return row?.is_new ?? false;
}

/** Lets payout runs pay an affiliate again. False: they do already. */
export async function deletePayoutHold(
  sql: Transaction,
  organizationId: string,
  affiliate_id: string,
): Promise<boolean> {
  const rows = await sql`
    delete from payout_holds where organization_id = ${organizationId} and affiliate_id = ${affiliate_id}
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
      select from payout_holds hold
      where hold.organization_id = :organization_id::uuid and hold.affiliate_id = ${row}.affiliate_id)`;
}
