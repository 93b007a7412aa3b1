import type { Connection } from "./connect.ts";

/** Registers a worker, alive for so long unless it renews its lease. */
export async function insertWorker(
  sql: Connection,
  { id, lease_seconds }: { id: string; lease_seconds: number },
): Promise<void> {
  await sql`
    insert into workers (id, started_at, alive_until)
    values (${id}, now(), now() + make_interval(secs => ${lease_seconds}))`;
}

/** False: the lease had ended, and what the worker claimed may have been given to others. */
export async function renewLease(
  sql: Connection,
  { id, lease_seconds, queue_worker_ids }: { id: string; lease_seconds: number; queue_worker_ids: string[] },
): Promise<boolean> {
  const result = await sql`
    update workers set alive_until = now() + make_interval(secs => ${lease_seconds}),
      queue_worker_ids = ${queue_worker_ids}::text[]
    where id = ${id} and alive_until > now()`;
  return result.count > 0;
}

export async function deleteWorker(sql: Connection, id: string): Promise<void> {
  await sql`delete from workers where id = ${id}`;
}

/** Removes the workers whose lease has ended; returns the names under which they lock jobs. */
export async function removeDeadWorkers(sql: Connection): Promise<string[]> {
  const rows = await sql<{ queue_worker_ids: string[] }[]>`
    delete from workers where alive_until <= now() returning queue_worker_ids`;
  return rows.flatMap((row) => row.queue_worker_ids);
}

/** Makes due what no living worker holds; returns how many deliveries that were. */
export async function releaseOrphans(sql: Connection): Promise<number> {
  const result = await sql`
    update deliveries set state = 'scheduled', claimed_by = null, next_attempt_at = now()
    where claimed_by is not null and claimed_by not in (select id from workers where alive_until > now())`;
  return result.count;
}
