import type { Connection } from "./connect.ts";
import type { CommissionRow } from "./rows.ts";
import { statement } from "./statement.ts";

export type CommissionStatus = CommissionRow["payout_status"];

/**
 * Locks the rows of unpaid commissions: a payout run that reads one waits for this transaction, and then sees its
 * current state. A commission that a concurrent run takes during the wait appears in neither table.
 */
const LOCK_PAYOUT_STATUSES = statement<
  { id: string; payout_status: CommissionStatus },
  "organization_id" | "ids" | "affiliate_ids"
>(`
  with unpaid as (
    select commission_id from unpaid_commissions
    where organization_id = :organization_id::uuid and commission_id = any (:ids::uuid[])
    for update
  )
  select commission_id as id, 'not_paid' as payout_status from unpaid
  union all
  select placed.commission_id, 'paid'
  from unnest(:affiliate_ids::uuid[], :ids::uuid[]) as commission (affiliate_id, id)
  join payout_commissions placed on placed.organization_id = :organization_id::uuid
    and placed.affiliate_id = commission.affiliate_id and placed.commission_id = commission.id
  join payouts payout on payout.organization_id = placed.organization_id and payout.id = placed.payout_id
  where payout.status = 'paid'`);

/**
 * Returns commissions whose rows this transaction has locked, with their payout states. No payout run takes an unpaid
 * one before the transaction ends.
 */
export async function lockPayoutStatuses<Row extends { id: string; affiliate_id: string; voided: boolean }>(
  sql: Connection,
  organizationId: string,
  rows: readonly Row[],
): Promise<(Omit<Row, "voided"> & { payout_status: CommissionStatus })[]> {
  const live = rows.filter(({ voided }) => !voided);
  const ids = live.map(({ id }) => id);
  const affiliate_ids = live.map(({ affiliate_id }) => affiliate_id);
  const found =
    live.length === 0
      ? []
      : await LOCK_PAYOUT_STATUSES.run(sql, { organization_id: organizationId, ids, affiliate_ids });
  const statuses = new Map(found.map(({ id, payout_status }) => [id, payout_status]));
  return rows.map(({ voided, ...row }) => ({
    ...row,
    payout_status: voided ? "voided" : (statuses.get(row.id) ?? "pending"),
  }));
}
