import type { Connection } from "./connect.ts";
import { prefixBounds } from "./text-prefix.ts";

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
}

/** Rows that begin with a text of the list's search field. Null: too many of the kind to list. */
export interface TextMatches {
  affiliate_ids: string[] | null;
  referral_ids: string[] | null;
  commission_ids: string[] | null;
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
  text?: { prefix: string; matches: TextMatches } | undefined;
}

/** A page from a position: downwards, or upwards from the row before it. */
export interface RowRange {
  after: string | null;
  before: string | null;
  limit: number;
}

/**
 * Returns a page of commissions with their affiliates and customers, newest first; with `before`, oldest first. A sub-select
 * selects the ids, and the other tables are joined to these few rows by key.
 */
export async function listCommissionRows(
  sql: Connection,
  organizationId: string,
  { filter, range }: { filter: CommissionRowFilter; range: RowRange },
): Promise<CommissionListRow[]> {
  const order = range.before === null ? sql`desc` : sql`asc`;
  return await sql<CommissionListRow[]>`
    select commission.id, commission.revenue_minor, commission.commission_minor, commission.currency,
      payout_status(commission.voided, placed.payout_id, payout.status) as payout_status,
      commission.payable_at, unpaid.due_at, commission.referral_date, commission.created_at,
      commission.processor_payment_id, commission.reversal_of, affiliate.id as affiliate_id,
      affiliate.email as affiliate_email, affiliate.first_name, affiliate.last_name, referral.id as referral_id,
      referral.email as customer_email, payout.id as payout_id, payout.period as payout_period,
      decision.id as decision_id, decision.explanation
    from (${chosen(sql, organizationId, { filter, range })}) as chosen
    join commissions commission on commission.organization_id = ${organizationId} and commission.id = chosen.id
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
    order by commission.id ${order}`;
}

type Fragment = ReturnType<Connection["unsafe"]>;

function chosen(
  sql: Connection,
  organizationId: string,
  { filter, range }: { filter: CommissionRowFilter; range: RowRange },
): Fragment {
  const order = range.before === null ? sql`desc` : sql`asc`;
  const matching = (source: Fragment) => sql`
    select commission.id from ${source}
    where commission.organization_id = ${organizationId} ${conditions(sql, organizationId, filter)}
      ${range.after === null ? sql`` : sql`and commission.id < ${range.after}`}
      ${range.before === null ? sql`` : sql`and commission.id > ${range.before}`}`;
  const newest = sql`order by commission.id ${order} limit ${range.limit}`;
  const table = isPlaced(filter) ? sql`commission_states commission` : sql`commissions commission`;
  if (isRare(filter.text)) {
    const { affiliate_ids, referral_ids, commission_ids } = filter.text.matches;
    return sql`
      select id from (
        select one.id from unnest(${affiliate_ids}::uuid[]) as of (id)
        cross join lateral (${matching(table)} and commission.affiliate_id = of.id ${newest}) as one
        union
        select one.id from unnest(${referral_ids}::uuid[]) as of (id)
        cross join lateral (${matching(table)} and commission.referral_id = of.id ${newest}) as one
        union
        ${matching(table)} and commission.id = any (${commission_ids}::uuid[])
      ) as commission ${newest}`;
  }
  if (filter.affiliate_ids) {
    return sql`
      select commission.id from unnest(${[...filter.affiliate_ids]}::uuid[]) as of (id)
      cross join lateral (${matching(table)} and commission.affiliate_id = of.id ${newest}) as commission ${newest}`;
  }
  return sql`${matching(table)} ${newest}`;
}

/** Whether only commissions in payouts match. */
function isPlaced({ state }: CommissionRowFilter): boolean {
  return state?.name === "pending" || state?.name === "paid";
}

function conditions(sql: Connection, organizationId: string, filter: CommissionRowFilter): Fragment[] {
  const { affiliate_id, campaign_id, reversal, from_id, before_id, payout_ids, text } = filter;
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
    text === undefined || isRare(text) ? sql`` : frequentText(sql, organizationId, text),
  ];
}

/** Whether few rows of each kind have the text, so that their commissions are read one by one. */
export function isRare(text: CommissionRowFilter["text"]): text is RareText {
  return text !== undefined && Object.values(text.matches).every((ids) => ids !== null);
}

interface RareText {
  prefix: string;
  matches: { [Kind in keyof TextMatches]: string[] };
}

/**
 * The newest commissions are checked one by one for a frequent text. Kinds with few matches need no further look-up. Without
 * `offset 0`, Postgres would first read all emails that begin with the text.
 */
function frequentText(
  sql: Connection,
  organizationId: string,
  { prefix, matches }: NonNullable<CommissionRowFilter["text"]>,
): Fragment {
  const email = prefix.toLowerCase();
  const { affiliate_ids, referral_ids, commission_ids } = matches;
  return sql`and (
    ${commission_ids === null ? sql`starts_with(commission.processor_payment_id, ${prefix})` : sql`commission.id = any (${commission_ids}::uuid[])`}
    or ${
      referral_ids === null
        ? sql`exists (
            select from referrals
            where organization_id = ${organizationId} and id = commission.referral_id
              and starts_with(lower(email), ${email})
            offset 0)`
        : sql`commission.referral_id = any (${referral_ids}::uuid[])`
    }
    or ${
      affiliate_ids === null
        ? sql`exists (
            select from affiliates
            where organization_id = ${organizationId} and id = commission.affiliate_id
              and starts_with(lower(email), ${email})
            offset 0)`
        : sql`commission.affiliate_id = any (${affiliate_ids}::uuid[])`
    })`;
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

/**
 * Returns the affiliates and customers with an email that begins with the text in lower case, and the commissions with a
 * payment id that begins with it as typed. Null: there are more than `most` of the kind.
 */
export async function findCommissionTextMatches(
  sql: Connection,
  organizationId: string,
  { text, most }: { text: string; most: number },
): Promise<TextMatches> {
  const email = prefixBounds(text.toLowerCase());
  const payment = prefixBounds(text);
  const limit = sql`limit ${most + 1}`;
  const [row] = await sql<[RareText["matches"]]>`
    select
      array(select id from affiliates
        where organization_id = ${organizationId} and lower(email) >= ${email.from} and lower(email) < ${email.until}
          and starts_with(lower(email), ${email.from}) ${limit}) as affiliate_ids,
      array(select id from referrals
        where organization_id = ${organizationId} and replaced_at is null
          and lower(email) >= ${email.from} and lower(email) < ${email.until}
          and starts_with(lower(email), ${email.from}) ${limit}) as referral_ids,
      array(select id from commissions
        where organization_id = ${organizationId} and processor_payment_id is not null and reversal_of is null
          and processor_payment_id >= ${payment.from} and processor_payment_id < ${payment.until}
          and starts_with(processor_payment_id, ${payment.from}) ${limit}) as commission_ids`;
  const few = (ids: string[]) => (ids.length > most ? null : ids);
  return {
    affiliate_ids: few(row.affiliate_ids),
    referral_ids: few(row.referral_ids),
    commission_ids: few(row.commission_ids),
  };
}
