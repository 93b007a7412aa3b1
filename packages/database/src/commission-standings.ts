import type { Connection } from "./connect.ts";
import type { CommissionRow } from "./rows.ts";
import { statement } from "./statement.ts";

export type CommissionStatus = CommissionRow["payout_status"];

/**
 * What is in no payout is locked: a run that comes to it waits for this transaction, and sees then what it is. Of two
 * moments it is one: what a run took while this waited is not found in either table.
 */
const LOCK_STANDINGS = statement<
  { id: string; payout_status: CommissionStatus },
  "organization_id" | "ids" | "affiliate_ids"
>(`
  with unpaid as materialized (
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
 * Commissions whose rows this transaction has locked, with where they stand; none of those that are unpaid goes into a
 * payout before it ends.
 */
export async function lockStandings<Row extends { id: string; affiliate_id: string; voided: boolean }>(
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
      : await LOCK_STANDINGS.run(sql, { organization_id: organizationId, ids, affiliate_ids });
  const standings = new Map(found.map(({ id, payout_status }) => [id, payout_status]));
  return rows.map(({ voided, ...row }) => ({
    ...row,
    payout_status: voided ? "voided" : (standings.get(row.id) ?? "pending"),
  }));
}
