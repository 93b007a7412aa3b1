import { actorName } from "../audit-log/actor-name.ts";
import { postAllocated } from "../ledger/postings.ts";
import type { MinimumPayoutsRow } from "../organizations/settings.ts";
import type { Connection, Transaction } from "../postgres/connect.ts";
import { statement } from "../postgres/statement.ts";
import { currentTraceparent } from "../postgres/tracer.ts";
import type { PayoutRow } from "../rows.ts";
import { type Fence, OWNS_SHARD, POSTPONED } from "../work/due-work.ts";
import type { ShardOwner } from "../work/shards.ts";
import {
  isPaidInOne,
  JOIN_RATES,
  PAID_IN_ONE,
  PAYOUT_MINOR,
  RATE,
  type RunRateRow,
  type RunRatesRow,
  ratesJson,
} from "./conversions.ts";
import { isWithheld } from "./holds.ts";
import { type CreatedPayout, hasPayout, insertPayouts, PLACE_COMMISSIONS } from "./new-payouts.ts";

/** The payouts of a run in each currency, as a person confirmed them. JSON knows no bigint. */
export type ConfirmedRow = Record<string, { payouts: number; amount_minor: string }>;

/** Whether a second member decides about a run, and how. */
export interface RunApprovalRow {
  /** Null: it needs none. */
  approval: "waiting" | "approved" | "declined" | null;
  /** The person who started it, or who made the key that did; null: nobody. */
  starter_id: string | null;
  decided_by: string | null;
  decided_at: Date | null;
  decision_reason: string | null;
}

/** The part of a run that its start writes. */
export interface PayoutRunRow extends Pick<RunApprovalRow, "approval" | "starter_id">, RunRatesRow {
  id: string;
  period: string;
  /** Within the period: 1 for the run of all affiliates that each month has. */
  number: number;
  /** Null: all. */
  affiliate_ids: string[] | null;
  /** Null: nobody confirmed the amounts. */
  confirmed: ConfirmedRow | null;
  cutoff_at: Date;
  minimum_payouts: MinimumPayoutsRow;
  /** The organization's currency when the run started. */
  currency: string;
  /** The organization's time zone when the run started, in which `period` is its month. */
  time_zone: string;
  method: PayoutRow["method"];
  started_by: string;
  created_at: Date;
  finished_at: Date | null;
}

export interface DuePayoutRun extends PayoutRunRow {
  /** Attempts that failed. */
  failures: number;
  /** The request that started or approved it, as the header `traceparent`; null: it is not recorded. */
  traceparent: string | null;
}

export interface PayoutRunWithCountRow extends PayoutRunRow, RunApprovalRow {
  payouts: number;
  /** The name of the user who decided about it; null: nobody did, or the user was deleted. */
  decided_by_name: string | null;
  /** The name of the user or key that started it; null for other actors, and for users who were deleted. */
  started_by_name: string | null;
}

const COLUMNS = `id, period, number, affiliate_ids, confirmed, cutoff_at, minimum_payouts, currency, time_zone, method, started_by,
  created_at, finished_at, approval, starter_id, decided_by, decided_at, decision_reason, exchange_rates, missing_rates,
  (select name from users where users.id = run.decided_by) as decided_by_name,
  (select coalesce(sum(payouts), 0)::int from payout_run_totals total
    where total.organization_id = run.organization_id and total.run_id = run.id) as payouts,
  ${actorName({ organization_id: "run.organization_id", actor: "run.started_by" })} as started_by_name`;

/** Starts a run, unless its period has one with its number. */
export async function insertPayoutRun(
  sql: Connection,
  organizationId: string,
  run: Omit<PayoutRunRow, "finished_at">,
): Promise<void> {
  const { minimum_payouts, confirmed, exchange_rates } = run;
  const row = {
    ...run,
    organization_id: organizationId,
    minimum_payouts: sql.json(minimum_payouts),
    confirmed: confirmed && sql.json(confirmed),
    exchange_rates: sql.json(exchange_rates as never),
    // Until somebody approves it, it is no worker's.
    due_at: run.approval === "waiting" ? null : run.created_at,
    traceparent: currentTraceparent(),
  };
  await sql`
    insert into payout_runs ${sql(row as never)}
    on conflict (organization_id, period, number) do nothing`;
}

export async function findPayoutRun(
  sql: Connection,
  organizationId: string,
  by: { id: string } | { period: string; number: number },
): Promise<PayoutRunWithCountRow | null> {
  const [row] = await sql<PayoutRunWithCountRow[]>`
    select ${sql.unsafe(COLUMNS)} from payout_runs run
    where organization_id = ${organizationId}
      and ${"id" in by ? sql`id = ${by.id}` : sql`period = ${by.period} and number = ${by.number}`}`;
  return row ?? null;
}

/** Returns the number of the next run of a period beside the month's run: from 2. */
export async function findNextNumber(
  sql: Connection,
  organizationId: string,
  period: string,
): Promise<number> {
  const [row] = await sql<[{ number: number }]>`
    select greatest(max(number), 1) + 1 as number from payout_runs
    where organization_id = ${organizationId} and period = ${period}`;
  return row.number;
}

/**
 * The open step of the organization's run: it creates payouts, or waits for approval; null: no run is open.
 */
export async function findUnfinishedRun(
  sql: Connection,
  organizationId: string,
): Promise<"running" | "waiting" | null> {
  const [row] = await sql<{ is_waiting: boolean }[]>`
    select due_at is null as is_waiting from payout_runs
    where organization_id = ${organizationId} and (due_at is not null or approval = 'waiting')
    order by is_waiting limit 1`;
  if (row === undefined) return null;
  return row.is_waiting ? "waiting" : "running";
}

/** The sum that a run would pay in a currency. */
export interface ProposedTotalRow {
  currency: string;
  payouts: number;
  amount_minor: bigint;
}

const PROPOSE = statement<
  ProposedTotalRow & { affiliates: number },
  "organization_id" | "cutoff_at" | "affiliate_ids" | "minimum_payouts" | "rates"
>(`
  with paid_in_one as materialized (${PAID_IN_ONE}),
  ${RATE},
  due as materialized (
    select unpaid.affiliate_id, currency, payout_currency, sum(commission_minor)::bigint as due_minor
    from unpaid_commissions unpaid left join paid_in_one using (affiliate_id)
    where organization_id = :organization_id::uuid and due_at <= :cutoff_at::timestamptz
      and not ${isWithheld("unpaid")}
      and (:affiliate_ids::uuid[] is null or unpaid.affiliate_id = any (:affiliate_ids::uuid[]))
    group by unpaid.affiliate_id, currency, payout_currency
  ),
  payee as materialized (
    select affiliate_id, currency, due_minor from due where payout_currency is null
    union all
    select affiliate_id, payout_currency, sum(${PAYOUT_MINOR})::bigint
    from due ${JOIN_RATES}
    where payout_currency is not null group by affiliate_id, payout_currency
  ),
  paid as materialized (
    select * from payee
    where due_minor > 0 and due_minor >= coalesce((:minimum_payouts::text::jsonb ->> currency)::bigint, 0)
  )
  select currency, count(*)::int as payouts, sum(due_minor)::bigint as amount_minor,
    (select count(distinct affiliate_id)::int from paid) as affiliates
  from paid group by currency order by currency`);

/** The conditions of a run that decide which affiliates it pays. */
export type RunTerms = Pick<PayoutRunRow, "cutoff_at" | "minimum_payouts" | "affiliate_ids"> & {
  rates: readonly RunRateRow[];
};

/**
 * The sum that a run at the cutoff would pay in each currency, and its number of affiliates: as `isPayableIn`
 * in packages/domain decides.
 */
export async function proposePayouts(
  sql: Connection,
  organizationId: string,
  { cutoff_at, minimum_payouts, affiliate_ids, rates }: RunTerms,
): Promise<{ affiliates: number; totals: ProposedTotalRow[] }> {
  const rows = await PROPOSE.run(sql, {
    organization_id: organizationId,
    cutoff_at,
    affiliate_ids,
    minimum_payouts: JSON.stringify(minimum_payouts),
    rates: ratesJson(rates),
  });
  const totals = rows.map(({ currency, payouts, amount_minor }) => ({ currency, payouts, amount_minor }));
  return { affiliates: rows[0]?.affiliates ?? 0, totals };
}

/** Locks a run: if two workers compete, only one creates its payouts. */
export async function lockPayoutRun(sql: Transaction, organizationId: string, id: string): Promise<void> {
  await sql`select from payout_runs where organization_id = ${organizationId} and id = ${id} for no key update`;
}

export async function listPayoutRuns(
  sql: Connection,
  organizationId: string,
  { below, limit }: { below: string | null; limit: number },
): Promise<PayoutRunWithCountRow[]> {
  return await sql<PayoutRunWithCountRow[]>`
    select ${sql.unsafe(COLUMNS)} from payout_runs run
    where organization_id = ${organizationId} ${below === null ? sql`` : sql`and id < ${below}`}
    order by id desc limit ${limit}`;
}

const READ_DUE = statement<DuePayoutRun, "organization_id" | Fence>(`
  select id, period, number, affiliate_ids, confirmed, cutoff_at, minimum_payouts, currency, time_zone, method, started_by,
    created_at, finished_at, approval, starter_id, exchange_rates, missing_rates, failures, traceparent
  from payout_runs
  where organization_id = :organization_id::uuid and due_at <= now() and ${OWNS_SHARD}
  order by id limit 1`);

/** The organization's oldest run that is due; null without one, or without the organization's shard. */
export async function readDuePayoutRun(
  sql: Connection,
  organizationId: string,
  owner: ShardOwner,
): Promise<DuePayoutRun | null> {
  const [row] = await READ_DUE.run(sql, { organization_id: organizationId, ...owner });
  return row ?? null;
}

const FINISH = statement<object, "organization_id" | "id" | Fence>(`
  update payout_runs set finished_at = now(), due_at = null, failures = 0, reason = null
  where organization_id = :organization_id::uuid and id = :id::uuid and finished_at is null and ${OWNS_SHARD}
  returning 1`);

/** False: it was finished before, or the shard has another owner, who goes on with it. */
export async function finishPayoutRun(
  sql: Connection,
  organizationId: string,
  { id, owner }: { id: string; owner: ShardOwner },
): Promise<boolean> {
  const rows = await FINISH.run(sql, { organization_id: organizationId, id, ...owner });
  return rows.length > 0;
}

const POSTPONE = statement<object, "organization_id" | "id" | "seconds" | "reason" | Fence>(`
  update payout_runs set ${POSTPONED}
  where organization_id = :organization_id::uuid and id = :id::uuid and finished_at is null and ${OWNS_SHARD}`);

/** Records that an attempt at a run failed, and makes the run due again after `seconds`. */
export async function postponePayoutRun(
  sql: Connection,
  organizationId: string,
  { id, ...retry }: { id: string; owner: ShardOwner; seconds: number; reason: string },
): Promise<void> {
  const { owner, seconds, reason } = retry;
  await POSTPONE.run(sql, { organization_id: organizationId, id, seconds, reason, ...owner });
}

/** An affiliate to pay in a currency. */
export interface Payee {
  affiliate_id: string;
  currency: string;
}

/** Commissions of a payee that are due. */
export interface DueRow extends Payee {
  amount_minor: bigint;
  payment_count: number;
  /** Whether the run has a payout for the payee. */
  has_payout: boolean;
  /** Whether a person left the affiliate out of payout runs. */
  is_withheld: boolean;
  /** Whether the affiliate is paid in one currency (`conversions.ts`). */
  is_paid_in_one: boolean;
}

/** Before all payees. */
export const NO_PAYEE: Payee = { affiliate_id: "00000000-0000-0000-0000-000000000000", currency: "" };

/** The due commissions of the rows `payee`. */
const DUE = `select payee.affiliate_id, payee.currency, due.amount_minor, due.payment_count,
    ${hasPayout("payee.currency")} as has_payout,
    ${isWithheld("payee")} as is_withheld, ${isPaidInOne("payee")} as is_paid_in_one
  from payee
  cross join lateral (
    select coalesce(sum(commission_minor), 0)::bigint as amount_minor, count(*)::int as payment_count
    from unpaid_commissions
    where organization_id = :organization_id::uuid and affiliate_id = payee.affiliate_id
      and currency = payee.currency and due_at <= :cutoff_at::timestamptz
  ) as due`;

const LIST_DUE = statement<
  DueRow,
  "organization_id" | "run_id" | "cutoff_at" | "affiliate_ids" | "affiliate_id" | "currency" | "limit"
>(`
  with payee as materialized (
    select affiliate_id, currency from balances
    where organization_id = :organization_id::uuid
      and (affiliate_id, currency) > (:affiliate_id::uuid, :currency::text) and unpaid_minor > 0
      and (:affiliate_ids::uuid[] is null or affiliate_id = any (:affiliate_ids::uuid[]))
    order by affiliate_id, currency limit :limit::int
  )
  ${DUE}
  order by payee.affiliate_id, payee.currency`);

const FIND_DUE = statement<DueRow, "organization_id" | "run_id" | "cutoff_at" | "affiliate_id" | "currency">(`
  with payee as (select :affiliate_id::uuid as affiliate_id, :currency::text as currency)
  ${DUE}`);

/** Returns the payees of a run after `after` with a positive unpaid balance, and their due amounts at the run's cutoff. */
export async function listDue(
  sql: Connection,
  organizationId: string,
  {
    run,
    after,
    limit,
  }: { run: Pick<PayoutRunRow, "id" | "cutoff_at" | "affiliate_ids">; after: Payee; limit: number },
): Promise<DueRow[]> {
  const { id: run_id, cutoff_at, affiliate_ids } = run;
  return await LIST_DUE.run(sql, {
    organization_id: organizationId,
    run_id,
    cutoff_at,
    affiliate_ids,
    ...after,
    limit,
  });
}

/** Returns the due amount of one payee at the run's cutoff. */
export async function findDue(
  sql: Connection,
  organizationId: string,
  { run, payee }: { run: Pick<PayoutRunRow, "id" | "cutoff_at">; payee: Payee },
): Promise<DueRow> {
  const { affiliate_id, currency } = payee;
  const { id: run_id, cutoff_at } = run;
  const [row] = await FIND_DUE.run(sql, {
    organization_id: organizationId,
    run_id,
    cutoff_at,
    affiliate_id,
    currency,
  });
  if (row === undefined) throw new Error("a sum without a row");
  return row;
}

const CREATE_PAYOUTS = statement<
  CreatedPayout,
  "organization_id" | "run_id" | "cutoff_at" | "created_at" | "payouts"
>(`
  with new_payout as materialized (
    select id, affiliate_id, currency
    from json_to_recordset(:payouts::text::json) as new_payout (id uuid, affiliate_id uuid, currency text)
    where not ${isWithheld("new_payout")} and not ${isPaidInOne("new_payout")}
  ),
  -- Waits for transactions that are changing one of the commissions, and takes it as it is then.
  taken as (
    delete from unpaid_commissions unpaid using new_payout
    where unpaid.organization_id = :organization_id::uuid and unpaid.affiliate_id = new_payout.affiliate_id
      and unpaid.currency = new_payout.currency and unpaid.due_at <= :cutoff_at::timestamptz
    returning new_payout.id as payout_id, unpaid.affiliate_id, unpaid.currency, unpaid.commission_id,
      unpaid.commission_minor
  ),
  allocated as (
    select payout_id, affiliate_id, currency, sum(commission_minor)::bigint as amount_minor,
      count(*)::int as payment_count, array_agg(commission_id order by commission_id) as commission_ids,
      'payout run ' || :run_id::text as cause
    from taken group by payout_id, affiliate_id, currency
  ),
  ${PLACE_COMMISSIONS},
  ${insertPayouts("allocated")},
  ${postAllocated("allocated")}
  select payout_id as id, amount_minor, payment_count from allocated`);

export interface NewPayout extends Payee {
  id: string;
}

/**
 * Creates payouts of a run, each with all commissions that are due to its payee at the cutoff, and returns those with at least
 * one. The caller compares the amounts with the expected ones: another transaction may have changed a commission since it
 * read them.
 *
 * @throws PostgresError if one of them is refused: none is created then
 */
export async function createPayouts(
  sql: Transaction,
  organizationId: string,
  {
    run,
    created_at,
    payouts,
  }: { run: Pick<PayoutRunRow, "id" | "cutoff_at">; created_at: Date; payouts: readonly NewPayout[] },
): Promise<CreatedPayout[]> {
  return await CREATE_PAYOUTS.run(sql, {
    organization_id: organizationId,
    run_id: run.id,
    cutoff_at: run.cutoff_at,
    created_at,
    payouts: JSON.stringify(
      payouts.map(({ id, affiliate_id, currency }) => ({ id, affiliate_id, currency })),
    ),
  });
}
