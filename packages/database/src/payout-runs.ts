import type { Connection } from "./connect.ts";
import type { PayoutRow } from "./rows.ts";
import { statement } from "./statement.ts";

export interface PayoutRunRow {
  id: string;
  period: string;
  cutoff_at: Date;
  minimum_payout_minor: bigint;
  currency: string;
  method: PayoutRow["method"];
  started_by: string;
  created_at: Date;
  finished_at: Date | null;
}

export interface PayoutRunWithCountRow extends PayoutRunRow {
  payouts: number;
}

const COLUMNS = `id, period, cutoff_at, minimum_payout_minor, currency, method, started_by, created_at, finished_at,
  (select count(*)::int from payouts
    where payouts.organization_id = run.organization_id and payouts.run_id = run.id) as payouts`;

/** Begins a run, unless its period has one. */
export async function insertPayoutRun(
  sql: Connection,
  organizationId: string,
  run: Omit<PayoutRunRow, "finished_at">,
): Promise<void> {
  await sql`
    insert into payout_runs ${sql({ ...run, organization_id: organizationId } as never)}
    on conflict (organization_id, period) do nothing`;
}

export async function findPayoutRun(
  sql: Connection,
  organizationId: string,
  by: { id: string } | { period: string },
): Promise<PayoutRunWithCountRow | null> {
  const [row] = await sql<PayoutRunWithCountRow[]>`
    select ${sql.unsafe(COLUMNS)} from payout_runs run
    where organization_id = ${organizationId}
      and ${"id" in by ? sql`id = ${by.id}` : sql`period = ${by.period}`}`;
  return row ?? null;
}

/** The last period that was run, or is being run; null: none. */
export async function findLastPeriod(sql: Connection, organizationId: string): Promise<string | null> {
  const [row] = await sql<[{ period: string | null }]>`
    select max(period) as period from payout_runs where organization_id = ${organizationId}`;
  return row.period;
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

/** Runs that are not finished, of any organizations. */
export async function listUnfinishedRuns(
  sql: Connection,
): Promise<(PayoutRunRow & { organization_id: string })[]> {
  return await sql<(PayoutRunRow & { organization_id: string })[]>`
    select organization_id, id, period, cutoff_at, minimum_payout_minor, currency, method, started_by,
      created_at, finished_at
    from payout_runs where finished_at is null order by organization_id, id`;
}

export async function finishPayoutRun(sql: Connection, organizationId: string, id: string): Promise<void> {
  await sql`
    update payout_runs set finished_at = coalesce(finished_at, now())
    where organization_id = ${organizationId} and id = ${id}`;
}

/** Organizations whose payout day is today or was in this month, and which have no run of the month yet. */
export async function listDuePayoutDays(
  sql: Connection,
  { day, period }: { day: number; period: string },
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id from organizations organization
    where payout_day <= ${day} and not exists (
      select from payout_runs run where run.organization_id = organization.id and run.period >= ${period})
    order by id`;
  return rows.map(({ id }) => id);
}

/** Whom something is owed, in a currency. */
export interface Creditor {
  affiliate_id: string;
  currency: string;
}

const LIST_CREDITORS = statement<Creditor, "organization_id" | "affiliate_id" | "currency" | "limit">(`
  select affiliate_id, currency from balances
  where organization_id = :organization_id::uuid
    and (affiliate_id, currency) > (:affiliate_id::uuid, :currency::text) and unpaid_minor > 0
  order by affiliate_id, currency limit :limit::int`);

/** Before all of them. */
export const NO_CREDITOR: Creditor = { affiliate_id: "00000000-0000-0000-0000-000000000000", currency: "" };

/** Affiliates to whom more is owed than they owe, held or not, behind the one of `after`. */
export async function listCreditors(
  sql: Connection,
  organizationId: string,
  { after, limit }: { after: Creditor; limit: number },
): Promise<Creditor[]> {
  return await LIST_CREDITORS.run(sql, { organization_id: organizationId, ...after, limit });
}

/**
 * What is due to an affiliate, locked, and put into a payout of the run if it comes to enough. What takes back
 * is netted at once, whatever its hold. The commit waits for no disk: what Postgres forgets when it dies, the run,
 * which is not finished then, makes again, and its end waits for all of it. Checks of keys are
 * planned once for a connection: planned while there were few payouts, they would read all that there are since. Whoever waited for a lock finds those rows in another payout, and sees
 * that they are no longer due.
 */
const PAY = statement<
  { payout_id: string },
  | "organization_id"
  | "affiliate_id"
  | "currency"
  | "run_id"
  | "payout_id"
  | "period"
  | "method"
  | "cutoff_at"
  | "minimum_minor"
  | "created_at"
  | "by"
>(`
  with due as materialized (
    select id, commission_minor from commissions
    where (select set_config('synchronous_commit', 'off', true)) is not null
      and (select set_config('enable_seqscan', 'off', true)) is not null
      and organization_id = :organization_id::uuid and affiliate_id = :affiliate_id::uuid
      and currency = :currency::text and payout_status = 'not_paid'
      and (payable_at <= :cutoff_at::timestamptz or commission_minor < 0)
      and created_at <= :cutoff_at::timestamptz
    order by id
    for no key update
  ),
  total as (select sum(commission_minor) as amount_minor, count(*) as payment_count from due),
  payout as (
    insert into payouts (organization_id, id, affiliate_id, affiliate_name, payout_email, amount_minor, currency,
      period, payment_count, status, method, created_at, run_id, status_at, status_by)
    select :organization_id::uuid, :payout_id::uuid, affiliate.id,
      coalesce(nullif(trim(affiliate.first_name || ' ' || affiliate.last_name), ''), affiliate.email),
      coalesce(affiliate.payout_email, affiliate.email), total.amount_minor, :currency::text, :period::text,
      total.payment_count, 'pending', :method::text, :created_at::timestamptz, :run_id::uuid,
      :created_at::timestamptz, :by::text
    from total
    join affiliates affiliate
      on affiliate.organization_id = :organization_id::uuid and affiliate.id = :affiliate_id::uuid
    where total.amount_minor >= greatest(:minimum_minor::bigint, 1)
    on conflict (organization_id, run_id, affiliate_id, currency) where run_id is not null do nothing
    returning id
  ),
  paid as (
    update commissions set payout_status = 'pending', payout_id = payout.id, cause = :by::text
    from payout, due
    where commissions.organization_id = :organization_id::uuid and commissions.id = due.id
  )
  select id as payout_id from payout`);

/** Pays what is due to an affiliate, in one transaction. False: nothing, or not enough. */
export async function payCreditor(
  sql: Connection,
  organizationId: string,
  {
    creditor,
    run,
    ...payout
  }: {
    creditor: Creditor;
    run: Pick<PayoutRunRow, "id" | "period" | "method" | "cutoff_at">;
    payout_id: string;
    minimum_minor: bigint;
    created_at: Date;
    by: string;
  },
): Promise<boolean> {
  const { id: run_id, period, method, cutoff_at } = run;
  const rows = await PAY.run(sql, {
    organization_id: organizationId,
    ...creditor,
    run_id,
    period,
    method,
    cutoff_at,
    ...payout,
  });
  return rows.length > 0;
}

export interface PreviewRow extends Creditor {
  affiliate_name: string;
  payout_email: string;
  due_minor: bigint;
  payment_count: number;
  held_minor: bigint;
}

const PREVIEW = statement<
  PreviewRow,
  "organization_id" | "affiliate_id" | "currency" | "limit" | "cutoff_at"
>(`
  select balance.affiliate_id, balance.currency,
    coalesce(nullif(trim(affiliate.first_name || ' ' || affiliate.last_name), ''), affiliate.email)
      as affiliate_name,
    coalesce(affiliate.payout_email, affiliate.email) as payout_email,
    unpaid.due_minor, unpaid.payment_count, unpaid.held_minor
  from (
    select affiliate_id, currency from balances
    where organization_id = :organization_id::uuid
      and (affiliate_id, currency) > (:affiliate_id::uuid, :currency::text) and unpaid_minor <> 0
    order by affiliate_id, currency limit :limit::int
  ) balance
  join affiliates affiliate
    on affiliate.organization_id = :organization_id::uuid and affiliate.id = balance.affiliate_id
  cross join lateral (
    select coalesce(sum(commission_minor) filter (where is_due), 0)::bigint as due_minor,
      count(*) filter (where is_due)::int as payment_count,
      coalesce(sum(commission_minor) filter (where not is_due), 0)::bigint as held_minor
    from (
      select commission_minor, payable_at <= :cutoff_at::timestamptz or commission_minor < 0 as is_due
      from commissions
      where organization_id = :organization_id::uuid and affiliate_id = balance.affiliate_id
        and currency = balance.currency and payout_status = 'not_paid'
    ) commission
  ) unpaid
  order by balance.affiliate_id, balance.currency`);

/** What is unpaid of each affiliate and currency, and how much of it a run at this moment would take. */
export async function previewCreditors(
  sql: Connection,
  organizationId: string,
  { after, limit, cutoff_at }: { after: Creditor; limit: number; cutoff_at: Date },
): Promise<PreviewRow[]> {
  return await PREVIEW.run(sql, { organization_id: organizationId, ...after, limit, cutoff_at });
}
