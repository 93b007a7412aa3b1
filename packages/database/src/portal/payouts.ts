import type { RowRange } from "../commissions/list-rows.ts";
import { CONVERSIONS } from "../payouts/conversions.ts";
import {
  PAYOUT_LINE,
  PAYOUT_LINE_JOINS,
  type PayoutLineRow,
  type PayoutListRow,
} from "../payouts/list-rows.ts";
import type { Connection } from "../postgres/connect.ts";
import { statement } from "../postgres/statement.ts";
import type { OwnAffiliate } from "./home.ts";

export type OwnPayoutRow = Pick<
  PayoutListRow,
  | "id"
  | "affiliate_name"
  | "payout_email"
  | "amount_minor"
  | "currency"
  | "payment_count"
  | "period"
  | "status"
  | "status_at"
  | "created_at"
  | "conversions"
>;

const COLUMNS = `id, affiliate_name, payout_email, amount_minor, currency, payment_count, period, status, status_at,
  created_at, ${CONVERSIONS} as conversions`;

/** Returns a page of an affiliate's payouts, newest first; with `before`, oldest first. */
export async function listOwnPayouts(
  sql: Connection,
  {
    organization_id,
    affiliate_id,
    range: { after, before, limit },
  }: OwnAffiliate & {
    range: RowRange;
  },
): Promise<OwnPayoutRow[]> {
  return await sql<OwnPayoutRow[]>`
    select ${sql.unsafe(COLUMNS)} from payouts payout
    where organization_id = ${organization_id} and affiliate_id = ${affiliate_id}
      ${after === null ? sql`` : sql`and id < ${after}`}
      ${before === null ? sql`` : sql`and id > ${before}`}
    order by id ${before === null ? sql`desc` : sql`asc`} limit ${sql.unsafe(String(Math.trunc(limit)))}`;
}

/** `time_zone`: the run's; UTC for a payout without a run. */
const FIND = statement<OwnPayoutRow & { time_zone: string }, keyof OwnAffiliate | "id">(`
  select ${COLUMNS}, coalesce((
      select time_zone from payout_runs run
      where run.organization_id = payout.organization_id and run.id = payout.run_id), 'UTC') as time_zone
  from payouts payout
  where organization_id = :organization_id::uuid and id = :id::uuid and affiliate_id = :affiliate_id::uuid`);

/** Returns one payout of an affiliate; null: it has no such payout. */
export async function findOwnPayout(
  sql: Connection,
  { id, ...own }: OwnAffiliate & { id: string },
): Promise<(OwnPayoutRow & { time_zone: string }) | null> {
  const [row] = await FIND.run(sql, { ...own, id });
  return row ?? null;
}

const BEFORE_ALL = "00000000-0000-0000-0000-000000000000";

/**
 * The entries that created the payout name its lines, also those that were released since. Their amounts are the sums
 * of their earlier entries: a released commission can change.
 */
const LINES = statement<PayoutLineRow, keyof OwnAffiliate | "id" | "after" | "limit">(`
  select ${PAYOUT_LINE}, summed.commission_minor
  from (
    select number, commission_id from (
      select number, unnest(commission_ids) as commission_id from ledger_entries
      where organization_id = :organization_id::uuid and payout_id = :id::uuid and kind in ('put_into_payout', 'converted')
        and affiliate_id = :affiliate_id::uuid
    ) as named
    where commission_id > :after::uuid order by commission_id limit :limit::int
  ) as placed
  ${PAYOUT_LINE_JOINS}
  cross join lateral (
    select coalesce(sum(unpaid_minor), 0)::bigint as commission_minor from ledger_entries entry
    where entry.organization_id = :organization_id::uuid and entry.commission_id = placed.commission_id
      and entry.affiliate_id = :affiliate_id::uuid and entry.number < placed.number
  ) as summed
  where affiliate.id = :affiliate_id::uuid
  order by placed.commission_id`);

/** Returns commissions and adjustments that a payout was created from, oldest first. */
export async function listOwnPayoutLines(
  sql: Connection,
  { after, ...query }: OwnAffiliate & { id: string; after: string | null; limit: number },
): Promise<PayoutLineRow[]> {
  return await LINES.run(sql, { ...query, after: after ?? BEFORE_ALL });
}
