import type { Connection } from "../postgres/connect.ts";
import { statement } from "../postgres/statement.ts";
import type { CommissionRow } from "../rows.ts";

export type CommissionStatus = CommissionRow["payout_status"];

const READ_PAYOUT_STATUSES = payoutStatusesStatement("");

/**
 * Locks the rows of unpaid commissions: a payout run that reads one waits for this transaction, and then sees its
 * current state. A commission that a concurrent run takes during the wait appears in neither table.
 */
const LOCK_PAYOUT_STATUSES = payoutStatusesStatement("for update");

function payoutStatusesStatement(lock: "" | "for update") {
  return statement<
    { id: string; payout_status: CommissionStatus },
    "organization_id" | "ids" | "affiliate_ids"
  >(`
    with unpaid as (
      select commission_id from unpaid_commissions
      where organization_id = :organization_id::uuid and commission_id = any (:ids::uuid[])
      ${lock}
    )
    select commission_id as id, 'not_paid' as payout_status from unpaid
    union all
    select placed.commission_id, 'paid'
    from unnest(:affiliate_ids::uuid[], :ids::uuid[]) as commission (affiliate_id, id)
    join payout_commissions placed on placed.organization_id = :organization_id::uuid
      and placed.affiliate_id = commission.affiliate_id and placed.commission_id = commission.id
    join payouts payout on payout.organization_id = placed.organization_id and payout.id = placed.payout_id
    where payout.status = 'paid'`);
}

type Voidable = { id: string; affiliate_id: string; voided: boolean };
type WithStatus<Row> = Omit<Row, "voided"> & { payout_status: CommissionStatus };

/** Returns commissions with their payout statuses, which may change at any time. */
export async function readPayoutStatuses<Row extends Voidable>(
  sql: Connection,
  organizationId: string,
  rows: readonly Row[],
): Promise<WithStatus<Row>[]> {
  return await withStatuses(rows, (of) =>
    READ_PAYOUT_STATUSES.run(sql, { organization_id: organizationId, ...of }),
  );
}

/**
 * Returns commissions with their payout states. The caller has locked their rows, so no payout run takes an unpaid one before
 * the transaction ends.
 */
export async function lockPayoutStatuses<Row extends Voidable>(
  sql: Connection,
  organizationId: string,
  rows: readonly Row[],
): Promise<WithStatus<Row>[]> {
  return await withStatuses(rows, (of) =>
    LOCK_PAYOUT_STATUSES.run(sql, { organization_id: organizationId, ...of }),
  );
}

async function withStatuses<Row extends Voidable>(
  rows: readonly Row[],
  find: (of: {
    ids: string[];
    affiliate_ids: string[];
  }) => Promise<{ id: string; payout_status: CommissionStatus }[]>,
): Promise<WithStatus<Row>[]> {
  const live = rows.filter(({ voided }) => !voided);
  const ids = live.map(({ id }) => id);
  const affiliate_ids = live.map(({ affiliate_id }) => affiliate_id);
  const found = live.length === 0 ? [] : await find({ ids, affiliate_ids });
  const statuses = new Map(found.map(({ id, payout_status }) => [id, payout_status]));
  return rows.map(({ voided, ...row }) => ({
    ...row,
    payout_status: voided ? "voided" : (statuses.get(row.id) ?? "pending"),
  }));
}
