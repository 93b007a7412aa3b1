import type { Database } from "@findersfee/database/postgres/connect";

/** Makes the retries of failed jobs and of postponed work due now. */
export async function makeJobsDue(database: Database): Promise<void> {
  const { count } = await database`
    update graphile_worker._private_jobs set run_at = now()
    where run_at > now() and locked_at is null and last_error is not null`;
  if (count > 0) await database`select pg_notify('jobs:insert', ${JSON.stringify({ r: 0, count: -1 })})`;
  await database`update payout_runs set due_at = now() where due_at > now()`;
  await database`update jobs set due_at = now() where due_at > now()`;
  await database`update replays set due_at = now() where due_at > now()`;
}
