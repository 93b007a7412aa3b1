import type { Connection } from "../postgres/connect.ts";
import type { PageRange } from "../postgres/pages.ts";
import { commissionReader } from "../readers.ts";
import type { CommissionRow, PayoutRow, ReviewState } from "../rows.ts";
import { type CommissionStatus, lockPayoutStatuses } from "./changes.ts";

export type CommissionValues = Pick<
  CommissionRow,
  "revenue_minor" | "commission_minor" | "payout_status" | "referral_date" | "processor_payment_id"
>;

export interface CommissionFilter {
  affiliate_id?: string | undefined;
  referral_id?: string | undefined;
  payout_status?: CommissionStatus | undefined;
  review_state?: ReviewState | undefined;
  for_recruits?: boolean | undefined;
  created_after?: Date | undefined;
  created_before?: Date | undefined;
  /** Bounds of the ids for the two times: ids ascend with created_at, and only ids have an index. */
  from_id?: string | undefined;
  before_id?: string | undefined;
  /** The only payouts with matching commissions. */
  payout_ids?: readonly string[] | undefined;
}

/** Returns the commission with its nested resources. */
export const findCommission = commissionReader.find;

/** Same as `findCommission`, and locks the row and its payout state against changes until the transaction ends. */
export async function lockCommission(
  sql: Connection,
  organizationId: string,
  id: string,
): Promise<(CommissionRow & { reversal_of: string | null }) | null> {
  const rows = await sql<{ id: string; affiliate_id: string; voided: boolean; reversal_of: string | null }[]>`
    select id, affiliate_id, voided, reversal_of from commissions
    where organization_id = ${organizationId} and id = ${id} for no key update`;
  const [status] = await lockPayoutStatuses(sql, organizationId, rows);
  const found = await findCommission(sql, organizationId, id);
  // The state at the time of the lock, even if the commission has left a payout since.
  if (found === null || status === undefined) return null;
  return { ...found, payout_status: status.payout_status, reversal_of: status.reversal_of };
}

/** Returns the commission of a recruit that a commission is a percentage of; null: of none. */
export async function findRecruitCommissionId(
  sql: Connection,
  organizationId: string,
  id: string,
): Promise<string | null> {
  const [row] = await sql<{ recruit_commission_id: string | null }[]>`
    select recruit_commission_id from commissions where organization_id = ${organizationId} and id = ${id}`;
  return row?.recruit_commission_id ?? null;
}

/**
 * Whether a commission is a reversal that a later commission of its affiliate offset, or an addition that was reversed
 * later: the affiliate's earnings of the payment include both amounts.
 */
export async function isReplaced(sql: Connection, organizationId: string, id: string): Promise<boolean> {
  const rows = await sql`
    select from commissions commission
    join commissions later
      on later.organization_id = commission.organization_id and later.reversal_of = commission.reversal_of
        and later.affiliate_id = commission.affiliate_id and (later.created_at, later.id) > (commission.created_at, commission.id) and not later.voided
        and sign(later.commission_minor) <> sign(commission.commission_minor)
    where commission.organization_id = ${organizationId} and commission.id = ${id}
    limit 1`;
  return rows.length > 0;
}

export async function listCommissions(
  sql: Connection,
  organizationId: string,
  { filter, range }: { filter: CommissionFilter; range: PageRange },
): Promise<CommissionRow[]> {
  return await commissionReader.list(sql, organizationId, {
    chosen: sql`
      select commission.* from ${tableOf(sql, filter)} commission where ${conditions(sql, organizationId, filter)}`,
    range,
  });
}

/**
 * Counts the commissions of a filter. With only a payout status, or also an affiliate, it reads no
 * commission: payouts store their number of commissions, and `unpaid_commissions` has the others. With a
 * further filter, it also reads those of the status from there, and not the states of all others.
 */
export async function countCommissions(
  sql: Connection,
  organizationId: string,
  { payout_status, ...filter }: CommissionFilter,
): Promise<number> {
  const { affiliate_id, ...others } = filter;
  const is_by_status = Object.values(others).every((value) => value === undefined);
  if (is_by_status && isPlaced(payout_status)) {
    return await countPlaced(sql, organizationId, { payout_status, affiliate_id });
  }
  if (is_by_status && payout_status === "not_paid")
    return await countUnpaid(sql, organizationId, affiliate_id);
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int as count ${ofStatus(sql, organizationId, { payout_status, ...filter })}`;
  return row.count;
}

/** The commissions of a filter, from the table that has the fewest others. */
function ofStatus(sql: Connection, organizationId: string, { payout_status, ...filter }: CommissionFilter) {
  const matching = conditions(sql, organizationId, filter);
  if (payout_status === undefined) return sql`from commissions commission where ${matching}`;
  if (payout_status === "not_paid") {
    return sql`
      from unpaid_commissions unpaid
      join commissions commission
        on commission.organization_id = unpaid.organization_id and commission.id = unpaid.commission_id
      where unpaid.organization_id = ${organizationId} and ${matching}`;
  }
  if (payout_status === "voided")
    return sql`from commissions commission where ${matching} and commission.voided`;
  const { from_id, before_id } = filter;
  return sql`
    from payouts payout
    join payout_commissions placed on placed.organization_id = ${organizationId} and placed.payout_id = payout.id
      ${from_id === undefined ? sql`` : sql`and placed.commission_id >= ${from_id}`}
      ${before_id === undefined ? sql`` : sql`and placed.commission_id < ${before_id}`}
    join commissions commission
      on commission.affiliate_id = placed.affiliate_id and commission.id = placed.commission_id
    where payout.organization_id = ${organizationId} and payout.status = any (${PAYOUTS_OF[payout_status]})
      and ${matching}`;
}

/** A payout stores its number of commissions and adjustments, which are few. */
async function countPlaced(
  sql: Connection,
  organizationId: string,
  { payout_status, affiliate_id }: { payout_status: PlacedStatus; affiliate_id: string | undefined },
): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    with payout as (
      select id, payment_count from payouts
      where organization_id = ${organizationId} and status = any (${PAYOUTS_OF[payout_status]})
        ${affiliate_id === undefined ? sql`` : sql`and affiliate_id = ${affiliate_id}`}
    )
    select (coalesce(sum(payment_count), 0) - (
      select count(*) from adjustments adjustment
      join payout_commissions placed
        on placed.organization_id = ${organizationId} and placed.affiliate_id = adjustment.affiliate_id
          and placed.commission_id = adjustment.id
      where adjustment.organization_id = ${organizationId} and placed.payout_id in (select id from payout)
        ${affiliate_id === undefined ? sql`` : sql`and adjustment.affiliate_id = ${affiliate_id}`}
    ))::int as count
    from payout`;
  return row.count;
}

/**
 * Counts unpaid commissions and adjustments. A voided one is neither unpaid nor in a payout, so they are all
 * of `not_paid`.
 */
async function countUnpaid(
  sql: Connection,
  organizationId: string,
  affiliateId: string | undefined,
): Promise<number> {
  const ofAffiliate = (alias: string) =>
    affiliateId === undefined ? sql`` : sql`and ${sql(alias)}.affiliate_id = ${affiliateId}`;
  const [row] = await sql<[{ count: number }]>`
    select (
      (select count(*) from unpaid_commissions unpaid
        where unpaid.organization_id = ${organizationId} ${ofAffiliate("unpaid")})
      - (select count(*) from adjustments adjustment
        join unpaid_commissions unpaid
          on unpaid.organization_id = adjustment.organization_id and unpaid.commission_id = adjustment.id
        where adjustment.organization_id = ${organizationId} ${ofAffiliate("adjustment")})
    )::int as count`;
  return row.count;
}

function tableOf(sql: Connection, { payout_status }: CommissionFilter) {
  return payout_status === undefined ? sql`commissions` : sql`commission_states`;
}

function conditions(sql: Connection, organizationId: string, filter: CommissionFilter) {
  const { affiliate_id, referral_id, payout_status, review_state, for_recruits, payout_ids } = filter;
  const { created_after, created_before, from_id, before_id } = filter;
  return [
    sql`commission.organization_id = ${organizationId}`,
    affiliate_id === undefined ? sql`` : sql`and commission.affiliate_id = ${affiliate_id}`,
    referral_id === undefined ? sql`` : sql`and commission.referral_id = ${referral_id}`,
    payout_status === undefined ? sql`` : sql`and commission.payout_status = ${payout_status}`,
    payout_status === "voided" ? sql`and commission.voided` : sql``,
    review_state === undefined ? sql`` : reviewed(sql, review_state),
    for_recruits === undefined
      ? sql``
      : for_recruits
        ? sql`and commission.recruit_commission_id is not null`
        : sql`and commission.recruit_commission_id is null`,
    created_after === undefined ? sql`` : sql`and commission.created_at >= ${created_after}`,
    created_before === undefined ? sql`` : sql`and commission.created_at < ${created_before}`,
    from_id === undefined ? sql`` : sql`and commission.id >= ${from_id}`,
    before_id === undefined ? sql`` : sql`and commission.id < ${before_id}`,
    payout_ids === undefined
      ? sql``
      : sql`and commission.id = any (array(
          select commission_id from payout_commissions
          where organization_id = ${organizationId} and payout_id = any (${[...payout_ids]}::uuid[])))`,
  ];
}

/** With the condition of the index, which Postgres does not infer from a parameter. */
function reviewed(sql: Connection, state: ReviewState) {
  return sql`and commission.review_state = ${state} ${state === "none" ? sql`` : sql`and commission.review_state <> 'none'`}`;
}

/** The payout states of commissions in a payout. */
type PlacedStatus = "pending" | "paid";

/** The statuses of payouts, by the status of their commissions. */
const PAYOUTS_OF: Record<PlacedStatus, PayoutRow["status"][]> = {
  pending: ["pending", "processing"],
  paid: ["paid"],
};

export function isPlaced(status: CommissionStatus | undefined): status is PlacedStatus {
  return status === "pending" || status === "paid";
}

export interface NewestPayout {
  id: string;
  payment_count: number;
  /** All commissions of these payouts were created before it. */
  newest_at: Date;
}

/** Returns the newest payouts with commissions of the status, at most `limit`. */
export async function findNewestPayouts(
  sql: Connection,
  organizationId: string,
  { payout_status, limit }: { payout_status: PlacedStatus; limit: number },
): Promise<NewestPayout[]> {
  return await sql<NewestPayout[]>`
    select payout.id, payout.payment_count, greatest(payout.created_at, run.cutoff_at) as newest_at
    from unnest(${PAYOUTS_OF[payout_status]}::text[]) as one (status)
    cross join lateral (
      select id, run_id, payment_count, created_at from payouts
      where organization_id = ${organizationId} and status = one.status
      order by id desc limit ${limit}
    ) as payout
    left join payout_runs run on run.organization_id = ${organizationId} and run.id = payout.run_id
    order by newest_at desc limit ${limit}`;
}
