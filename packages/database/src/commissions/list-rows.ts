import type { Connection } from "../postgres/connect.ts";
import { type CommissionText, frequentText, hasFewPeople, isRare, paymentsOf } from "./search.ts";

/** A commission with the names that the dashboard's list shows. */
export interface CommissionListRow {
  id: string;
  revenue_minor: bigint;
  commission_minor: bigint;
  currency: string;
  payout_status: "not_paid" | "pending" | "paid" | "voided";
  payable_at: Date;
  /** When a payout run takes it; null: it is in a payout or void. */
  due_at: Date | null;
  referral_date: Date;
  created_at: Date;
  processor_payment_id: string | null;
  reversal_of: string | null;
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
  /** Held: in no payout, and due after the moment. Due: the others in no payout. */
  state?: { name: "held" | "due" | "pending" | "paid" | "voided"; now: Date } | undefined;
  affiliate_id?: string | undefined;
  campaign_id?: string | undefined;
  /** The campaign's affiliates, if they are few. */
  affiliate_ids?: readonly string[] | null | undefined;
  reversal?: boolean | undefined;
  from_id?: string | undefined;
  before_id?: string | undefined;
  /** The only payouts with matching commissions. */
  payout_ids?: readonly string[] | undefined;
  text?: CommissionText | undefined;
}

/** A page from a position: downwards, or upwards from the row before it. */
export interface RowRange {
  after: string | null;
  before: string | null;
  limit: number;
}

interface PageQuery {
  filter: CommissionRowFilter;
  range: RowRange;
  /** A frequent text is searched in so many of the next commissions, instead of all. */
  searched?: number | undefined;
}

/**
 * Returns a page of commissions with their affiliates and customers, newest first; with `before`, oldest first. A sub-select
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
      commission.payable_at, unpaid.due_at, commission.referral_date, commission.created_at,
      commission.processor_payment_id, commission.reversal_of, affiliate.id as affiliate_id,
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
    order by commission.id ${order}`;
}

type Fragment = ReturnType<Connection["unsafe"]>;

function chosen(sql: Connection, organizationId: string, { filter, range, searched }: PageQuery): Fragment {
  const { text, affiliate_ids } = filter;
  const order = range.before === null ? sql`desc` : sql`asc`;
  const table = isPlaced(filter) ? sql`commission_states commission` : sql`commissions commission`;
  const within = rangeCondition(sql, range);
  const matching = (columns: Fragment) => sql`
    select ${columns} from ${table}
    where commission.organization_id = ${organizationId} ${conditions(sql, organizationId, filter)} ${within}`;
  const ids = matching(sql`commission.id`);
  const nearest = (most: number) => sql`order by commission.id ${order} limit ${most}`;
  const newest = nearest(range.limit);
  const ofEach = (column: Fragment, values: readonly string[]) => sql`
    select one.id from unnest(${[...values]}::uuid[]) as of (id)
    cross join lateral (${ids} and ${column} = of.id ${newest}) as one`;
  const having = text === undefined || isRare(text) ? sql`` : frequentText(sql, organizationId, text);
  const is_searched = text !== undefined && !isRare(text) && searched !== undefined;

  if (is_searched) {
    const columns = sql`commission.id, commission.affiliate_id, commission.referral_id,
      commission.processor_payment_id, commission.reversal_of`;
    return sql`select id from (${matching(columns)} ${nearest(searched)}) as commission where true ${having} ${newest}`;
  }
  if (text !== undefined && hasFewPeople(text) && (isRare(text) || !affiliate_ids)) {
    const ofPayments = isRare(text)
      ? sql`${ids} and commission.id = any (${text.matches.commission_ids}::uuid[])`
      : sql`(
          select one.id from (${paymentsOf(sql, organizationId, { text, within, order })}) as of
          cross join lateral (${ids} and commission.id = of.id offset 0) as one
          order by of.id ${order} limit ${range.limit})`;
    return sql`
      select id from (
        ${ofEach(sql`commission.affiliate_id`, text.matches.affiliate_ids)}
        union ${ofEach(sql`commission.referral_id`, text.matches.referral_ids)}
        union ${ofPayments}
      ) as commission ${newest}`;
  }
  if (affiliate_ids) {
    return sql`
      select commission.id from unnest(${[...affiliate_ids]}::uuid[]) as of (id)
      cross join lateral (${ids} ${having} and commission.affiliate_id = of.id ${newest}) as commission ${newest}`;
  }
  return sql`${ids} ${having} ${newest}`;
}

function rangeCondition(sql: Connection, { after, before }: RowRange): Fragment {
  return sql`
    ${after === null ? sql`` : sql`and commission.id < ${after}`}
    ${before === null ? sql`` : sql`and commission.id > ${before}`}`;
}

/** Whether only commissions in payouts match. */
function isPlaced({ state }: CommissionRowFilter): boolean {
  return state?.name === "pending" || state?.name === "paid";
}

function conditions(sql: Connection, organizationId: string, filter: CommissionRowFilter): Fragment[] {
  const { affiliate_id, campaign_id, reversal, from_id, before_id, payout_ids } = filter;
  return [
    stateCondition(sql, organizationId, filter),
    affiliate_id === undefined ? sql`` : sql`and commission.affiliate_id = ${affiliate_id}`,
    campaign_id === undefined
      ? sql``
      : sql`and exists (
          select from affiliates
          where organization_id = ${organizationId} and id = commission.affiliate_id and campaign_id = ${campaign_id})`,
    reversal === undefined
      ? sql``
      : reversal
        ? sql`and commission.reversal_of is not null`
        : sql`and commission.reversal_of is null`,
    from_id === undefined ? sql`` : sql`and commission.id >= ${from_id}`,
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
    case "pending":
    case "paid":
      return sql`and commission.payout_status = ${state.name}`;
    case "held":
    case "due":
      return sql`and exists (
        select from unpaid_commissions
        where organization_id = ${organizationId} and commission_id = commission.id
          and ${state.name === "held" ? sql`due_at > ${state.now}` : sql`due_at <= ${state.now}`})`;
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
