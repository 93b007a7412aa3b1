import { type AffiliateText, affiliateTextCondition } from "../affiliates/search.ts";
import type { RowRange } from "../commissions/list-rows.ts";
import { JOIN_RECRUIT, OWN_CUSTOMER_EMAIL, OWN_RECRUIT_COLUMNS } from "../commissions/recruit-columns.ts";
import type { Connection } from "../postgres/connect.ts";
import { statement } from "../postgres/statement.ts";
import type { CampaignRow, PayoutRow } from "../rows.ts";
import { CONVERSIONS, type PayoutConversionRow } from "./conversions.ts";

type Status = PayoutRow["status"];

/** A payout with the names that the dashboard's lists show. */
export interface PayoutListRow {
  id: string;
  affiliate_id: string;
  affiliate_email: string;
  first_name: string;
  last_name: string;
  affiliate_name: string;
  payout_email: string | null;
  amount_minor: bigint;
  currency: string;
  payment_count: number;
  period: string;
  status: Status;
  method: PayoutRow["method"];
  status_at: Date;
  status_reason: string | null;
  run_id: string | null;
  created_at: Date;
  /** Null: it converts nothing. */
  conversions: PayoutConversionRow[] | null;
  /** Whether the affiliate was erased. */
  is_erased: boolean;
}

export interface PayoutRowFilter {
  run_id?: string | undefined;
  affiliate_id?: string | undefined;
  /** Any of these. */
  statuses: readonly Status[];
  currency?: string | undefined;
  from_id?: string | undefined;
  before_id?: string | undefined;
  text?: PayoutText | undefined;
}

/** Some payouts, or those of the affiliates with a text. */
export type PayoutText = { ids: readonly string[] } | AffiliateText;

type Fragment = ReturnType<Connection["unsafe"]>;

export interface PayoutPageQuery {
  filter: PayoutRowFilter;
  range: RowRange;
  /** The number of payouts to search for a frequent text; null: all. */
  most: number | null;
}

/** Returns a page of payouts with their affiliates, newest first; with `before`, oldest first. */
export async function listPayoutRows(
  sql: Connection,
  organizationId: string,
  query: PayoutPageQuery,
): Promise<PayoutListRow[]> {
  const { range } = query;
  const order = range.before === null ? sql`desc` : sql`asc`;
  return await sql<PayoutListRow[]>`
    select payout.id, payout.affiliate_id, affiliate.email as affiliate_email, affiliate.first_name,
      affiliate.last_name, payout.affiliate_name, payout.payout_email, payout.amount_minor, payout.currency,
      payout.payment_count, payout.period, payout.status, payout.method, payout.status_at, payout.status_reason,
      payout.run_id, payout.created_at, affiliate.erased_at is not null as is_erased,
      ${sql.unsafe(CONVERSIONS)} as conversions
    from (${chosen(sql, organizationId, query)}) as payout
    join affiliates affiliate
      on affiliate.organization_id = ${organizationId} and affiliate.id = payout.affiliate_id
    order by payout.id ${order}`;
}

/** All pages of a list, up to a number of rows. */
interface MatchQuery {
  filter: PayoutRowFilter;
  most: number;
}

/** Counts the payouts of a list, up to `most`. */
export async function countPayoutRows(
  sql: Connection,
  organizationId: string,
  { filter, most }: MatchQuery,
): Promise<number> {
  const range = { after: null, before: null, limit: most };
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int as count from (${chosen(sql, organizationId, { filter, range, most: null })}) as payout`;
  return row.count;
}

/** Returns the statuses of the payouts of a list, up to `most`, newest first. */
export async function listMatchingPayouts(
  sql: Connection,
  organizationId: string,
  { filter, most }: MatchQuery,
): Promise<Pick<PayoutListRow, "id" | "status">[]> {
  const range = { after: null, before: null, limit: most };
  return await sql<Pick<PayoutListRow, "id" | "status">[]>`
    select payout.id, payout.status
    from (${chosen(sql, organizationId, { filter, range, most: null })}) as payout
    order by payout.id desc`;
}

/** The last of the `most` payouts that are searched for a frequent text; null if there are fewer. */
export async function findLastSearched(
  sql: Connection,
  organizationId: string,
  { filter, range, most }: PayoutPageQuery & { most: number },
): Promise<string | null> {
  const [row] = await sql<{ id: string }[]>`
    select id from (${byStatus(sql, organizationId, { filter, range, most })}) as payout
    offset ${most - 1}`;
  return row?.id ?? null;
}

/** The payouts of a page, in its order. */
function chosen(sql: Connection, organizationId: string, { filter, range, most }: PayoutPageQuery): Fragment {
  const { text } = filter;
  if (text === undefined || "ids" in text) {
    return byStatus(sql, organizationId, { filter, range, most: range.limit });
  }
  const ordered = ordering(sql, { range, most: range.limit });
  if (text.affiliate_ids !== null) {
    return sql`
      select payout.* from unnest(${[...text.affiliate_ids]}::uuid[]) as matching (id)
      cross join lateral (
        select * from payouts payout
        where payout.organization_id = ${organizationId} and payout.affiliate_id = matching.id
          and payout.status = any (${[...filter.statuses]}::text[]) ${conditions(sql, filter, range)}
        ${ordered}
      ) as payout
      ${ordered}`;
  }
  const has_text = affiliateTextCondition(sql, organizationId, text);
  return sql`
    select payout.* from (${byStatus(sql, organizationId, { filter, range, most })}) as payout
    where true ${has_text(sql`payout.affiliate_id`)}
    ${ordered}`;
}

const FIRST_ID = "00000000-0000-0000-0000-000000000000";
const LAST_ID = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/**
 * The next `most` payouts of the filter's statuses. They are read one by one, because the indexes sort within a status. They are
 * ranges of its columns: for `status = 'failed'`, the planner would walk all payouts in the order of their ids to find a few.
 */
function byStatus(
  sql: Connection,
  organizationId: string,
  { filter, range, most }: PayoutPageQuery,
): Fragment {
  const { after, before } = range;
  const way = before === null ? sql`desc` : sql`asc`;
  return sql`
    select payout.* from unnest(${[...filter.statuses]}::text[]) as asked (status)
    cross join lateral (
      select * from payouts payout
      where payout.organization_id = ${organizationId}
        and (payout.status, payout.id) > (asked.status, ${before ?? FIRST_ID}::uuid)
        and (payout.status, payout.id) < (asked.status, ${after ?? LAST_ID}::uuid)
        ${conditions(sql, filter, range)}
      order by payout.status ${way}, payout.id ${way} ${most === null ? sql`` : sql`limit ${most}`}
    ) as payout
    ${ordering(sql, { range, most })}`;
}

function ordering(sql: Connection, { range, most }: { range: RowRange; most: number | null }): Fragment {
  const way = range.before === null ? sql`desc` : sql`asc`;
  return sql`order by payout.id ${way} ${most === null ? sql`` : sql`limit ${most}`}`;
}

function conditions(sql: Connection, filter: PayoutRowFilter, { after, before }: RowRange): Fragment[] {
  const { run_id, affiliate_id, currency, from_id, before_id, text } = filter;
  return [
    run_id === undefined ? sql`` : sql`and payout.run_id = ${run_id}`,
    affiliate_id === undefined ? sql`` : sql`and payout.affiliate_id = ${affiliate_id}`,
    currency === undefined ? sql`` : sql`and payout.currency = ${currency}`,
    from_id === undefined ? sql`` : sql`and payout.id >= ${from_id}`,
    before_id === undefined ? sql`` : sql`and payout.id < ${before_id}`,
    after === null ? sql`` : sql`and payout.id < ${after}`,
    before === null ? sql`` : sql`and payout.id > ${before}`,
    text !== undefined && "ids" in text ? sql`and payout.id = any (${[...text.ids]}::uuid[])` : sql``,
  ];
}

const OPEN = statement<{ id: string }, "organization_id" | "run_id" | "limit">(`
  select id from payouts
  where organization_id = :organization_id::uuid and run_id = :run_id::uuid and status in ('pending', 'processing')
  order by id limit :limit::int`);

/** Returns the ids of payouts of a run that are pending or processing. */
export async function listOpenPayouts(
  sql: Connection,
  organizationId: string,
  { run_id, limit }: { run_id: string; limit: number },
): Promise<string[]> {
  const rows = await OPEN.run(sql, { organization_id: organizationId, run_id, limit });
  return rows.map(({ id }) => id);
}

/** A commission or an adjustment of a payout. */
export interface PayoutLineRow {
  id: string;
  /** When the customer paid, or when the adjustment was created. */
  referral_date: Date;
  /** Null: an adjustment, or for a recruit. */
  customer_email: string | null;
  hide_emails: boolean;
  leaderboard: CampaignRow["leaderboard"];
  /** Null: not for a recruit, as the names. */
  recruit_commission_id: string | null;
  recruit_first_name: string | null;
  recruit_last_name: string | null;
  /** Null: an adjustment. */
  revenue_minor: bigint | null;
  commission_minor: bigint;
  currency: string;
  reversal_of: string | null;
  /** The kind of lead that it is for; null: a payment, or an adjustment. */
  lead: string | null;
  /** Null: a commission. */
  adjustment_reason: string | null;
  /** The commission that the adjustment corrects. */
  adjusted_commission_id: string | null;
}

/** Columns of a payout's line, of a row `placed` with `commission_id`, and the tables that `PAYOUT_LINE_JOINS` joins to it. */
export const PAYOUT_LINE = `placed.commission_id as id,
    coalesce(commission.referral_date, adjustment.created_at) as referral_date, ${OWN_CUSTOMER_EMAIL} as customer_email,
    campaign.hide_emails, campaign.leaderboard, ${OWN_RECRUIT_COLUMNS}, coalesce(commission.currency, adjustment.currency) as currency,
    commission.revenue_minor, commission.reversal_of, commission.lead, adjustment.reason as adjustment_reason,
    adjustment.commission_id as adjusted_commission_id`;

export const PAYOUT_LINE_JOINS = `
  left join commissions commission
    on commission.organization_id = :organization_id::uuid and commission.id = placed.commission_id
  left join referrals referral
    on referral.organization_id = :organization_id::uuid and referral.id = commission.referral_id
  ${JOIN_RECRUIT}
  left join adjustments adjustment
    on adjustment.organization_id = :organization_id::uuid and adjustment.id = placed.commission_id
  join affiliates affiliate
    on affiliate.organization_id = :organization_id::uuid
      and affiliate.id = coalesce(commission.affiliate_id, adjustment.affiliate_id)
  join campaigns campaign
    on campaign.organization_id = :organization_id::uuid and campaign.id = affiliate.campaign_id`;

/** The entries that created the payout name its lines, also those that were released since. */
const LINES = statement<PayoutLineRow, "organization_id" | "payout_id" | "limit">(`
  select ${PAYOUT_LINE}, coalesce(commission.commission_minor, adjustment.amount_minor) as commission_minor
  from (
    select unnest(commission_ids) as commission_id from ledger_entries
    where organization_id = :organization_id::uuid and payout_id = :payout_id::uuid
      and kind in ('put_into_payout', 'converted')
    order by 1 limit :limit::int
  ) as placed
  ${PAYOUT_LINE_JOINS}
  order by placed.commission_id`);

/** Returns the commissions and adjustments that a payout was created from, oldest first. */
export async function listPayoutLines(
  sql: Connection,
  organizationId: string,
  { payout_id, limit }: { payout_id: string; limit: number },
): Promise<PayoutLineRow[]> {
  return await LINES.run(sql, { organization_id: organizationId, payout_id, limit });
}
