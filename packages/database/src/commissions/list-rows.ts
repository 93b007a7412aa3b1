import type { Connection } from "../postgres/connect.ts";
import { JOIN_RECRUIT, RECRUIT_COLUMNS, type RecruitColumns } from "./recruit-columns.ts";
import { FINITE_DUE_AT, JOIN_REVIEW, REVIEW_COLUMNS, type ReviewColumns } from "./reviews.ts";
import { type CommissionText, frequentText, isRare } from "./search.ts";

/** The payout status, with `not_paid` divided. */
export type CommissionState = "in_review" | "held" | "due" | "pending" | "paid" | "voided";

/** A commission with the names that the dashboard's list shows. */
export interface CommissionListRow extends ReviewColumns, RecruitColumns {
  id: string;
  revenue_minor: bigint;
  commission_minor: bigint;
  currency: string;
  payout_status: "not_paid" | "pending" | "paid" | "voided";
  payable_at: Date;
  /** When a payout run takes it; null: it is in a payout, void or in review. */
  due_at: Date | null;
  referral_date: Date;
  created_at: Date;
  processor_payment_id: string | null;
  reversal_of: string | null;
  /** The kind of lead that it is for; null: a payment. */
  lead: string | null;
  affiliate_id: string;
  affiliate_email: string;
  first_name: string;
  last_name: string;
  referral_id: string;
  customer_email: string;
  payout_id: string | null;
  payout_period: string | null;
  decision_id: string | null;
  explanation: unknown;
  /** Of a void one: the payment, if it was taken back. */
  gone_id: string | null;
  gone_customer_id: string | null;
  gone_processor: string | null;
  gone_payment_id: string | null;
}

export interface CommissionRowFilter {
  /** In review: waits for a decision. Held: in no payout, and due after the moment. Due: the others in no payout. */
  state?: { name: CommissionState; now: Date } | undefined;
  affiliate_id?: string | undefined;
  campaign_id?: string | undefined;
  /** The affiliates that the filter leaves, if they have few commissions: these are read, and sorted. */
  affiliate_ids?: readonly string[] | null | undefined;
  reversal?: boolean | undefined;
  paid_from?: Date | undefined;
  paid_until?: Date | undefined;
  /** Commissions with larger ids do not match. */
  before_id?: string | undefined;
  /** The only payouts with matching commissions. */
  payout_ids?: readonly string[] | undefined;
  text?: CommissionText | undefined;
}

/** The position of a row: by the date that the list shows. */
export interface CommissionPosition {
  referral_date: Date;
  id: string;
}

/** A page from a position: downwards, or upwards from the row before it. */
export interface CommissionRange {
  after: CommissionPosition | null;
  before: CommissionPosition | null;
  limit: number;
}

/** A page of a list in the order of its ids: downwards, or upwards from the row before it. */
export interface RowRange {
  after: string | null;
  before: string | null;
  limit: number;
}

interface PageQuery {
  filter: CommissionRowFilter;
  range: CommissionRange;
  /** The number of next commissions to search for a frequent text, instead of all. */
  searched?: number | undefined;
}

/**
 * Returns a page of commissions with their affiliates and customers, the latest date first; with `before`, the earliest first. A sub-select
 * selects the ids, and the other tables are joined to these few rows by key.
 */
export async function listCommissionRows(
  sql: Connection,
  organizationId: string,
  { filter, range, searched }: PageQuery,
): Promise<CommissionListRow[]> {
  const order = range.before === null ? sql`desc` : sql`asc`;
  return await sql<CommissionListRow[]>`
    select commission.id, commission.revenue_minor, commission.commission_minor, commission.currency,
      payout_status(commission.voided, placed.payout_id, payout.status) as payout_status,
      commission.payable_at, ${sql.unsafe(FINITE_DUE_AT)} as due_at, commission.referral_date, commission.created_at,
      ${sql.unsafe(REVIEW_COLUMNS)}, ${sql.unsafe(RECRUIT_COLUMNS)},
      commission.processor_payment_id, commission.reversal_of, commission.lead, affiliate.id as affiliate_id,
      affiliate.email as affiliate_email, affiliate.first_name, affiliate.last_name, referral.id as referral_id,
      referral.email as customer_email, payout.id as payout_id, payout.period as payout_period,
      decision.id as decision_id, decision.explanation, gone.id as gone_id, gone.customer_id as gone_customer_id,
      gone.processor as gone_processor, gone.payment_id as gone_payment_id
    from (${chosen(sql, organizationId, { filter, range, searched })}) as chosen
    cross join lateral (
      select * from commissions where organization_id = ${organizationId} and id = chosen.id offset 0
    ) as commission
    join affiliates affiliate on affiliate.organization_id = ${organizationId} and affiliate.id = commission.affiliate_id
    join referrals referral on referral.organization_id = ${organizationId} and referral.id = commission.referral_id
    left join unpaid_commissions unpaid
      on unpaid.organization_id = ${organizationId} and unpaid.commission_id = commission.id
    left join lateral (
      select payout_id from payout_commissions
      where organization_id = ${organizationId} and affiliate_id = commission.affiliate_id
        and commission_id = commission.id
      offset 0
    ) as placed on true
    left join lateral (
      select id, period, status from payouts where organization_id = ${organizationId} and id = placed.payout_id offset 0
    ) as payout on true
    ${sql.unsafe(JOIN_REVIEW)}
    ${sql.unsafe(JOIN_RECRUIT)}
    left join lateral (
      select id, explanation from payment_decisions
      where organization_id = ${organizationId} and commission_id = coalesce(commission.reversal_of, commission.id)
      limit 1
    ) as decision on true
    left join lateral (
      select id, customer_id, processor, payment_id from (
        select * from payment_decisions where organization_id = ${organizationId} and commission_id = commission.id
        union all
        select * from payment_decisions
        where organization_id = ${organizationId} and manual_commission_id = commission.id
      ) as of_it
      where commission.voided and reversed_minor > 0 and reversed_minor >= paid_minor
      limit 1
    ) as gone on true
    order by commission.referral_date ${order}, commission.id ${order}`;
}

type Fragment = ReturnType<Connection["unsafe"]>;

/** All pages of a list, up to a number of rows. */
interface MatchQuery {
  filter: CommissionRowFilter;
  most: number;
}

/** Counts the commissions of a list, up to `most`. */
export async function countCommissionRows(
  sql: Connection,
  organizationId: string,
  { filter, most }: MatchQuery,
): Promise<number> {
  const range = { after: null, before: null, limit: most };
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int as count from (${chosen(sql, organizationId, { filter, range })}) as commission`;
  return row.count;
}

/** Returns the payout statuses of the commissions of a list, up to `most`, newest first. */
export async function listMatchingCommissions(
  sql: Connection,
  organizationId: string,
  { filter, most }: MatchQuery,
): Promise<Pick<CommissionListRow, "id" | "payout_status">[]> {
  const range = { after: null, before: null, limit: most };
  return await sql<Pick<CommissionListRow, "id" | "payout_status">[]>`
    select commission.id, commission.payout_status
    from (${chosen(sql, organizationId, { filter, range })}) as matching
    cross join lateral (
      select id, payout_status from commission_states
      where organization_id = ${organizationId} and id = matching.id
      offset 0
    ) as commission
    order by matching.referral_date desc, matching.id desc`;
}

/** Counts the commissions of some people, up to `most`. */
export async function countCommissionsOf(
  sql: Connection,
  organizationId: string,
  { affiliate_ids, referral_ids, most }: { affiliate_ids: string[]; referral_ids: string[]; most: number },
): Promise<number> {
  // Ordered, so that Postgres reads the index of each, and not all rows for the many of one.
  const ofEach = (column: string, ids: string[]) => sql`
    select from unnest(${ids}::uuid[]) as of (id) cross join lateral (
      select from commissions
      where organization_id = ${organizationId} and ${sql.unsafe(column)} = of.id order by id limit ${most}) as one`;
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int as count from (
      ${ofEach("affiliate_id", affiliate_ids)} union all ${ofEach("referral_id", referral_ids)}
      limit ${most}) as commission`;
  return row.count;
}

/** The ids and dates of the next commissions. */
function chosen(sql: Connection, organizationId: string, query: PageQuery): Fragment {
  const { filter, range, searched } = query;
  const { text, affiliate_ids } = filter;
  const table = isPlaced(filter) ? sql`commission_states commission` : sql`commissions commission`;
  const matching = (columns: Fragment) => sql`
    select ${columns} from ${table}
    where commission.organization_id = ${organizationId} ${conditions(sql, organizationId, filter)}
      ${within(sql, range)}`;
  const rows = matching(sql`commission.id, commission.referral_date`);
  const nearest = (most: number) => newestOf(sql, { ...range, limit: most });
  // Without `offset 0`, Postgres could walk all dates for the few rows.
  const sorted = (few: Fragment) => sql`
    select id, referral_date from (${few} offset 0) as commission ${nearest(range.limit)}`;
  if (isRare(text)) {
    const { affiliate_ids: of_affiliates, referral_ids, commission_ids } = text.matches;
    return sorted(sql`
      ${rows} and commission.affiliate_id = any (${of_affiliates}::uuid[])
      union ${rows} and commission.referral_id = any (${referral_ids}::uuid[])
      union ${rows} and commission.id = any (${commission_ids}::uuid[])`);
  }
  const having = text === undefined ? sql`` : frequentText(sql, organizationId, text);
  if (affiliate_ids) {
    return sorted(sql`${rows} ${having} and commission.affiliate_id = any (${[...affiliate_ids]}::uuid[])`);
  }
  if (text === undefined || searched === undefined) return sql`${rows} ${having} ${nearest(range.limit)}`;
  const columns = sql`commission.id, commission.referral_date, commission.affiliate_id, commission.referral_id,
    commission.processor_payment_id, commission.reversal_of`;
  return sql`
    select id, referral_date from (${matching(columns)} ${nearest(searched)}) as commission
    where true ${having} ${nearest(range.limit)}`;
}

function within(sql: Connection, { after, before }: CommissionRange): Fragment {
  const place = sql`(commission.referral_date, commission.id)`;
  return sql`
    ${after === null ? sql`` : sql`and ${place} < (${after.referral_date}, ${after.id})`}
    ${before === null ? sql`` : sql`and ${place} > (${before.referral_date}, ${before.id})`}`;
}

function newestOf(sql: Connection, { before, limit }: CommissionRange): Fragment {
  const order = before === null ? sql`desc` : sql`asc`;
  return sql`order by referral_date ${order}, id ${order} limit ${limit}`;
}

/** Whether only commissions in payouts match. */
function isPlaced({ state }: CommissionRowFilter): boolean {
  return state?.name === "pending" || state?.name === "paid";
}

function conditions(sql: Connection, organizationId: string, filter: CommissionRowFilter): Fragment[] {
  const { affiliate_id, affiliate_ids, campaign_id, reversal, paid_from, paid_until, before_id, payout_ids } =
    filter;
  return [
    stateCondition(sql, organizationId, filter),
    affiliate_id === undefined ? sql`` : sql`and commission.affiliate_id = ${affiliate_id}`,
    campaign_id === undefined || (affiliate_ids && affiliate_id === undefined)
      ? sql``
      : sql`and exists (
          select from affiliates
          where organization_id = ${organizationId} and id = commission.affiliate_id and campaign_id = ${campaign_id})`,
    reversal === undefined
      ? sql``
      : reversal
        ? sql`and commission.reversal_of is not null`
        : sql`and commission.reversal_of is null`,
    paid_from === undefined ? sql`` : sql`and commission.referral_date >= ${paid_from}`,
    paid_until === undefined ? sql`` : sql`and commission.referral_date < ${paid_until}`,
    before_id === undefined ? sql`` : sql`and commission.id < ${before_id}`,
    payout_ids === undefined
      ? sql``
      : sql`and commission.id = any (array(
          select commission_id from payout_commissions
          where organization_id = ${organizationId} and payout_id = any (${[...payout_ids]}::uuid[])))`,
  ];
}

function stateCondition(sql: Connection, organizationId: string, { state }: CommissionRowFilter): Fragment {
  if (state === undefined) return sql``;
  switch (state.name) {
    case "voided":
      return sql`and commission.voided`;
    case "in_review":
      // Those for recruits are reviewed with the recruits'.
      return sql`and commission.review_state = 'pending' and not commission.voided
        and commission.recruit_commission_id is null`;
    case "pending":
    case "paid":
      return sql`and commission.payout_status = ${state.name}`;
    case "held":
    case "due":
      return sql`and exists (
        select from unpaid_commissions
        where organization_id = ${organizationId} and commission_id = commission.id
          and ${state.name === "held" ? sql`due_at > ${state.now} and due_at < 'infinity'` : sql`due_at <= ${state.now}`})`;
  }
}

/** Returns a campaign's affiliates, or null if there are more than `most`. */
export async function findCampaignAffiliates(
  sql: Connection,
  organizationId: string,
  { campaign_id, most }: { campaign_id: string; most: number },
): Promise<string[] | null> {
  const rows = await sql<{ id: string }[]>`
    select id from affiliates
    where organization_id = ${organizationId} and campaign_id = ${campaign_id} limit ${most + 1}`;
  return rows.length > most ? null : rows.map(({ id }) => id);
}
