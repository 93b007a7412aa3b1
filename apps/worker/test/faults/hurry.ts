import type { Database } from "@findersfee/database/connect";

/** Lets the time pass that the queue waits before it does failed jobs again. */
export async function hurryJobs(database: Database): Promise<void> {
  const { count } = await database`
    update graphile_worker._private_jobs set run_at = now()
    where run_at > now() and locked_at is null and last_error is not null`;
  if (count > 0) await database`select pg_notify('jobs:insert', ${JSON.stringify({ r: 0, count: -1 })})`;
}
