import { z } from "zod";
import { amount, currency, currencyInput, id, idInput, must, timestamp } from "../fields.ts";

/** `csv` is the service's own format; the others are the providers' bulk payment formats. */
const payoutFileFormats = ["csv", "paypal", "wise"] as const;

export type PayoutFileFormat = (typeof payoutFileFormats)[number];

const formatInput = z.enum(payoutFileFormats).meta({ description: "The file format." });

/** Path and query parameters, all of them text. */
export const exportPayoutsInput = z.strictObject({
  id: idInput.meta({ description: "The run's id." }),
  format: formatInput,
  currency: currencyInput.optional().meta({
    description:
      "Only payouts in this currency. Required when the format allows one currency per file and the run has several.",
  }),
  file: z
    .string()
    .regex(/^[1-9][0-9]{0,5}$/, must("Must be a whole number from 1."))
    .transform(Number)
    .optional()
    .meta({ description: "The file's number, for runs that exceed the provider's limit per file." }),
});

export type ExportPayouts = z.infer<typeof exportPayoutsInput>;

const downloadSchema = z.object({
  at: timestamp,
  actor: z.string(),
  actor_name: z.string().nullable(),
});

export const payoutFileSchema = z
  .object({
    format: z.enum(payoutFileFormats),
    currency: z.string().nullable().meta({ description: "Null: all currencies." }),
    file: z.int().meta({ description: "The file's number, from 1." }),
    files: z.int().meta({ description: "The number of files in this format and currency." }),
    payouts: z.int().meta({ description: "The run's payouts in the file, in any status." }),
    downloads: z.array(downloadSchema).meta({ description: "Who downloaded it, latest first." }),
  })
  .meta({ id: "PayoutFile" });

export type PayoutFile = z.infer<typeof payoutFileSchema>;

export const importResultsInput = z.strictObject({
  id: idInput.meta({ description: "The run's id." }),
  format: formatInput,
  check: z
    .literal("true")
    .optional()
    .meta({ description: "`true`: all lines are checked, and nothing is changed." }),
});

export type ImportResults = z.infer<typeof importResultsInput>;

const importedResultsSchema = z
  .object({
    paid: z.int().meta({ description: "Payouts marked as paid." }),
    failed: z.int().meta({
      description:
        "Payouts marked as failed, with the provider's message as the reason; also paid ones that came back.",
    }),
    open: z.int().meta({ description: "Lines without a final result yet; their payouts are unchanged." }),
    unchanged: z.int().meta({ description: "Lines of payouts that have this result already." }),
    skipped: z.int().meta({
      description: "Lines that belong to no payout of the run, or contradict the state of their payout.",
    }),
    skipped_lines: z
      .array(z.object({ line: z.int(), message: z.string() }))
      .meta({ description: "The first skipped lines, each with the reason." }),
    failures: z
      .array(z.object({ payout_id: id, affiliate_name: z.string(), amount, currency, reason: z.string() }))
      .meta({ description: "The first failed payouts, with the provider's message." }),
  })
  .meta({ id: "ImportedResults" });

export type ImportedResults = z.infer<typeof importedResultsSchema>;
