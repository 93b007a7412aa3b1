import { findOrganization } from "@findersfee/database/organizations/organizations";
import {
  type Database,
  repeatableRead,
  type Transaction,
  transaction,
} from "@findersfee/database/postgres/connect";
import { isOutage } from "@findersfee/database/postgres/errors";
import { causeOf, inSpan, type NewSpan } from "@findersfee/database/postgres/tracer";
import { deleteJobInput, deleteSurplusJobFiles, findJobPart } from "@findersfee/database/work/job-files";
import { advanceJob, type DueJobRow, failJob, lockDueJob, postponeJob } from "@findersfee/database/work/jobs";
import type { ShardOwner } from "@findersfee/database/work/shards";
import { actorOfText } from "../../actor.ts";
import { BYTE_ORDER_MARK } from "../../csv/write-lines.ts";
import { DomainError } from "../../errors.ts";
import { isJobKind, JOB_KINDS } from "../../job-kinds.ts";
import type { SecretsKey } from "../../secrets/secrets.ts";
import { RETRY_DELAYS, retryDelay } from "../retry-delays.ts";
import type { JobKind, JobProgress } from "./kind.ts";
import { MAX_FILE_BYTES, MAX_FILES } from "./limits.ts";
import { countsSchema } from "./view.ts";

/** `failed`: for good. */
export type JobTurn = "stepped" | "finished" | "failed" | "none";

/**
 * Runs the next step of an organization's jobs. The step's changes and the job's progress are one
 * transaction, so the job continues from there after a crash.
 *
 * @throws the error of a step that is repeated, after the job was postponed
 */
export async function stepJob(
  database: Database,
  organization_id: string,
  owner: ShardOwner,
  secrets_key?: SecretsKey,
): Promise<JobTurn> {
  let job: DueJobRow | null = null;
  const stepWithin = async (sql: Transaction, sees_one_moment: boolean) => {
    job = await lockDueJob(sql, organization_id, owner);
    if (job === null) return "none";
    if (!sees_one_moment && seesOneMoment(job)) return null;
    const keyed = { job, secrets_key };
    return await inSpan(stepSpan(job), () => run(sql, organization_id, keyed));
  };
  try {
    return (
      (await transaction(database, (sql) => stepWithin(sql, false))) ??
      (await repeatableRead(database, (sql) => stepWithin(sql, true))) ??
      "none"
    );
  } catch (error) {
    if (job === null || isOutage(error)) throw error;
    const { id, failures }: DueJobRow = job;
    const seconds = error instanceof DomainError ? null : retryDelay(RETRY_DELAYS.jobs, failures);
    const reason = (error instanceof DomainError ? error.message : String(error)).slice(0, 500);
    if (seconds !== null) {
      await postponeJob(database, organization_id, { id, owner, seconds, reason });
      throw error;
    }
    await transaction(database, async (sql) => {
      await failJob(sql, organization_id, { id, owner, reason });
      await deleteJobInput(sql, organization_id, id);
      await deleteSurplusJobFiles(sql, organization_id, MAX_FILES);
    });
    return "failed";
  }
}

/** A span in the trace of the request or task that started the job. */
function stepSpan(job: DueJobRow): NewSpan {
  const attributes = { "findersfee.job.id": job.id, "findersfee.job.kind": job.kind };
  return { name: `job ${job.kind}`, kind: "consumer", parent: causeOf(job.input), attributes };
}

function seesOneMoment({ kind: name }: DueJobRow): boolean {
  const kind: JobKind<object> | null = isJobKind(name) ? JOB_KINDS[name] : null;
  return kind?.sees_one_moment === true;
}

interface KeyedJob {
  job: DueJobRow;
  secrets_key: SecretsKey | undefined;
}

async function run(sql: Transaction, organization_id: string, keyed: KeyedJob): Promise<JobTurn> {
  const { job } = keyed;
  const { id } = job;
  const { position, done, total, counts, content: lines = "" } = await stepOf(sql, organization_id, keyed);
  // All files of jobs are for people.
  const content = job.file_bytes === 0n && lines !== "" ? `${BYTE_ORDER_MARK}${lines}` : lines;
  if (Number(job.file_bytes) + Buffer.byteLength(content) > MAX_FILE_BYTES) {
    throw new DomainError("payload_too_large", {
      message: `The file is larger than ${MAX_FILE_BYTES / 1024 / 1024} MiB. Choose fewer rows.`,
    });
  }
  const finished = position === null;
  await advanceJob(sql, organization_id, {
    id,
    done,
    total: total ?? null,
    position,
    result: counts ?? null,
    finished,
    content,
  });
  if (!finished) return "stepped";
  await deleteJobInput(sql, organization_id, id);
  await deleteSurplusJobFiles(sql, organization_id, MAX_FILES);
  return "finished";
}

async function stepOf(
  sql: Transaction,
  organization_id: string,
  { job, secrets_key }: KeyedJob,
): Promise<JobProgress> {
  if (!isJobKind(job.kind)) {
    throw new DomainError("invalid_request", { message: `This version does not know the kind ${job.kind}.` });
  }
  const kind: JobKind<object> = JOB_KINDS[job.kind];
  const organization = await findOrganization(sql, organization_id);
  if (organization === null) throw new Error(`the organization ${organization_id} disappeared`);
  return await kind.step({
    sql,
    job_id: job.id,
    organization,
    actor: actorOfText(job.started_by),
    input: kind.input.parse(job.input),
    secrets_key,
    position: job.position,
    done: job.done,
    counts: countsSchema.parse(job.result ?? {}),
    readPart: (part) => findJobPart(sql, organization_id, { id: job.id, file: "input", part }),
  });
}
