import type { RowRange } from "./commission-rows.ts";
import type { Connection } from "./connect.ts";
import { prefixBounds } from "./text-prefix.ts";

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
}

/** Customers and payments that a text of the list's search field begins. */
export interface PaymentTextMatches {
  customer_ids: string[];
  decision_ids: string[];
}

export interface PaymentRowFilter {
  outcomes?: readonly string[] | undefined;
  /** The affiliate who has the payment, or was passed over. */
  affiliate_id?: string | undefined;
  processor?: string | undefined;
  paid_from?: Date | undefined;
  paid_until?: Date | undefined;
  /** The text, and its matches unless they are too many to list. */
  text?: { prefix: string; matches: PaymentTextMatches | null } | undefined;
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

type Fragment = ReturnType<Connection["unsafe"]>;

/**
 * Returns a page of payments with their affiliates and customers, the latest payment first; with `before`, the earliest first.
 * Several outcomes are read one by one, because the index sorts only within an outcome.
 */
export async function listPaymentRows(
  sql: Connection,
  organizationId: string,
  { filter, range }: { filter: PaymentRowFilter; range: PaidRange },
): Promise<PaymentListRow[]> {
  const order = range.before === null ? sql`desc` : sql`asc`;
  return await sql<PaymentListRow[]>`
    select decision.id, decision.processor, decision.payment_id, decision.customer_id,
      coalesce(referral.email, known.email) as customer_email, decision.outcome, decision.currency,
      decision.revenue_minor, decision.commission_minor, decision.paid_minor, decision.reversed_minor,
      decision.paid_at, decision.decided_at, decision.commission_id, decision.explanation, decision.affiliate_id,
      affiliate.email as affiliate_email, affiliate.first_name, affiliate.last_name
    from (${chosen(sql, organizationId, { filter, range })}) as chosen
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
    order by decision.paid_at ${order}, decision.id ${order}`;
}

interface PaymentPageQuery {
  filter: PaymentRowFilter;
  range: PaidRange;
}

function chosen(sql: Connection, organizationId: string, { filter, range }: PaymentPageQuery): Fragment {
  const { affiliate_id, outcomes } = filter;
  const newest = newestOf(sql, range, { paid_at: sql`decision.paid_at`, id: sql`decision.id` });
  const matching = sql`
    select decision.id, decision.paid_at from payment_decisions decision
    where decision.organization_id = ${organizationId} and decision.replaced_at is null
      ${conditions(sql, organizationId, filter)}
      ${within(sql, range, sql`(decision.paid_at, decision.id)`)}`;
  if (affiliate_id !== undefined) {
    return sql`
      select decision.id, decision.paid_at from (
        (${matching} and decision.affiliate_id = ${affiliate_id} ${outcomeCondition(sql, outcomes)} ${newest})
        union all
        (${passed(sql, organizationId, { affiliate_id, filter, range })})
      ) as decision ${newest}`;
  }
  if (outcomes === undefined) return sql`${matching} ${newest}`;
  return sql`
    select decision.id, decision.paid_at from unnest(${[...outcomes]}::text[]) as asked (outcome)
    cross join lateral (${matching} and decision.outcome = asked.outcome ${newest}) as decision ${newest}`;
}

/** The payments for which an affiliate was passed over. */
function passed(
  sql: Connection,
  organizationId: string,
  { affiliate_id, filter, range }: PaymentPageQuery & { affiliate_id: string },
): Fragment {
  return sql`
    select decision.id, decision.paid_at from passed_affiliates passed
    cross join lateral (
      select * from payment_decisions
      where organization_id = ${organizationId} and id = passed.decision_id
      offset 0
    ) as decision
    where passed.organization_id = ${organizationId} and passed.affiliate_id = ${affiliate_id}
      ${conditions(sql, organizationId, filter)} ${outcomeCondition(sql, filter.outcomes)}
      ${within(sql, range, sql`(passed.paid_at, passed.decision_id)`)}
    ${newestOf(sql, range, { paid_at: sql`passed.paid_at`, id: sql`passed.decision_id` })}`;
}

function newestOf(
  sql: Connection,
  { before, limit }: PaidRange,
  { paid_at, id }: { paid_at: Fragment; id: Fragment },
): Fragment {
  const order = before === null ? sql`desc` : sql`asc`;
  return sql`order by ${paid_at} ${order}, ${id} ${order} limit ${limit}`;
}

function within(sql: Connection, { after, before }: PaidRange, position: Fragment): Fragment {
  return sql`
    ${after === null ? sql`` : sql`and ${position} < (${after.paid_at}, ${after.id})`}
    ${before === null ? sql`` : sql`and ${position} > (${before.paid_at}, ${before.id})`}`;
}

function outcomeCondition(sql: Connection, outcomes: PaymentRowFilter["outcomes"]): Fragment {
  return outcomes === undefined ? sql`` : sql`and decision.outcome = any (${[...outcomes]}::text[])`;
}

function conditions(sql: Connection, organizationId: string, filter: PaymentRowFilter): Fragment[] {
  const { processor, paid_from, paid_until, text } = filter;
  return [
    processor === undefined ? sql`` : sql`and decision.processor = ${processor}`,
    paid_from === undefined ? sql`` : sql`and decision.paid_at >= ${paid_from}`,
    paid_until === undefined ? sql`` : sql`and decision.paid_at < ${paid_until}`,
    text === undefined ? sql`` : textCondition(sql, organizationId, text),
  ];
}

function textCondition(
  sql: Connection,
  organizationId: string,
  { prefix, matches }: NonNullable<PaymentRowFilter["text"]>,
): Fragment {
  if (matches !== null) {
    return sql`and (decision.customer_id = any (${matches.customer_ids}::uuid[])
      or decision.id = any (${matches.decision_ids}::uuid[]))`;
  }
  // The text is frequent, so the newest payments have it. Without `offset 0`, Postgres would first read all keys that begin with it.
  return sql`and (starts_with(decision.payment_id, ${prefix}) or exists (
    select from customer_keys
    where organization_id = ${organizationId} and customer_id = decision.customer_id
      and (starts_with(key, ${`email:${prefix.toLowerCase()}`}) or starts_with(key, ${`customer:${prefix}`}))
    offset 0))`;
}

/**
 * Returns the customers with an email or id at the processor that begins with a text, and the decisions about payments with
 * such an id. Null: there are more than `most` of a kind.
 */
export async function findPaymentTextMatches(
  sql: Connection,
  organizationId: string,
  { text, most }: { text: string; most: number },
): Promise<PaymentTextMatches | null> {
  const email = prefixBounds(`email:${text.toLowerCase()}`);
  const customer = prefixBounds(`customer:${text}`);
  const payment = prefixBounds(text);
  const limit = sql`limit ${most + 1}`;
  const keys = ({ from, until }: { from: string; until: string }) => sql`
    select customer_id from customer_keys
    where organization_id = ${organizationId} and key >= ${from} and key < ${until} and starts_with(key, ${from})
    ${limit}`;
  const [row] = await sql<[PaymentTextMatches]>`
    select
      array((${keys(email)}) union (${keys(customer)})) as customer_ids,
      array(select id from payment_decisions
        where organization_id = ${organizationId} and processor in ('stripe', 'generic')
          and payment_id >= ${payment.from} and payment_id < ${payment.until}
          and starts_with(payment_id, ${payment.from}) ${limit}) as decision_ids`;
  return Object.values(row).some((ids) => ids.length > most) ? null : row;
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
          and decision.outcome = asked.outcome ${conditions(sql, organizationId, filter)}
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
