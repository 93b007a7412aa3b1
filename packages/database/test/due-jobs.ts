import type { Database } from "../src/postgres/connect.ts";
import { OWN_SHARD } from "../src/work/shards.ts";

/** A job of the queue. */
export interface DueJob {
  task: string;
  key: string | null;
  attempts: number;
  locked_by: string | null;
  /** How long it has been due. */
  seconds: number;
  last_error: string | null;
}

/**
 * The jobs that are due, oldest first: those that wait, those that run, and those that never run again. The job of a
 * shard runs for up to an hour and stays due: it is among them only if no living worker has locked it.
 */
export async function dueJobs(database: Database): Promise<DueJob[]> {
  return await database<DueJob[]>`
    select task_identifier as task, key, attempts, locked_by, last_error,
      extract(epoch from now() - run_at)::int as seconds
    from graphile_worker.jobs job
    where run_at <= now()
      and not (task_identifier = ${OWN_SHARD} and exists (
        select from workers where alive_until > now() and job.locked_by = any (queue_worker_ids)))
    order by run_at, job.id`;
}
