import { runMigrations } from "graphile-worker";
import type { Connection } from "../postgres/connect.ts";
import { urlOfHost } from "../postgres/find-host.ts";
import { withCause } from "../postgres/tracer.ts";

/** The schema of the job queue's tables, as in the statements below. Overrides graphile-worker's environment. */
export const QUEUE_SCHEMA = "graphile_worker";

/** Installs or updates the tables of the job queue (graphile-worker), in their own schema. */
export async function migrateQueue(url: string): Promise<void> {
  await runMigrations({
    connectionString: await urlOfHost(url),
    schema: QUEUE_SCHEMA,
    noPreparedStatements: true,
    maxPoolSize: 1,
  });
}

/**
 * Adds a job. A key is unique among waiting jobs: if one with the key exists, it stays unchanged. A queue serializes
 * its jobs across workers.
 *
 * Never call it during a request: it calls `pg_notify`, which takes a lock of the whole server at commit.
 */
export async function addJob(
  sql: Connection,
  task: string,
  {
    payload = {},
    key = null,
    queue = null,
  }: { payload?: Record<string, string>; key?: string | null; queue?: string | null } = {},
): Promise<void> {
  await sql`
    select graphile_worker.add_job(${task}, ${JSON.stringify(withCause(payload))}::text::json, queue_name => ${queue},
      job_key => ${key}, job_key_mode => 'preserve_run_at')`;
}

/** Unlocks the jobs that are locked under these names; graphile-worker itself would wait for four hours. */
export async function unlockJobs(sql: Connection, queue_worker_ids: string[]): Promise<void> {
  if (queue_worker_ids.length === 0) return;
  await sql`select graphile_worker.force_unlock_workers(${queue_worker_ids}::text[])`;
}

/** A locked job and the time of its lock, as text: a job that is locked again has another time. */
export interface LockedJob {
  id: string;
  locked_at: string;
}

/** Returns the jobs that are locked under these names. */
export async function findLockedJobs(sql: Connection, lock_names: string[]): Promise<LockedJob[]> {
  return await sql<LockedJob[]>`
    select id::text, locked_at::text from graphile_worker._private_jobs where locked_by = any (${lock_names}::text[])`;
}

/** Unlocks single jobs, unless they were locked again since. */
export async function unlockSingleJobs(sql: Connection, jobs: readonly LockedJob[]): Promise<void> {
  await sql`
    with lost as (
      select * from unnest(${jobs.map(({ id }) => id)}::text[]::bigint[],
        ${jobs.map(({ locked_at }) => locked_at)}::text[]::timestamptz[]) as lost (id, locked_at)
    ),
    freed as (
      update graphile_worker._private_jobs job set locked_by = null, locked_at = null
      from lost where job.id = lost.id and job.locked_at = lost.locked_at
      returning job.job_queue_id
    )
    update graphile_worker._private_job_queues set locked_by = null, locked_at = null
    where id in (select job_queue_id from freed)`;
}

/**
 * Unlocks the jobs of dead workers, and the queues without a running job. Living workers register the names of their
 * locks when they renew their leases. An older lock under an unregistered name belongs to a dead worker, which may have
 * died before it registered the name.
 */
export async function unlockLostJobs(sql: Connection): Promise<void> {
  await sql`
    select graphile_worker.force_unlock_workers(lost.names)
    from (
      select array_agg(distinct locked_by) as names
      from graphile_worker.jobs
      where locked_at < (select min(renewed_at) from workers where alive_until > now())
        and locked_by <> all (select unnest(queue_worker_ids) from workers where alive_until > now())
    ) as lost
    where lost.names is not null`;
  // When a job was unlocked and locked again, its first worker ends it without unlocking the queue.
  await sql`
    update graphile_worker._private_job_queues queue set locked_at = null, locked_by = null
    where locked_by is not null and not exists (
      select from graphile_worker._private_jobs job
      where job.job_queue_id = queue.id and job.locked_by = queue.locked_by)`;
}
