import { z } from "zod";
import { conversionStateSchema } from "../exchange-rates.ts";
import { id, idInput, timestamp } from "../fields.ts";
import { mailDeliverySchema, unsentMailsSchema } from "./attention.ts";

const findingSchema = z.object({
  rule: z.string().meta({ description: "The rule that the row breaks, as a sentence." }),
  level: z.enum(["damage", "warning"]),
  subject: z.string().meta({ description: "The kind and id of the row.", example: "commission 0199…" }),
  finding: z.string().meta({ description: "The actual and the expected value; amounts in minor units." }),
});

const ledgerCheckSchema = z.object({
  job_id: id,
  state: z.enum(["running", "finished", "failed", "canceled"]),
  rules_checked: z.int(),
  rules: z.int(),
  damaged: z.int().meta({ description: "Rows that break a rule." }),
  warnings: z.int().meta({ description: "Rows that somebody should look at." }),
  started_by: z.string().nullable().meta({ description: "The person's name; null: a program." }),
  started_at: timestamp,
  finished_at: timestamp.nullable(),
  reason: z.string().nullable().meta({ description: "Why it failed." }),
  findings: z.array(findingSchema).meta({ description: "The first 200." }),
});

const nightlyCheckSchema = z.object({
  checked_at: timestamp.nullable().meta({ description: "The last complete one; null: none was completed." }),
  rules: z.int(),
  damaged: z.int().meta({ description: "Rows that break a rule." }),
  warnings: z.int().meta({ description: "Rows that somebody should look at." }),
  reason: z.string().nullable().meta({ description: "Why a later one was not completed." }),
  findings: z.array(findingSchema).meta({ description: "The first 50." }),
});

const givenUpMailSchema = z.object({
  id,
  kind: z.string(),
  recipient: z.string().nullable(),
  affiliate_id: id.nullable(),
  reason: z.string().nullable().meta({ description: "The last answer of the mail server." }),
  given_up_at: timestamp.nullable(),
});

const stepBackSchema = z.object({
  reason: z.string().meta({ description: "The parts that the database lacks, as a sentence." }),
  noticed_at: timestamp,
});

const readReplicaSchema = z.object({
  state: z.enum(["used", "late", "unreachable", "not_standby", "other_database"]).meta({
    description: "Whether reads go to it, or why not. The primary answers them otherwise.",
  }),
  lag_seconds: z.number().nullable().meta({ description: "How late it is at most; null: unknown." }),
});

export const healthSchema = z.object({
  step_back: stepBackSchema.nullable().meta({
    description:
      "Since when writes and deliveries stop, because the database went back to an older state; null: it did not.",
  }),
  read_replicas: z.array(readReplicaSchema).meta({
    description: "Those of the process that answers, in the order of its settings; empty: none is set.",
  }),
  ledger_check: ledgerCheckSchema.nullable().meta({ description: "The last one; null: none was started." }),
  nightly_check: nightlyCheckSchema.nullable().meta({ description: "The workers' own; null: none yet." }),
  workers: z.int().meta({ description: "Running workers, of all organizations." }),
  mail_delivery: mailDeliverySchema,
  unsent_mails: unsentMailsSchema,
  given_up_mails: z.array(givenUpMailSchema).meta({ description: "The last 50." }),
  mails_awaiting_quota: z.int().meta({
    description: "Mails to people who have not agreed that wait for the next day's quota; at most 10,000.",
  }),
  mails_wait_until: timestamp.nullable().meta({ description: "When these are sent; null: none waits." }),
  oldest_due: z.array(z.object({ kind: z.string(), due_at: timestamp })).meta({
    description: "Since when the oldest due work of each kind waits; without kinds that have none.",
  }),
  dead_lettered_messages: z.int().meta({ description: "At most 100." }),
  failing_endpoints: z.int(),
  conversion: conversionStateSchema,
});

export type Health = z.infer<typeof healthSchema>;

const MAX_MAILS = 100;

export const retryMailsInput = z.strictObject({ ids: z.array(idInput).min(1).max(MAX_MAILS) });

export const retriedMailsSchema = z.object({ retried: z.int() });

export type RetriedMails = z.infer<typeof retriedMailsSchema>;

export const localMailsSchema = z.object({
  is_local: z.boolean().meta({ description: "Whether the service shows mails instead of sending them." }),
  mails: z
    .array(z.object({ id, to: z.string(), subject: z.string(), text: z.string(), composed_at: timestamp }))
    .meta({ description: "The organization's last mails since the service started, newest first." }),
});

export type LocalMails = z.infer<typeof localMailsSchema>;
