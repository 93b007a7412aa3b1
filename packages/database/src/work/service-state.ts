import type { Connection } from "../postgres/connect.ts";
import { ATTEMPTS, CLICKS, countPartitionsAhead } from "../postgres/partitions.ts";

/** The feed of events, as the database counts it. */
export interface FeedState {
  /** Events written since the database's statistics began. */
  events_written: number;
  /**
   * The number of the oldest transaction that writes. No reader of the feed sees rows of this transaction or
   * of a later one.
   */
  horizon: bigint;
  /** The number that the next transaction gets. Equal to the horizon: nobody writes. */
  next: bigint;
}

export async function readFeedState(sql: Connection): Promise<FeedState> {
  const [row] = await sql<[FeedState]>`
    select pg_snapshot_xmin(pg_current_snapshot())::text::bigint as horizon,
      pg_snapshot_xmax(pg_current_snapshot())::text::bigint as next,
      (select n_tup_ins::float8 from pg_stat_user_tables where relid = 'events'::regclass) as events_written`;
  return row;
}

/** A task of the queue's schedule. */
export interface ScheduledTask {
  task: string;
  /** Seconds since 1970; 0: never. */
  last_run: number;
  /** Jobs of it that failed and wait for another attempt, or have none left. */
  failing: number;
}

export async function readScheduledTasks(sql: Connection): Promise<ScheduledTask[]> {
  return await sql<ScheduledTask[]>`
    select identifier as task, coalesce(extract(epoch from last_execution), 0)::float8 as last_run,
      (select count(*)::int from graphile_worker.jobs
        where task_identifier = identifier and last_error is not null) as failing
    from graphile_worker._private_known_crontabs`;
}

export interface PartitionsAhead {
  table: string;
  /** Periods after the present one that have a partition. */
  periods: number;
}

export async function readPartitionsAhead(sql: Connection): Promise<PartitionsAhead[]> {
  const tables = [ATTEMPTS, CLICKS];
  return await Promise.all(
    tables.map(async (table) => ({ table: table.name, periods: await countPartitionsAhead(sql, table) })),
  );
}

/** Payouts of one status and currency, of the runs that started within the last 35 days. */
export interface RecentPayouts {
  status: string;
  currency: string;
  payouts: number;
  amount_minor: number;
}

export async function readRecentPayouts(sql: Connection): Promise<RecentPayouts[]> {
  return await sql<RecentPayouts[]>`
    select total.status, total.currency, sum(total.payouts)::float8 as payouts,
      sum(total.amount_minor)::float8 as amount_minor
    from payout_runs run
    join payout_run_totals total on total.organization_id = run.organization_id and total.run_id = run.id
    where run.created_at > now() - interval '35 days'
    group by 1, 2`;
}

export interface PayoutRunState {
  /** Seconds since 1970; 0: never. */
  last_finished: number;
}

export async function readPayoutRunState(sql: Connection): Promise<PayoutRunState> {
  const [row] = await sql<[PayoutRunState]>`
    select coalesce(extract(epoch from max(finished_at)), 0)::float8 as last_finished from payout_runs`;
  return row;
}
