import { z } from "zod";
import { amount, currency, id, idInput, must, timestamp } from "./fields.ts";
import { limitInput, pageOf } from "./pages.ts";
import { payoutMethods, periodInput } from "./payouts.ts";
import { minimumPayoutsSchema } from "./settings.ts";

export const payoutRunSchema = z
  .object({
    id: id.meta({ description: "Identifies the run." }),
    period: z.string().meta({ description: "Its month, as `YYYY-MM`.", example: "2026-11" }),
    cutoff_at: timestamp.meta({ description: "What was made or is held beyond it, is the next run's." }),
    minimum_payouts: minimumPayoutsSchema.meta({
      description: "The least a payout had to amount to, by currency, as set when the run started.",
    }),
    method: z.enum(payoutMethods).meta({ description: "How its payouts are paid." }),
    started_by: z.string().meta({ description: "Who began it.", example: "payout day" }),
    payouts: z.int().meta({ description: "How many it has made so far." }),
    created_at: timestamp.meta({ description: "When it began." }),
    finished_at: timestamp.nullable().meta({ description: "Null: it is under way." }),
  })
  .meta({ id: "PayoutRun" });

export type PayoutRun = z.infer<typeof payoutRunSchema>;

export const startPayoutRunInput = z.strictObject({
  period: periodInput.optional().meta({ description: "The current month if nothing is said, in UTC." }),
  method: z.enum(payoutMethods).default("manual").meta({ description: "How its payouts are to be paid." }),
});

export type StartPayoutRun = z.infer<typeof startPayoutRunInput>;

export const getPayoutRunInput = z.strictObject({ id: idInput.meta({ description: "The run's id." }) });

export const listPayoutRunsInput = z.strictObject({
  limit: limitInput,
  cursor: idInput.optional().meta({ description: "The `next_cursor` of the page before." }),
});

export type ListPayoutRuns = z.infer<typeof listPayoutRunsInput>;

export const payoutRunPageSchema = pageOf(payoutRunSchema);

/** What would become of an affiliate: `included`, or why it is not. */
export const previewOutcomes = ["included", "held", "below_minimum", "negative"] as const;

export const payoutPreviewSchema = z
  .object({
    affiliate_id: id,
    affiliate_name: z.string().meta({ description: "The affiliate's name.", example: "Jane Doe" }),
    payout_email: z.string().nullable().meta({ description: "Where it would be sent." }),
    currency,
    outcome: z.enum(previewOutcomes).meta({
      description:
        "`included` in the run; all of it still `held`; `below_minimum` or `negative`, and carried forward.",
    }),
    amount: amount.meta({ description: "What is due: paid if included, else carried forward." }),
    payment_count: z.int().meta({ description: "How many commissions that is." }),
    held_amount: amount.meta({ description: "What is held, and left for a later run." }),
  })
  .meta({ id: "PayoutPreview" });

export type PayoutPreview = z.infer<typeof payoutPreviewSchema>;

const CURSOR = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12} [A-Z]{3}$/;

export const previewPayoutRunInput = z.strictObject({
  limit: limitInput,
  cursor: z
    .string()
    .regex(CURSOR, must("Must be a next_cursor that a preview answered with."))
    .optional()
    .meta({ description: "The `next_cursor` of the page before." }),
});

export type PreviewPayoutRun = z.infer<typeof previewPayoutRunInput>;

export const payoutPreviewPageSchema = pageOf(payoutPreviewSchema);
