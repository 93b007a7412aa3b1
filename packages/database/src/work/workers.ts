import type { Connection } from "../postgres/connect.ts";

export interface WorkerLease {
  id: string;
  lease_seconds: number;
  /** The names under which it locks jobs, at this database time or later. */
  queue_worker_ids: string[];
  renewed_at: Date;
}

/** Returns the database's time. */
export async function readTime(sql: Connection): Promise<Date> {
  const [{ now }] = await sql<[{ now: Date }]>`select now()`;
  return now;
}

/** Registers a worker with a lease of `lease_seconds`. */
export async function insertWorker(
  sql: Connection,
  { id, lease_seconds, queue_worker_ids, renewed_at }: WorkerLease,
): Promise<void> {
  await sql`
    insert into workers (id, started_at, alive_until, renewed_at, queue_worker_ids)
    values (${id}, now(), now() + make_interval(secs => ${lease_seconds}), ${renewed_at},
      ${queue_worker_ids}::text[])`;
}

/** False: the lease had ended, and other workers may have claimed the worker's jobs. */
export async function renewLease(
  sql: Connection,
  { id, lease_seconds, queue_worker_ids, renewed_at }: WorkerLease,
): Promise<boolean> {
  const result = await sql`
    update workers set alive_until = now() + make_interval(secs => ${lease_seconds}), renewed_at = ${renewed_at},
      queue_worker_ids = ${queue_worker_ids}::text[]
    where id = ${id} and alive_until > now()`;
  return result.count > 0;
}

export async function deleteWorker(sql: Connection, id: string): Promise<void> {
  await sql`delete from workers where id = ${id}`;
}

/** Removes the workers with an expired lease. */
export async function removeDeadWorkers(sql: Connection): Promise<void> {
  await sql`delete from workers where alive_until <= now()`;
}

/** Returns the number of living workers. */
export async function countWorkers(sql: Connection): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int as count from workers where alive_until > now()`;
  return row.count;
}
