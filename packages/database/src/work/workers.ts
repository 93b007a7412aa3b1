import type { Connection } from "../postgres/connect.ts";
import { statement } from "../postgres/statement.ts";

/**
 * How a worker handles mails: it sends them, or shows them on one machine without a mail server, or lacks a
 * mail server or the address for links.
 */
export type MailDelivery = "sent" | "local" | "no_mail_server" | "no_public_url";

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
  {
    id,
    lease_seconds,
    queue_worker_ids,
    renewed_at,
    mail_delivery,
  }: WorkerLease & { mail_delivery: MailDelivery },
): Promise<void> {
  await sql`
    insert into workers (id, started_at, alive_until, renewed_at, queue_worker_ids, mail_delivery)
    values (${id}, now(), now() + make_interval(secs => ${lease_seconds}), ${renewed_at},
      ${queue_worker_ids}::text[], ${mail_delivery})`;
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

export interface WorkersRow {
  /** Running workers. */
  count: number;
  /** The worst state of mails at a worker; null: no worker runs, or none reports it. */
  mail_delivery: MailDelivery | null;
}

const READ = statement<WorkersRow, never>(`
  select count(*)::int as count,
    (array_agg(mail_delivery order by array_position(array['no_mail_server', 'local', 'no_public_url', 'sent'], mail_delivery))
      filter (where mail_delivery is not null))[1] as mail_delivery
  from workers where alive_until > now()`);

/** The number of running workers, and how they handle mails. */
export async function readWorkers(sql: Connection): Promise<WorkersRow> {
  const [row] = await READ.run(sql, {});
  return row ?? { count: 0, mail_delivery: null };
}
