import { z } from "zod";
import { id, idInput, timestamp } from "./fields.ts";

/** The states of long work. */
const jobStates = ["running", "finished", "failed", "canceled"] as const;

export type JobState = (typeof jobStates)[number];

/** Long work of an organization: a job, a payout run or a replay. */
export const jobSchema = z
  .object({
    id,
    kind: z.string().meta({
      description: "The kind of job, such as `affiliates_export`; `payout_run` or `replay`.",
      example: "affiliates_export",
    }),
    state: z.enum(jobStates),
    done: z.int().nullable().meta({ description: "Lines, rows or steps that are done; null: not known." }),
    total: z.int().nullable().meta({ description: "All of them; null: not known." }),
    result: z
      .record(z.string(), z.int())
      .nullable()
      .meta({ description: "Its counts so far.", example: { created: 412 } }),
    file: z
      .object({ name: z.string(), bytes: z.int(), expires_at: timestamp })
      .nullable()
      .meta({ description: "Its result, once it has ended; null: none, or deleted." }),
    started_by: z
      .string()
      .nullable()
      .meta({ description: "The name of the person who started it; null: a program or the service did." }),
    is_own: z.boolean().meta({ description: "Whether the person who asks started it." }),
    period: z.string().nullable().meta({ description: "The month of a payout run." }),
    endpoint_id: id.nullable().meta({ description: "The endpoint of a replay." }),
    created_at: timestamp,
    finished_at: timestamp.nullable(),
    reason: z
      .string()
      .nullable()
      .meta({ description: "Why it failed; while it runs, why its last attempt failed." }),
  })
  .meta({ id: "Job" });

export type Job = z.infer<typeof jobSchema>;

/** Unfinished and recent work, newest first. */
export const jobListSchema = z.object({ data: z.array(jobSchema) });

export const jobIdInput = z.strictObject({ id: idInput.meta({ description: "The job's id." }) });
