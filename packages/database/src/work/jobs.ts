import type { Connection, Transaction } from "../postgres/connect.ts";
import { statement } from "../postgres/statement.ts";
import { withCause } from "../postgres/tracer.ts";
import { type Fence, OWNS_SHARD, POSTPONED } from "./due-work.ts";
import type { ShardOwner } from "./shards.ts";

/** The values of JSON columns. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue };

export type JobState = "running" | "finished" | "failed" | "canceled";

/** A job as a worker reads it. */
export interface DueJobRow {
  id: string;
  kind: string;
  input: unknown;
  position: unknown;
  done: number;
  result: unknown;
  file_bytes: bigint;
  started_by: string;
  /** Failed steps in a row. */
  failures: number;
}

export interface NewJob {
  id: string;
  kind: string;
  input: { readonly [name: string]: JsonValue };
  total: number | null;
  file_name: string | null;
  started_by: string;
  created_at: Date;
}

const INSERT = statement<object, "organization_id" | keyof NewJob>(`
  insert into jobs (organization_id, id, kind, state, input, total, file_name, started_by, created_at)
  values (:organization_id::uuid, :id::uuid, :kind::text, 'running', :input::text::json, :total::int, :file_name::text,
    :started_by::text, :created_at::timestamptz)`);

export async function insertJob(sql: Connection, organizationId: string, job: NewJob): Promise<void> {
  const input = JSON.stringify(withCause(job.input));
  await INSERT.run(sql, { ...job, organization_id: organizationId, input });
}

const COUNT_RUNNING = statement<{ count: number }, "organization_id" | "most">(`
  select count(*)::int as count from (
    select from jobs where organization_id = :organization_id::uuid and due_at is not null limit :most::int) as running`);

/** Counts the organization's unfinished jobs, up to `most`. */
export async function countRunningJobs(
  sql: Connection,
  organizationId: string,
  most: number,
): Promise<number> {
  const [row] = await COUNT_RUNNING.run(sql, { organization_id: organizationId, most });
  return row?.count ?? 0;
}

/** Unfinished or recent work of any kind, as the tray shows it. */
export interface WorkRow {
  id: string;
  kind: string;
  state: JobState;
  done: number | null;
  total: number | null;
  result: unknown;
  file_name: string | null;
  file_bytes: bigint;
  files_deleted_at: Date | null;
  /** The text of an actor; empty for a replay. */
  started_by: string;
  /** Null: no person did. */
  started_by_name: string | null;
  /** The month of a payout run. */
  period: string | null;
  /** The endpoint of a replay. */
  endpoint_id: string | null;
  created_at: Date;
  finished_at: Date | null;
  reason: string | null;
}

const UUID = "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}";

const STARTED_BY_NAME = `case when started_by ~ '^user ${UUID}$' then (
    select users.name from users where users.id = right(started_by, 36)::uuid) end as started_by_name`;

const OF_JOB = `
  select id, kind, state, done, total, result, file_name, file_bytes, files_deleted_at, started_by, ${STARTED_BY_NAME},
    null::text as period, null::uuid as endpoint_id, created_at, finished_at, reason
  from jobs`;

const FIND = statement<WorkRow, "organization_id" | "id">(`
  ${OF_JOB} where organization_id = :organization_id::uuid and id = :id::uuid`);

export async function findWork(sql: Connection, organizationId: string, id: string): Promise<WorkRow | null> {
  const [row] = await FIND.run(sql, { organization_id: organizationId, id });
  return row ?? null;
}

const FIND_LAST = statement<WorkRow, "organization_id" | "kind">(`
  ${OF_JOB} where organization_id = :organization_id::uuid and kind = :kind::text order by id desc limit 1`);

/** The organization's last job of a kind. */
export async function findLastJob(
  sql: Connection,
  organizationId: string,
  kind: string,
): Promise<WorkRow | null> {
  const [row] = await FIND_LAST.run(sql, { organization_id: organizationId, kind });
  return row ?? null;
}

/** The ids of a table's unfinished rows, and of its last ones; each by an index. */
function recentOf(table: string): string {
  const from = (condition: string, order: string) =>
    `(select id from ${table} where organization_id = :organization_id::uuid and ${condition}
      order by ${order} limit :limit::int)`;
  return `${from("due_at is not null", "due_at")}
    union
    (select id from ${from("true", "id desc").replace("select id", "select id, finished_at")} as last
      where finished_at > :since::timestamptz)`;
}

/** A payout run or replay in the columns of a job. */
function otherWork(
  table: string,
  values: {
    kind: string;
    state: string;
    done: string;
    started_by: string;
    started_by_name: string;
    period: string;
    endpoint_id: string;
  },
): string {
  const { kind, state, done, started_by, started_by_name, period, endpoint_id } = values;
  return `
  select id, '${kind}', ${state}, ${done}, null, null, null, 0, null, ${started_by}, ${started_by_name}, ${period},
    ${endpoint_id}, created_at, finished_at, reason
  from ${table} where organization_id = :organization_id::uuid and id in (${recentOf(table)})`;
}

const PAYOUT_RUNS = otherWork("payout_runs", {
  kind: "payout_run",
  state:
    "case when finished_at is null then 'running' when approval = 'declined' then 'canceled' else 'finished' end",
  done: "null",
  started_by: "started_by",
  started_by_name: STARTED_BY_NAME,
  period: "period",
  endpoint_id: "null",
});

const REPLAYS = otherWork("replays", {
  kind: "replay",
  state:
    "case when finished_at is null then 'running' when stopped_at is null then 'finished' else 'canceled' end",
  done: "deliveries",
  started_by: "''",
  started_by_name: "null",
  period: "null",
  endpoint_id: "endpoint_id",
});

const LIST = statement<WorkRow, "organization_id" | "since" | "limit">(`
  ${OF_JOB} where organization_id = :organization_id::uuid and id in (${recentOf("jobs")})
  union all ${PAYOUT_RUNS}
  union all ${REPLAYS}
  order by id desc`);

/** Returns unfinished work, and work that finished after a time, newest first; up to twice `limit` of each kind. */
export async function listWork(
  sql: Connection,
  organizationId: string,
  { since, limit }: { since: Date; limit: number },
): Promise<WorkRow[]> {
  return await LIST.run(sql, { organization_id: organizationId, since, limit });
}

const LOCK_DUE = statement<DueJobRow, "organization_id" | Fence>(`
  select id, kind, input, position, done, result, file_bytes, started_by, failures from jobs
  where organization_id = :organization_id::uuid and due_at <= now() and ${OWNS_SHARD}
  order by due_at limit 1 for update`);

/** The organization's job that is due, locked; null without one, or without the organization's shard. */
export async function lockDueJob(
  sql: Transaction,
  organizationId: string,
  owner: ShardOwner,
): Promise<DueJobRow | null> {
  const [row] = await LOCK_DUE.run(sql, { organization_id: organizationId, ...owner });
  return row ?? null;
}

/** The progress of a step. */
export interface JobAdvance {
  id: string;
  done: number;
  total: number | null;
  position: JsonValue;
  result: JsonValue;
  finished: boolean;
  /** Appended to the result file. */
  content: string;
}

const ADVANCE = statement<
  object,
  "organization_id" | "id" | "done" | "total" | "position" | "result" | "finished" | "content"
>(`
  with written as (
    insert into job_files (organization_id, job_id, file, part, content)
    select :organization_id::uuid, :id::uuid, 'result', coalesce((
      select part from job_files
      where organization_id = :organization_id::uuid and job_id = :id::uuid and file = 'result'
      order by part desc limit 1), 0) + 1, :content::text
    where :content::text <> ''
  )
  update jobs set done = :done::int, total = coalesce(:total::int, total), position = :position::text::json,
    result = :result::text::json, file_bytes = file_bytes + octet_length(:content::text),
    state = case when :finished::boolean then 'finished' else 'running' end,
    finished_at = case when :finished::boolean then now() end,
    due_at = case when not :finished::boolean then now() end, failures = 0, reason = null
  where organization_id = :organization_id::uuid and id = :id::uuid`);

/** Records how far a job is, with the content that its step wrote, in the transaction of the step. */
export async function advanceJob(sql: Transaction, organizationId: string, step: JobAdvance): Promise<void> {
  const { position, result, ...others } = step;
  await ADVANCE.run(sql, {
    ...others,
    organization_id: organizationId,
    position: JSON.stringify(position),
    result: JSON.stringify(result),
  });
}

const POSTPONE = statement<object, "organization_id" | "id" | "seconds" | "reason" | Fence>(`
  update jobs set ${POSTPONED}
  where organization_id = :organization_id::uuid and id = :id::uuid and state = 'running' and ${OWNS_SHARD}`);

/** Records that a step failed, and makes the job due again after `seconds`. */
export async function postponeJob(
  sql: Connection,
  organizationId: string,
  { owner, ...retry }: { id: string; owner: ShardOwner; seconds: number; reason: string },
): Promise<void> {
  await POSTPONE.run(sql, { organization_id: organizationId, ...retry, ...owner });
}

const FAIL = statement<object, "organization_id" | "id" | "reason" | Fence>(`
  update jobs set state = 'failed', finished_at = now(), due_at = null, failures = failures + 1, reason = :reason::text
  where organization_id = :organization_id::uuid and id = :id::uuid and state = 'running' and ${OWNS_SHARD}`);

/** Ends a job that failed for good. */
export async function failJob(
  sql: Connection,
  organizationId: string,
  { owner, ...failed }: { id: string; owner: ShardOwner; reason: string },
): Promise<void> {
  await FAIL.run(sql, { organization_id: organizationId, ...failed, ...owner });
}

const CANCEL = statement<object, "organization_id" | "id">(`
  update jobs set state = 'canceled', finished_at = now(), due_at = null
  where organization_id = :organization_id::uuid and id = :id::uuid and state = 'running' returning id`);

/** Cancels a running job; waits for a step that is under way. False: it was finished. */
export async function cancelJob(sql: Connection, organizationId: string, id: string): Promise<boolean> {
  return (await CANCEL.run(sql, { organization_id: organizationId, id })).length > 0;
}

/** Deletes at most `limit` jobs that finished before a time; returns the number. */
export async function deleteOldJobs(
  sql: Connection,
  { before, limit }: { before: Date; limit: number },
): Promise<number> {
  const result = await sql`
    delete from jobs using (
      select organization_id, id from jobs where finished_at < ${before} order by finished_at limit ${limit}
    ) as old
    where jobs.organization_id = old.organization_id and jobs.id = old.id`;
  return result.count;
}
