import type { Connection } from "../postgres/connect.ts";
import { arrayText, statement } from "../postgres/statement.ts";

/** The number of shards of background work: deliveries by their endpoint, all other work by its organization. */
export const SHARDS = 32;
export const ALL_SHARDS: readonly number[] = Array.from({ length: SHARDS }, (_, shard) => shard);

/** The job that owns a shard for as long as it runs. */
export const OWN_SHARD = "own_shard";

/** The right to work on a shard. It ends when another process takes the shard, and with it a newer token. */
export interface ShardOwner {
  shard: number;
  token: bigint;
}

/** The owner's shard was taken by another process: nothing was changed, and the owner must stop. */
export class ShardLost extends Error {
  readonly shard: number;

  constructor({ shard }: ShardOwner) {
    super(`shard ${shard} has another owner now`);
    this.shard = shard;
  }
}

/** The shard of an organization's work, as the database's `shard_of` has it. */
export function shardOf(organizationId: string): number {
  return Number.parseInt(organizationId.slice(-2), 16) % SHARDS;
}

const TAKE = statement<{ token: bigint }, "shard">(`
  insert into shards as taken (shard, token) values (:shard::smallint, 1)
  on conflict (shard) do update set token = taken.token + 1
  returning token`);

/** Takes a shard: its former owner can neither read nor complete any of its work from now on. */
export async function takeShard(sql: Connection, shard: number): Promise<ShardOwner> {
  const [row] = await TAKE.run(sql, { shard });
  if (row === undefined) throw new Error(`shard ${shard} has no token`);
  return { shard, token: row.token };
}

const ADD = `graphile_worker.add_job(:task::text, json_build_object('shard', shard),
    queue_name => :task::text || ':' || shard, job_key => :task::text || ':' || shard, job_key_mode => 'preserve_run_at')`;

const ADD_JOBS = statement<object, "task" | "shards">(`
  select ${ADD}
  from unnest(:shards::text::smallint[]) as shard
  where not exists (
    select from graphile_worker.jobs
    where queue_name = :task::text || ':' || shard and attempts < max_attempts)`);

/**
 * Adds the job that owns each of these shards, unless one is running or waiting. The queue name serializes the jobs of
 * a shard.
 */
export async function addShardJobs(sql: Connection, shards: readonly number[]): Promise<void> {
  await ADD_JOBS.run(sql, { task: OWN_SHARD, shards: arrayText(shards) });
}

/** A running job of a shard, as the queue gave it to its process. */
export interface ShardJob {
  id: string;
  locked_by: string | null;
}

const ADD_NEXT_JOB = statement<object, "task" | "shard" | "id" | "locked_by">(`
  select ${ADD}
  from (select :shard::smallint as shard) as next
  where not exists (
    select from graphile_worker.jobs
    where queue_name = :task::text || ':' || shard and attempts < max_attempts
      and (id, locked_by) is distinct from (:id::text::bigint, :locked_by::text))`);

/**
 * Adds the successor of a running job that owns a shard, which starts when that job ends; unless another job of the shard is running
 * or waiting. The same job is another one if its process lost the lock: a successor would wait for as long as that one runs.
 */
export async function addNextShardJob(sql: Connection, shard: number, job: ShardJob): Promise<void> {
  await ADD_NEXT_JOB.run(sql, { task: OWN_SHARD, shard, ...job });
}

/**
 * Deletes jobs of shards that will never run again: a job that was killed while its successor was added has no key and
 * no attempts left. The successor owns the shard.
 */
export async function deleteLostShardJobs(sql: Connection): Promise<void> {
  await sql`
    delete from graphile_worker._private_jobs job
    using graphile_worker._private_tasks task
    where task.id = job.task_id and task.identifier = ${OWN_SHARD}
      and job.key is null and job.attempts >= job.max_attempts and job.locked_at is null`;
}

/** The channel on which producers name the organizations that have new work. */
export const WORK_CHANNEL = "findersfee_work";

const NOTIFY = statement<object, "channel" | "payload">("select pg_notify(:channel::text, :payload::text)");

/** Payloads must stay below 8,000 bytes. */
const NAMED = 200;

/**
 * Notifies all workers that organizations have new work of a kind; `kind` is one of `WORK_KINDS`, or `events` for
 * deliveries and mails. On a hot path, call it after the commit: within a transaction, a notification takes a lock of
 * the whole server at commit.
 */
export async function notifyWorkers(
  sql: Connection,
  kind: string,
  organization_ids: readonly string[],
): Promise<void> {
  for (let start = 0; start < organization_ids.length; start += NAMED) {
    const named = organization_ids.slice(start, start + NAMED).join(",");
    await NOTIFY.run(sql, { channel: WORK_CHANNEL, payload: `${kind}:${named}` });
  }
}
