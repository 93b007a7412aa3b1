import type { RowRange } from "../commissions/list-rows.ts";
import type { Connection } from "../postgres/connect.ts";
import { decisionsOf, isRare, type PaymentText, textCondition } from "./search.ts";

/** A payment with the names that the dashboard's list shows. */
export interface PaymentListRow {
  id: string;
  processor: string;
  payment_id: string;
  customer_id: string;
  customer_email: string | null;
  outcome: string;
  currency: string;
  revenue_minor: bigint;
  commission_minor: bigint;
  paid_minor: bigint;
  reversed_minor: bigint;
  paid_at: Date;
  decided_at: Date;
  commission_id: string | null;
  explanation: unknown;
  affiliate_id: string | null;
  affiliate_email: string | null;
  first_name: string | null;
  last_name: string | null;
  /** The payment's commission, also a manual one. */
  held_id: string | null;
  held_voided: boolean;
  /** The rest of it, with its reversals. */
  remaining_minor: bigint;
}

export interface PaymentRowFilter {
  outcomes?: readonly string[] | undefined;
  /** The affiliate who has the payment, or was passed over. */
  affiliate_id?: string | undefined;
  processor?: string | undefined;
  paid_from?: Date | undefined;
  paid_until?: Date | undefined;
  text?: PaymentText | undefined;
}

/** The position of a row: lists of payments are in the order of the time of payment. */
export interface PaidPosition {
  paid_at: Date;
  id: string;
}

export interface PaidRange {
  after: PaidPosition | null;
  before: PaidPosition | null;
  limit: RowRange["limit"];
}

interface PaymentPageQuery {
  filter: PaymentRowFilter;
  range: PaidRange;
  /** The number of next payments to search for a frequent text, instead of all. */
  searched?: number | undefined;
}

type Fragment = ReturnType<Connection["unsafe"]>;

/**
 * Returns a page of payments with their affiliates and customers, the latest payment first; with `before`, the earliest first.
 * Several outcomes are read one by one, because the index sorts only within an outcome.
 */
export async function listPaymentRows(
  sql: Connection,
  organizationId: string,
  { filter, range, searched }: PaymentPageQuery,
): Promise<PaymentListRow[]> {
  const order = range.before === null ? sql`desc` : sql`asc`;
  return await sql<PaymentListRow[]>`
    select decision.id, decision.processor, decision.payment_id, decision.customer_id,
      coalesce(referral.email, known.email) as customer_email, decision.outcome, decision.currency,
      decision.revenue_minor, decision.commission_minor, decision.paid_minor, decision.reversed_minor,
      decision.paid_at, decision.decided_at, decision.commission_id, decision.explanation, decision.affiliate_id,
      affiliate.email as affiliate_email, affiliate.first_name, affiliate.last_name,
      held.id as held_id, coalesce(held.voided, false) as held_voided,
      case when held.voided is false then held.commission_minor else 0 end + coalesce(netted.minor, 0) as remaining_minor
    from (${chosen(sql, organizationId, { filter, range, searched })}) as chosen
    join payment_decisions decision on decision.organization_id = ${organizationId} and decision.id = chosen.id
    left join affiliates affiliate
      on affiliate.organization_id = ${organizationId} and affiliate.id = decision.affiliate_id
    left join referrals referral
      on referral.organization_id = ${organizationId} and referral.id = decision.referral_id
    left join lateral (
      select substr(key, 7) as email from customer_keys
      where organization_id = ${organizationId} and customer_id = decision.customer_id and starts_with(key, 'email:')
      limit 1
    ) as known on true
    left join lateral (
      select id, commission_minor, voided from commissions
      where organization_id = ${organizationId}
        and id = coalesce(decision.manual_commission_id, decision.commission_id)
      offset 0
    ) as held on true
    left join lateral (
      select sum(commission_minor)::bigint as minor from commissions
      where organization_id = ${organizationId} and reversal_of = held.id and not voided
    ) as netted on true
    order by decision.paid_at ${order}, decision.id ${order}`;
}

/** Counts the payments of a list, up to `most`. */
export async function countPaymentRows(
  sql: Connection,
  organizationId: string,
  { filter, most }: { filter: PaymentRowFilter; most: number },
): Promise<number> {
  const range = { after: null, before: null, limit: most };
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int as count from (${chosen(sql, organizationId, { filter, range })}) as payment`;
  return row.count;
}

/** Returns the outcomes of the payments of a list, up to `most`, the latest payment first. */
export async function listMatchingPayments(
  sql: Connection,
  organizationId: string,
  { filter, most }: { filter: PaymentRowFilter; most: number },
): Promise<Pick<PaymentListRow, "id" | "outcome">[]> {
  const range = { after: null, before: null, limit: most };
  return await sql<Pick<PaymentListRow, "id" | "outcome">[]>`
    select decision.id, decision.outcome
    from (${chosen(sql, organizationId, { filter, range })}) as chosen
    cross join lateral (
      select id, outcome from payment_decisions where organization_id = ${organizationId} and id = chosen.id offset 0
    ) as decision
    order by chosen.paid_at desc, chosen.id desc`;
}

/** The ids and times of the page's payments. */
function chosen(sql: Connection, organizationId: string, query: PaymentPageQuery): Fragment {
  const { filter, range, searched } = query;
  const { affiliate_id, outcomes, text } = filter;
  const newest = newestOf(sql, range, decisionPosition(sql));
  const having = text === undefined ? sql`` : textCondition(sql, organizationId, text);
  if (affiliate_id !== undefined) {
    return sql`
      select decision.id, decision.paid_at from (
        (${matching(sql, organizationId, query)} and decision.affiliate_id = ${affiliate_id}
          ${outcomeCondition(sql, outcomes)} ${having} ${newest})
        union all
        (${passed(sql, organizationId, { affiliate_id, filter, range })})
      ) as decision ${newest}`;
  }
  if (text === undefined) return placesOf(sql, nearest(sql, organizationId, query, sql``), newest);
  if (!isSearched(text)) return ofText(sql, organizationId, { ...query, text });
  if (searched === undefined) return placesOf(sql, nearest(sql, organizationId, query, having), newest);
  const next = { filter, range: { ...range, limit: searched } };
  return sql`
    select decision.id, decision.paid_at from (${nearest(sql, organizationId, next, sql``)}) as decision
    where true ${having} ${newest}`;
}

function placesOf(sql: Connection, decisions: Fragment, newest: Fragment): Fragment {
  return sql`select decision.id, decision.paid_at from (${decisions}) as decision ${newest}`;
}

/** Whether many may have the text, so that the payments of the list are searched for it. */
export function isSearched(text: PaymentText | undefined): boolean {
  return text !== undefined && !isRare(text) && !isOfPaymentIds(text);
}

/** Whether many payments have an id that begins with the text, and few people have it. */
function isOfPaymentIds({ matches: { decision_ids, ...people } }: PaymentText): boolean {
  return decision_ids === null && Object.values(people).every((ids) => ids !== null);
}

/** Returns the last of the `searched` payments in which a frequent text is looked for; null: they were all. */
export async function findLastSearched(
  sql: Connection,
  organizationId: string,
  { filter, range, searched }: PaymentPageQuery & { searched: number },
): Promise<PaidPosition | null> {
  const next = { filter, range: { ...range, limit: searched } };
  const last = newestOf(sql, { ...range, limit: 1 }, decisionPosition(sql));
  const [row] = await sql<PaidPosition[]>`
    ${placesOf(sql, nearest(sql, organizationId, next, sql``), last)} offset ${searched - 1}`;
  return row ?? null;
}

function matching(sql: Connection, organizationId: string, { filter, range }: PaymentPageQuery): Fragment {
  return sql`
    select ${decisionColumns(sql)} from payment_decisions decision
    where decision.organization_id = ${organizationId} and decision.replaced_at is null
      ${conditions(sql, filter)} ${within(sql, range, sql`(decision.paid_at, decision.id)`)}`;
}

/** The next payments that match and have a text. */
function nearest(
  sql: Connection,
  organizationId: string,
  query: PaymentPageQuery,
  having: Fragment,
): Fragment {
  const { outcomes } = query.filter;
  const found = matching(sql, organizationId, query);
  const newest = newestOf(sql, query.range, decisionPosition(sql));
  if (outcomes === undefined) return sql`${found} ${having} ${newest}`;
  return sql`
    select decision.* from unnest(${[...outcomes]}::text[]) as asked (outcome)
    cross join lateral (${found} and decision.outcome = asked.outcome ${having} ${newest}) as decision ${newest}`;
}

/** The payments of the few people with a text, and those with an id that begins with it. */
function ofText(
  sql: Connection,
  organizationId: string,
  { text, ...query }: PaymentPageQuery & { text: PaymentText },
): Fragment {
  const { filter, range } = query;
  const { customer_ids, referral_ids, affiliate_ids } = text.matches;
  const found = sql`${matching(sql, organizationId, query)} ${outcomeCondition(sql, filter.outcomes)}`;
  const newest = newestOf(sql, range, decisionPosition(sql));
  // An affiliate can have many: its index has their order. Without `offset 0`, Postgres could walk the times of all payments.
  return sql`
    select decision.id, decision.paid_at from (
      (select * from (${found} and decision.customer_id = any (${customer_ids ?? []}::uuid[]) offset 0) as decision ${newest})
      union (select * from (${found} and decision.referral_id = any (${referral_ids ?? []}::uuid[]) offset 0) as decision ${newest})
      union (
        select one.* from unnest(${affiliate_ids ?? []}::uuid[]) as asked (affiliate_id)
        cross join lateral (${found} and decision.affiliate_id = asked.affiliate_id ${newest}) as one
      )
      union (${ofPayments(sql, organizationId, { ...query, text })})
    ) as decision ${newest}`;
}

/** The columns that a text is compared with, besides the position. */
function decisionColumns(sql: Connection): Fragment {
  return sql`decision.id, decision.paid_at, decision.payment_id, decision.customer_id, decision.referral_id, decision.affiliate_id`;
}

/** The few payments with an id that begins with the text, or the next ones of many. */
function ofPayments(
  sql: Connection,
  organizationId: string,
  { text, ...query }: PaymentPageQuery & { text: PaymentText },
): Fragment {
  const { filter, range } = query;
  const found = sql`${matching(sql, organizationId, query)} ${outcomeCondition(sql, filter.outcomes)}`;
  const { decision_ids } = text.matches;
  if (decision_ids !== null) return sql`${found} and decision.id = any (${decision_ids}::uuid[])`;
  const decisions = decisionsOf(sql, organizationId, {
    prefix: text.prefix,
    within: within(sql, range, sql`(paid_at, id)`),
    order: orderOf(sql, range, { paid_at: sql`paid_at`, id: sql`id` }),
  });
  return sql`
    select one.* from (${decisions}) as of
    cross join lateral (${found} and decision.id = of.id offset 0) as one
    ${newestOf(sql, range, { paid_at: sql`of.paid_at`, id: sql`of.id` })}`;
}

function decisionPosition(sql: Connection): PositionColumns {
  return { paid_at: sql`decision.paid_at`, id: sql`decision.id` };
}

/** The payments for which an affiliate was passed over. */
function passed(
  sql: Connection,
  organizationId: string,
  { affiliate_id, filter, range }: PaymentPageQuery & { affiliate_id: string },
): Fragment {
  return sql`
    select ${decisionColumns(sql)} from passed_affiliates passed
    cross join lateral (
      select * from payment_decisions
      where organization_id = ${organizationId} and id = passed.decision_id
      offset 0
    ) as decision
    where passed.organization_id = ${organizationId} and passed.affiliate_id = ${affiliate_id}
      ${conditions(sql, filter)} ${outcomeCondition(sql, filter.outcomes)}
      ${filter.text === undefined ? sql`` : textCondition(sql, organizationId, filter.text)}
      ${within(sql, range, sql`(passed.paid_at, passed.decision_id)`)}
    ${newestOf(sql, range, { paid_at: sql`passed.paid_at`, id: sql`passed.decision_id` })}`;
}

interface PositionColumns {
  paid_at: Fragment;
  id: Fragment;
}

function newestOf(sql: Connection, range: PaidRange, columns: PositionColumns): Fragment {
  return sql`${orderOf(sql, range, columns)} limit ${range.limit}`;
}

function orderOf(sql: Connection, { before }: Pick<PaidRange, "before">, columns: PositionColumns): Fragment {
  const order = before === null ? sql`desc` : sql`asc`;
  return sql`order by ${columns.paid_at} ${order}, ${columns.id} ${order}`;
}

function within(sql: Connection, { after, before }: PaidRange, position: Fragment): Fragment {
  return sql`
    ${after === null ? sql`` : sql`and ${position} < (${after.paid_at}, ${after.id})`}
    ${before === null ? sql`` : sql`and ${position} > (${before.paid_at}, ${before.id})`}`;
}

function outcomeCondition(sql: Connection, outcomes: PaymentRowFilter["outcomes"]): Fragment {
  return outcomes === undefined ? sql`` : sql`and decision.outcome = any (${[...outcomes]}::text[])`;
}

function conditions(sql: Connection, filter: PaymentRowFilter): Fragment[] {
  const { processor, paid_from, paid_until } = filter;
  return [
    processor === undefined ? sql`` : sql`and decision.processor = ${processor}`,
    paid_from === undefined ? sql`` : sql`and decision.paid_at >= ${paid_from}`,
    paid_until === undefined ? sql`` : sql`and decision.paid_at < ${paid_until}`,
  ];
}

/** Counts the payments of each outcome in a period, at most `most` of each. */
export async function countPaymentOutcomes(
  sql: Connection,
  organizationId: string,
  {
    outcomes,
    filter,
    most,
  }: {
    outcomes: readonly string[];
    filter: Pick<PaymentRowFilter, "paid_from" | "paid_until">;
    most: number;
  },
): Promise<{ outcome: string; count: number }[]> {
  return await sql<{ outcome: string; count: number }[]>`
    select asked.outcome, counted.count from unnest(${[...outcomes]}::text[]) as asked (outcome)
    cross join lateral (
      select count(*)::int as count from (
        select from payment_decisions decision
        where decision.organization_id = ${organizationId} and decision.replaced_at is null
          and decision.outcome = asked.outcome ${conditions(sql, filter)}
        limit ${most}) as first
    ) as counted
    where counted.count > 0`;
}

/** Returns the keys of a customer: emails, ids at the processor, and names of payments. */
export async function listCustomerKeys(
  sql: Connection,
  organizationId: string,
  customerId: string,
): Promise<string[]> {
  const rows = await sql<{ key: string }[]>`
    select key from customer_keys
    where organization_id = ${organizationId} and customer_id = ${customerId}
      and (starts_with(key, 'email:') or starts_with(key, 'customer:'))
    order by key limit 20`;
  return rows.map(({ key }) => key);
}
