import { runMigrations } from "graphile-worker";
import type { Connection } from "./connect.ts";

/** Where the job queue's tables are, as the statements below have it; graphile-worker would ask the environment. */
export const QUEUE_SCHEMA = "graphile_worker";

/** Installs or updates the tables of the job queue (graphile-worker), in its own schema. */
export async function migrateQueue(url: string): Promise<void> {
  await runMigrations({
    connectionString: url,
    schema: QUEUE_SCHEMA,
    noPreparedStatements: true,
    maxPoolSize: 1,
  });
}

/**
 * Adds a job. With a key there is one such job at most: one that is still to run is left as it is.
 *
 * Never on a request's way: it calls `pg_notify`, which takes a lock of the whole server at commit.
 */
export async function addJob(
  sql: Connection,
  task: string,
  { payload = {}, key = null }: { payload?: Record<string, string>; key?: string | null } = {},
): Promise<void> {
  await sql`
    select graphile_worker.add_job(${task}, ${JSON.stringify(payload)}::text::json, job_key => ${key},
      job_key_mode => 'preserve_run_at')`;
}

/** Frees the jobs that workers locked which are no more; the queue itself would hold them for four hours. */
export async function unlockJobs(sql: Connection, queue_worker_ids: string[]): Promise<void> {
  if (queue_worker_ids.length === 0) return;
  await sql`select graphile_worker.force_unlock_workers(${queue_worker_ids}::text[])`;
}
