import type { Connection } from "./connect.ts";
import { statement } from "./statement.ts";
import { arrayText } from "./text-array.ts";

/** The number of shards to which endpoints hash (`endpoints.shard`). */
export const SHARDS = 32;
export const ALL_SHARDS: readonly number[] = Array.from({ length: SHARDS }, (_, shard) => shard);

/** The channel on which producers name the organizations that have new deliveries, separated by commas. */
export const DELIVERIES_CHANNEL = "findersfee_deliveries";

const TAKE = statement<{ token: bigint }, "shard">(`
  insert into delivery_shards as shard (shard, token) values (:shard::smallint, 1)
  on conflict (shard) do update set token = shard.token + 1
  returning token`);

/** Creates a new token of a shard. The former owner's reads return nothing from then on. */
export async function takeShard(sql: Connection, shard: number): Promise<bigint> {
  const [row] = await TAKE.run(sql, { shard });
  if (row === undefined) throw new Error(`shard ${shard} has no token`);
  return row.token;
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
export async function addShardJobs(
  sql: Connection,
  { task, shards }: { task: string; shards: readonly number[] },
): Promise<void> {
  await ADD_JOBS.run(sql, { task, shards: arrayText(shards) });
}

const ADD_NEXT_JOB = statement<object, "task" | "shard">(
  `select ${ADD} from (select :shard::smallint as shard) as next`,
);

/** Adds the successor of the running job that owns a shard. It starts when that job ends. */
export async function addNextShardJob(
  sql: Connection,
  { task, shard }: { task: string; shard: number },
): Promise<void> {
  await ADD_NEXT_JOB.run(sql, { task, shard });
}

const NOTIFY = statement<object, "channel" | "payload">("select pg_notify(:channel::text, :payload::text)");

/** Payloads must stay below 8,000 bytes. */
const NAMED = 200;

/**
 * Notifies all workers that organizations have new deliveries. Never call it in a transaction that writes: a
 * notification takes a lock of the whole server at commit.
 */
export async function notifyDeliveries(sql: Connection, organization_ids: readonly string[]): Promise<void> {
  for (let start = 0; start < organization_ids.length; start += NAMED) {
    const payload = organization_ids.slice(start, start + NAMED).join(",");
    await NOTIFY.run(sql, { channel: DELIVERIES_CHANNEL, payload });
  }
}

/**
 * Deletes jobs of shards that will never run again: a job that was killed while its successor was added has no key and
 * no attempts left. The successor owns the shard.
 */
export async function deleteLostShardJobs(sql: Connection, task: string): Promise<void> {
  await sql`
    delete from graphile_worker._private_jobs job
    using graphile_worker._private_tasks task
    where task.id = job.task_id and task.identifier = ${task}
      and job.key is null and job.attempts >= job.max_attempts and job.locked_at is null`;
}
