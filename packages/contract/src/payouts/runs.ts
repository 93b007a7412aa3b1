import { z } from "zod";
import { amount, currency, currencyInput, id, idInput, timestamp } from "../fields.ts";
import { minimumPayoutsSchema } from "../organizations.ts";
import { limitInput, pageOf } from "../pages.ts";
import { rowPageOf, rowPageQuery, searchText } from "../row-pages.ts";
import { payoutMethods, payoutStatuses, periodInput } from "./payouts.ts";

const runTotalSchema = z.object({
  currency,
  payouts: z.int().meta({ description: "The number of payouts in the currency." }),
  amount: amount.meta({ description: "Their sum." }),
  statuses: z
    .array(z.object({ status: z.enum(payoutStatuses), payouts: z.int(), amount }))
    .meta({ description: "The same by status, without statuses that no payout has." }),
});

export type PayoutRunTotal = z.infer<typeof runTotalSchema>;

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
    started_by_name: z.string().nullable().meta({ description: "The actor's name, if it has one." }),
    payouts: z.int().meta({ description: "The number of payouts created so far." }),
    totals: z.array(runTotalSchema).meta({ description: "The payouts in each currency." }),
    created_at: timestamp.meta({ description: "When the run started." }),
    finished_at: timestamp
      .nullable()
      .meta({ description: "When the run finished; null while it is in progress." }),
  })
  .meta({ id: "PayoutRun" });

export type PayoutRun = z.infer<typeof payoutRunSchema>;

export const startedPayoutRunSchema = payoutRunSchema.extend({
  is_new: z.boolean().meta({ description: "False: the run had been started before, and continues." }),
});

export type StartedPayoutRun = z.infer<typeof startedPayoutRunSchema>;

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

export type PreviewOutcome = (typeof previewOutcomes)[number];

const previewPartSchema = z.object({
  payees: z.int().meta({ description: "Affiliates with such an amount." }),
  amount,
});

const previewTotalSchema = z.object({
  currency,
  minimum: amount.meta({ description: "The minimum payout; 0: none." }),
  included: previewPartSchema.meta({ description: "Paid by the run." }),
  held: previewPartSchema.meta({ description: "In the holding period, also of affiliates who are paid." }),
  below_minimum: previewPartSchema.meta({ description: "Due, and carried forward." }),
  negative: previewPartSchema.meta({ description: "Reversed after a payout, and netted first." }),
});

export type PreviewTotal = z.infer<typeof previewTotalSchema>;

export const payoutRunSummarySchema = z
  .object({
    as_of: timestamp.meta({ description: "When the amounts were computed." }),
    period: z.string().meta({ description: "The month that the next run is for, as `YYYY-MM`." }),
    next_run_on: z.iso.date().nullable().meta({
      description: "The date (UTC) on which the next run starts by itself; null: a person starts it.",
    }),
    run: payoutRunSchema
      .pick({ id: true, started_by: true, started_by_name: true, created_at: true, finished_at: true })
      .nullable()
      .meta({ description: "The month's run, if it was started; the amounts are then of the next month's." }),
    payees: z.int().meta({ description: "Rows of the preview: affiliates and currencies." }),
    totals: z
      .array(previewTotalSchema)
      .meta({ description: "One for each currency with unpaid commissions." }),
  })
  .meta({ id: "PayoutRunSummary", description: "The sums of the preview of the next payout run." });

export type PayoutRunSummary = z.infer<typeof payoutRunSummarySchema>;

const payoutPreviewSchema = z
  .object({
    affiliate_id: id,
    affiliate_name: z.string().meta({ description: "The affiliate's name.", example: "Jane Doe" }),
    payout_email: z.string().meta({ description: "The address that the payout would be sent to." }),
    has_payout_email: z.boolean().meta({
      description: "False: the affiliate set no address for payouts, and `payout_email` is the login's.",
    }),
    currency,
    outcome: z.enum(previewOutcomes).meta({
      description:
        "`included` in the run; entirely `held`; or carried forward as `below_minimum` or `negative`.",
    }),
    amount: amount.meta({ description: "The amount due: paid if included, else carried forward." }),
    payment_count: z.int().meta({ description: "The number of commissions in `amount`." }),
    held_amount: amount.meta({ description: "The amount still held, left for a later run." }),
    held_until: timestamp.nullable().meta({ description: "When all of it is due; null: nothing is held." }),
  })
  .meta({ id: "PayoutPreview" });

export type PayoutPreview = z.infer<typeof payoutPreviewSchema>;

export const previewPayoutRunInput = z.strictObject({
  ...rowPageQuery,
  part: z
    .enum(previewOutcomes)
    .optional()
    .meta({ description: "Only rows with this outcome; `held`: all rows with a held amount." }),
  currency: currencyInput.optional(),
  text: searchText.optional().meta({ description: "The beginning of an affiliate's email, name or code." }),
});

export type PreviewPayoutRun = z.output<typeof previewPayoutRunInput>;

export const payoutPreviewPageSchema = rowPageOf(payoutPreviewSchema);
