import type { Transaction } from "@findersfee/database/postgres/connect";
import type { JsonValue } from "@findersfee/database/work/jobs";
import type { z } from "zod";
import type { Actor } from "../../actor.ts";
import type { OrganizationContext } from "../../context.ts";
import type { SecretsKey } from "../../secrets/secrets.ts";

/** Counts of a job, by names that its kind chooses: `{ created: 412 }`. */
export type JobCounts = Record<string, number>;

/** One step of a job, in a transaction that also records how far the job is. */
export interface JobStep<Input> {
  sql: Transaction;
  job_id: string;
  organization: OrganizationContext;
  /** The person or program that started the job: the author of its changes. */
  actor: Actor;
  input: Input;
  /** For hashes of addresses. */
  secrets_key: SecretsKey | undefined;
  /** Where the last step ended; null: this is the first one. */
  position: unknown;
  /** The progress of the steps before. */
  done: number;
  counts: JobCounts;
  /** Reads a part of the input file, from 1; null behind the last one. */
  readPart(part: number): Promise<string | null>;
}

export interface JobProgress {
  /** Where the next step continues; null: the job is finished. */
  position: JsonValue;
  /** Done so far, and in all if that is known. */
  done: number;
  total?: number;
  counts?: JobCounts;
  /** Appended to the result file. */
  content?: string;
}

/**
 * A kind of job. To add one: a file in `kinds/` that exports it, and its line in `kinds.ts`. An operation starts it by
 * `startJob`; the worker and the tray of the dashboard then need nothing else but a name for it in
 * `apps/dashboard/src/work/texts.ts`.
 */
export interface JobKind<Input extends object> {
  /** The schema of the input that `startJob` stores and each step gets. */
  input: z.ZodType<Input>;
  /** The beginning of the result file's name: `affiliates`; null: the kind writes no file. */
  file: string | null;
  /** The role that reads the file; absent: the one that starts jobs. No key reads a file of owners. */
  file_role?: "owner";
  /** Whether all reads of a step see the same moment. Such a step changes no rows but the job's own. */
  sees_one_moment?: true;
  /**
   * Does a bounded part of the work, in a few seconds at most. A step that throws changes nothing and is repeated; a
   * `DomainError` ends the job with its message.
   */
  step(step: JobStep<Input>): Promise<JobProgress>;
}
