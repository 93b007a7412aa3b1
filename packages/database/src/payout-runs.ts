import type { Connection, Database } from "./connect.ts";
import type { PayoutRow } from "./rows.ts";
import type { MinimumPayoutsRow } from "./settings.ts";
import { statement } from "./statement.ts";
import { plainArrayText } from "./text-array.ts";

export interface PayoutRunRow {
  id: string;
  period: string;
  cutoff_at: Date;
  minimum_payouts: MinimumPayoutsRow;
  /** The organization's when the run started. */
  currency: string;
  method: PayoutRow["method"];
  started_by: string;
  created_at: Date;
  finished_at: Date | null;
}

export interface PayoutRunWithCountRow extends PayoutRunRow {
  payouts: number;
}

const COLUMNS = `id, period, cutoff_at, minimum_payouts, currency, method, started_by, created_at, finished_at,
  (select count(*)::int from payouts
    where payouts.organization_id = run.organization_id and payouts.run_id = run.id) as payouts`;

/** Begins a run, unless its period has one. */
export async function insertPayoutRun(
  sql: Connection,
  organizationId: string,
  run: Omit<PayoutRunRow, "finished_at">,
): Promise<void> {
  const row = { ...run, organization_id: organizationId, minimum_payouts: sql.json(run.minimum_payouts) };
  await sql`
    insert into payout_runs ${sql(row as never)}
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
    select organization_id, id, period, cutoff_at, minimum_payouts, currency, method, started_by,
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

const PAY = statement<object, "organization_id" | "run_id" | keyof Payable>(`
  select pay_creditor(:organization_id::uuid, :run_id::uuid, :affiliate_id::uuid, :currency::text,
    :minimum_minor::bigint, :payout_id::uuid, :made_at::timestamptz)`);

const PAY_SEVERAL = statement<
  object,
  "organization_id" | "run_id" | "made_at" | "affiliate_ids" | "currencies" | "minimums_minor" | "payout_ids"
>(`
  call pay_creditors(:organization_id::uuid, :run_id::uuid, :affiliate_ids::text::uuid[], :currencies::text::text[],
    :minimums_minor::text::bigint[], :payout_ids::text::uuid[], :made_at::timestamptz)`);

/** A creditor, what a payout has to come to, and the id that it gets. */
export interface Payable extends Creditor {
  minimum_minor: bigint;
  payout_id: string;
  made_at: Date;
}

/** Pays what is due to an affiliate in a currency; nothing if it was paid in the run, or it is not enough. */
export async function payCreditor(
  sql: Connection,
  organizationId: string,
  { run_id, payable }: { run_id: string; payable: Payable },
): Promise<void> {
  await PAY.run(sql, { organization_id: organizationId, run_id, ...payable });
}

/** The same for several, each in a transaction of its own. Where one is refused, those before it are paid. */
export async function payCreditors(
  database: Database,
  organizationId: string,
  {
    run_id,
    payables,
    made_at,
  }: { run_id: string; payables: readonly Omit<Payable, "made_at">[]; made_at: Date },
): Promise<void> {
  await PAY_SEVERAL.run(database, {
    organization_id: organizationId,
    run_id,
    affiliate_ids: plainArrayText(payables.map(({ affiliate_id }) => affiliate_id)),
    currencies: plainArrayText(payables.map(({ currency }) => currency)),
    minimums_minor: plainArrayText(payables.map(({ minimum_minor }) => String(minimum_minor))),
    payout_ids: plainArrayText(payables.map(({ payout_id }) => payout_id)),
    made_at,
  });
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
      from unpaid_commissions
      where organization_id = :organization_id::uuid and affiliate_id = balance.affiliate_id
        and currency = balance.currency
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
