import type { Connection } from "../postgres/connect.ts";
import type { PayoutRow } from "../rows.ts";

/** A run's payouts in a currency and a status. */
export interface RunTotalRow {
  run_id: string;
  currency: string;
  status: PayoutRow["status"];
  payouts: number;
  amount_minor: bigint;
}

/** Returns the sums of runs by currency and status, without those that are zero. */
export async function listRunTotals(
  sql: Connection,
  organizationId: string,
  runIds: readonly string[],
): Promise<RunTotalRow[]> {
  return await sql<RunTotalRow[]>`
    select run_id, currency, status, sum(payouts)::int as payouts, sum(amount_minor)::bigint as amount_minor
    from payout_run_totals
    where organization_id = ${organizationId} and run_id = any (${[...runIds]}::uuid[])
    group by run_id, currency, status having sum(payouts) <> 0
    order by run_id, currency, status`;
}

/** Merges the parts of runs' sums, except for parts that another transaction is merging. */
export async function foldRunTotals(
  sql: Connection,
  organizationId: string,
  runIds: readonly string[],
): Promise<void> {
  await sql`
    with part as (
      select run_id, number from payout_run_totals
      where organization_id = ${organizationId} and run_id = any (${[...runIds]}::uuid[])
      for update skip locked
    ),
    removed as (
      delete from payout_run_totals total using part
      where total.organization_id = ${organizationId} and total.run_id = part.run_id and total.number = part.number
      returning total.run_id, total.currency, total.status, total.payouts, total.amount_minor
    )
    insert into payout_run_totals (organization_id, run_id, currency, status, payouts, amount_minor)
    select ${organizationId}, run_id, currency, status, sum(payouts), sum(amount_minor) from removed
    group by run_id, currency, status having sum(payouts) <> 0`;
}
