import type { Job } from "@findersfee/contract/work";
import { lockOrganization } from "@findersfee/database/organizations/organizations";
import type { Transaction } from "@findersfee/database/postgres/connect";
import { insertJobInput } from "@findersfee/database/work/job-files";
import { countRunningJobs, insertJob, type JsonValue } from "@findersfee/database/work/jobs";
import { notifyWorkers } from "@findersfee/database/work/shards";
import { actorText } from "../../actor.ts";
import { writeAuditEntry } from "../../audit-log/write.ts";
import type { Context } from "../../context.ts";
import { DomainError } from "../../errors.ts";
import { newId } from "../../ids.ts";
import type { JobInput, JobKindName } from "../../job-kinds.ts";
import { JOB_KINDS } from "../../job-kinds.ts";
import { inTransaction } from "../../transaction.ts";
import { requireJob } from "./get.ts";
import { MAX_RUNNING } from "./limits.ts";

export interface NewJob<Name extends JobKindName> {
  kind: Name;
  input: JobInput<Name>;
  /** Lines, rows or steps in all, if they are known. */
  total?: number;
  /** The parts of an input file. */
  parts?: readonly string[];
}

/** Starts a job, which the workers run. Errors: `jobs_running` if the organization has too many under way. */
export async function startJob<Name extends JobKindName>(context: Context, job: NewJob<Name>): Promise<Job> {
  return await inTransaction(context, async (sql) => await startJobWithin(sql, context, job));
}

/** The same within a transaction of an operation. */
export async function startJobWithin<Name extends JobKindName>(
  sql: Transaction,
  context: Context,
  { kind, input, total, parts = [] }: NewJob<Name>,
): Promise<Job> {
  const organization_id = context.organization.id;
  // Locked: if two starts are concurrent, the second one counts the first.
  await lockOrganization(sql, organization_id);
  if ((await countRunningJobs(sql, organization_id, MAX_RUNNING)) >= MAX_RUNNING) {
    throw new DomainError("jobs_running");
  }
  const created_at = new Date();
  const id = newId(created_at);
  const { file } = JOB_KINDS[kind];
  await insertJob(sql, organization_id, {
    id,
    kind,
    input: input as Record<string, JsonValue>,
    total: total ?? null,
    file_name: file === null ? null : `${file}-${created_at.toISOString().slice(0, 10)}.csv`,
    started_by: actorText(context.actor),
    created_at,
  });
  if (parts.length > 0) await insertJobInput(sql, organization_id, { id, parts });
  await notifyWorkers(sql, "jobs", [organization_id]);
  await writeAuditEntry(sql, context, {
    resource: "job",
    id,
    action: "created",
    before: null,
    after: { kind, ...(input as object) },
  });
  return await requireJob(sql, context, id);
}
