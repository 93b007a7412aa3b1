import type { Connection, Transaction } from "../postgres/connect.ts";
import { columnList, jsonRows } from "../postgres/json-rows.ts";
import type { PageRange } from "../postgres/pages.ts";
import { statement } from "../postgres/statement.ts";
import type { JobState } from "../work/jobs.ts";

/** Payments that were made within it are tried; `until` is exclusive. */
export interface BacktestPeriod {
  from: Date;
  until: Date;
}

const IS_TRIED = "replaced_at is null and paid_at >= :from::timestamptz and paid_at < :until::timestamptz";

export interface TriedCustomerRow {
  customer_id: string;
  /** The number of all its payments, and of its payments in the period. */
  payments: number;
  tried: number;
}

const LIST_CUSTOMERS = statement<TriedCustomerRow, "organization_id" | "after" | "limit" | "until" | "from">(`
  select customer_id, count(*)::int as payments, (count(*) filter (where ${IS_TRIED}))::int as tried
  from payment_decisions
  where organization_id = :organization_id::uuid and customer_id > :after::uuid and referral_id is not null
  group by customer_id having count(*) filter (where ${IS_TRIED}) > 0
  order by customer_id limit :limit::int`);

/** Returns the next customers, by id, that have a referral with payments in the period. */
export async function listTriedCustomers(
  sql: Connection,
  organizationId: string,
  { after, period, limit }: { after: string; period: BacktestPeriod; limit: number },
): Promise<TriedCustomerRow[]> {
  return await LIST_CUSTOMERS.run(sql, { organization_id: organizationId, after, ...period, limit });
}

const COUNT = statement<{ count: number }, "organization_id" | "until" | "from">(`
  select count(*)::int as count from payment_decisions
  where organization_id = :organization_id::uuid and referral_id is not null and ${IS_TRIED}`);

/** Counts the payments of referrals in the period. */
export async function countTriedPayments(
  sql: Connection,
  organizationId: string,
  period: BacktestPeriod,
): Promise<number> {
  const [row] = await COUNT.run(sql, { organization_id: organizationId, ...period });
  return row?.count ?? 0;
}

const METADATA_SINCE = statement<{ key: string; since: Date | null }, "organization_id" | "keys">(`
  select key, (
    select min(created_at) from commission_rule_sets
    where organization_id = :organization_id::uuid
      and jsonb_path_exists(rules, '$[*].conditions.metadata.key ? (@ == $key)', jsonb_build_object('key', key))) as since
  from unnest(:keys::text[]) as key order by key`);

/** Since when these keys of metadata are recorded; null: they are not. */
export async function findMetadataSince(
  sql: Connection,
  organizationId: string,
  keys: readonly string[],
): Promise<{ key: string; since: Date | null }[]> {
  return await METADATA_SINCE.run(sql, { organization_id: organizationId, keys });
}

const INSERT = statement<object, "organization_id" | "id">(`
  insert into backtests (organization_id, id, created_at)
  select organization_id, id, created_at from jobs where organization_id = :organization_id::uuid and id = :id::uuid`);

/** Inserts the backtest of a job, without findings. */
export async function insertBacktest(sql: Transaction, organizationId: string, id: string): Promise<void> {
  await INSERT.run(sql, { organization_id: organizationId, id });
}

const DELETE_SURPLUS = statement<object, "organization_id" | "most">(`
  delete from backtests where organization_id = :organization_id::uuid and id in (
    select id from backtests where organization_id = :organization_id::uuid order by id desc offset :most::int)`);

/** Deletes all but the newest ones. */
export async function deleteSurplusBacktests(
  sql: Transaction,
  organizationId: string,
  most: number,
): Promise<void> {
  await DELETE_SURPLUS.run(sql, { organization_id: organizationId, most });
}

/** Deletes at most `limit` backtests that were started before a time; returns the number. */
export async function deleteOldBacktests(
  sql: Connection,
  { before, limit }: { before: Date; limit: number },
): Promise<number> {
  const result = await sql`
    delete from backtests using (
      select organization_id, id from backtests where created_at < ${before} order by created_at limit ${limit}
    ) as old
    where backtests.organization_id = old.organization_id and backtests.id = old.id`;
  return result.count;
}

/** The commissions of an affiliate's payments of a month, net of refunds. */
export interface BacktestTotal {
  affiliate_id: string;
  /** `2026-10-01` */
  month: string;
  currency: string;
  payments: number;
  /** Those that the draft decides differently. */
  changed: number;
  before_minor: bigint;
  after_minor: bigint;
}

const TYPES = {
  affiliate_id: "uuid",
  month: "date",
  currency: "text",
  payments: "integer",
  changed: "integer",
  before_minor: "bigint",
  after_minor: "bigint",
} satisfies Record<keyof BacktestTotal, string>;

const COLUMNS = columnList(TYPES);
const SUMS = ["payments", "changed", "before_minor", "after_minor"] as const;

const ADD = statement<object, "organization_id" | "id" | "totals" | "findings">(`
  with added as (
    insert into backtest_totals (organization_id, backtest_id, ${COLUMNS})
    select :organization_id::uuid, :id::uuid, ${COLUMNS} from ${jsonRows("totals", "found", TYPES)}
    on conflict (organization_id, backtest_id, affiliate_id, month, currency) do update
    set ${SUMS.map((column) => `${column} = backtest_totals.${column} + excluded.${column}`).join(", ")}
  )
  update backtests set findings = :findings::text::jsonb
  where organization_id = :organization_id::uuid and id = :id::uuid`);

/** Adds a step's totals, and replaces the findings. */
export async function addToBacktest(
  sql: Transaction,
  organizationId: string,
  {
    id,
    totals,
    findings,
  }: {
    id: string;
    totals: readonly BacktestTotal[];
    /** JSON. */
    findings: string;
  },
): Promise<void> {
  const rows = totals.map((total) => ({
    ...total,
    before_minor: String(total.before_minor),
    after_minor: String(total.after_minor),
  }));
  await ADD.run(sql, { organization_id: organizationId, id, totals: JSON.stringify(rows), findings });
}

/** A backtest with its job. */
export interface BacktestRow {
  id: string;
  state: JobState;
  /** Of the job: the draft and the period. */
  input: unknown;
  findings: unknown;
  done: number;
  total: number | null;
  reason: string | null;
  created_at: Date;
  finished_at: Date | null;
}

const SELECT = `
  select backtests.id, jobs.state, jobs.input, backtests.findings, jobs.done, jobs.total, jobs.reason, jobs.created_at,
    jobs.finished_at
  from backtests join jobs on jobs.organization_id = backtests.organization_id and jobs.id = backtests.id
  where backtests.organization_id = :organization_id::uuid`;

const FIND = statement<BacktestRow, "organization_id" | "id">(`${SELECT} and backtests.id = :id::uuid`);

export async function findBacktest(
  sql: Connection,
  organizationId: string,
  id: string,
): Promise<BacktestRow | null> {
  const [row] = await FIND.run(sql, { organization_id: organizationId, id });
  return row ?? null;
}

const LIST = statement<BacktestRow, "organization_id" | "below" | "limit" | "offset">(`
  ${SELECT} and (:below::uuid is null or backtests.id < :below::uuid)
  order by backtests.id desc limit :limit::int offset :offset::int`);

/** Returns a page of the backtests, newest first. */
export async function listBacktests(
  sql: Connection,
  organizationId: string,
  range: PageRange,
): Promise<BacktestRow[]> {
  return await LIST.run(sql, { organization_id: organizationId, ...range });
}

const COUNT_ALL = statement<{ count: number }, "organization_id">(`
  select count(*)::int as count from backtests where organization_id = :organization_id::uuid`);

export async function countBacktests(sql: Connection, organizationId: string): Promise<number> {
  const [row] = await COUNT_ALL.run(sql, { organization_id: organizationId });
  return row?.count ?? 0;
}

export type BacktestMonthRow = Pick<
  BacktestTotal,
  "month" | "currency" | "payments" | "before_minor" | "after_minor"
>;

const SUMMED =
  "sum(payments)::int as payments, sum(before_minor)::bigint as before_minor, sum(after_minor)::bigint as after_minor";

const LIST_MONTHS = statement<BacktestMonthRow, "organization_id" | "id">(`
  select month::text as month, currency, ${SUMMED} from backtest_totals
  where organization_id = :organization_id::uuid and backtest_id = :id::uuid
  group by backtest_totals.month, currency order by backtest_totals.month, currency`);

/** The totals by month and currency, oldest first. */
export async function listBacktestMonths(
  sql: Connection,
  organizationId: string,
  id: string,
): Promise<BacktestMonthRow[]> {
  return await LIST_MONTHS.run(sql, { organization_id: organizationId, id });
}

export type BacktestAffiliateRow = Pick<
  BacktestTotal,
  "affiliate_id" | "currency" | "payments" | "before_minor" | "after_minor"
>;

const LIST_AFFILIATES = statement<BacktestAffiliateRow, "organization_id" | "id" | "most">(`
  with summed as (
    select affiliate_id, currency, ${SUMMED} from backtest_totals
    where organization_id = :organization_id::uuid and backtest_id = :id::uuid group by affiliate_id, currency
  ), ranked as (
    select *, row_number() over (partition by currency, after_minor < before_minor
      order by abs(after_minor - before_minor) desc, affiliate_id) as place
    from summed where after_minor <> before_minor
  )
  select affiliate_id, currency, payments, before_minor, after_minor from ranked where place <= :most::int
  order by currency, place`);

/**
 * The affiliates who lose and who gain most, at most `most` of each and of each currency; the largest
 * difference first.
 */
export async function listBacktestAffiliates(
  sql: Connection,
  organizationId: string,
  { id, most }: { id: string; most: number },
): Promise<BacktestAffiliateRow[]> {
  return await LIST_AFFILIATES.run(sql, { organization_id: organizationId, id, most });
}
