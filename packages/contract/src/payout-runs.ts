import { z } from "zod";
import { amount, currency, id, idInput, must, timestamp } from "./fields.ts";
import { limitInput, pageOf } from "./pages.ts";
import { payoutMethods, periodInput } from "./payouts.ts";
import { minimumPayoutsSchema } from "./settings.ts";

export const payoutRunSchema = z
  .object({
    id: id.meta({ description: "Identifies the run." }),
    period: z.string().meta({ description: "The run's month, as `YYYY-MM`.", example: "2026-11" }),
    cutoff_at: timestamp.meta({
      description: "Commissions created later, or held beyond this time, belong to the next run.",
    }),
    minimum_payouts: minimumPayoutsSchema.meta({
      description: "The minimum payout by currency, as set when the run started.",
    }),
    method: z.enum(payoutMethods).meta({ description: "How the run's payouts are paid." }),
    started_by: z.string().meta({ description: "The actor who started the run.", example: "payout day" }),
    payouts: z.int().meta({ description: "The number of payouts created so far." }),
    created_at: timestamp.meta({ description: "When the run started." }),
    finished_at: timestamp
      .nullable()
      .meta({ description: "When the run finished; null while it is in progress." }),
  })
  .meta({ id: "PayoutRun" });

export type PayoutRun = z.infer<typeof payoutRunSchema>;

export const startPayoutRunInput = z.strictObject({
  period: periodInput.optional().meta({ description: "Default: the current month (UTC)." }),
  method: z
    .enum(payoutMethods)
    .default("manual")
    .meta({ description: "How the run's payouts will be paid." }),
});

export type StartPayoutRun = z.infer<typeof startPayoutRunInput>;

export const getPayoutRunInput = z.strictObject({ id: idInput.meta({ description: "The run's id." }) });

export const listPayoutRunsInput = z.strictObject({
  limit: limitInput,
  cursor: idInput.optional().meta({ description: "The `next_cursor` of the previous page." }),
});

export type ListPayoutRuns = z.infer<typeof listPayoutRunsInput>;

export const payoutRunPageSchema = pageOf(payoutRunSchema);

/** The preview's outcome for an affiliate: `included`, or the reason for exclusion. */
const previewOutcomes = ["included", "held", "below_minimum", "negative"] as const;

const payoutPreviewSchema = z
  .object({
    affiliate_id: id,
    affiliate_name: z.string().meta({ description: "The affiliate's name.", example: "Jane Doe" }),
    payout_email: z
      .string()
      .nullable()
      .meta({ description: "The address that the payout would be sent to." }),
    currency,
    outcome: z.enum(previewOutcomes).meta({
      description:
        "`included` in the run; entirely `held`; or carried forward as `below_minimum` or `negative`.",
    }),
    amount: amount.meta({ description: "The amount due: paid if included, else carried forward." }),
    payment_count: z.int().meta({ description: "The number of commissions in `amount`." }),
    held_amount: amount.meta({ description: "The amount still held, left for a later run." }),
  })
  .meta({ id: "PayoutPreview" });

export type PayoutPreview = z.infer<typeof payoutPreviewSchema>;

const CURSOR = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12} [A-Z]{3}$/;

export const previewPayoutRunInput = z.strictObject({
  limit: limitInput,
  cursor: z
    .string()
    .regex(CURSOR, must("Must be a next_cursor from a preview response."))
    .optional()
    .meta({ description: "The `next_cursor` of the previous page." }),
});

export type PreviewPayoutRun = z.infer<typeof previewPayoutRunInput>;

export const payoutPreviewPageSchema = pageOf(payoutPreviewSchema);
