import { z } from "zod";
import { agreements } from "../affiliates/rows.ts";
import { amount, currency, currencyInput, id, idInput, text, timestamp, timestampInput } from "../fields.ts";
import { minimumPayoutsSchema } from "../organizations.ts";
import { limitInput, pageOf } from "../pages.ts";
import { rowPageOf, rowPageQuery, searchText } from "../row-pages.ts";
import { runRates } from "./conversions.ts";
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

const proposedTotalSchema = z.object({
  currency,
  payouts: z.int().meta({ description: "The payouts that the run would create in the currency." }),
  amount: amount.meta({ description: "Their sum." }),
});

export type ProposedTotal = z.infer<typeof proposedTotalSchema>;

const runApprovals = ["waiting", "approved", "declined"] as const;

const runApprovalSchema = z
  .object({
    state: z.enum(runApprovals).meta({
      description: "A run that is `waiting` or `declined` creates no payouts.",
      example: "waiting",
    }),
    totals: z.array(proposedTotalSchema).meta({ description: "The amounts that are approved, at most." }),
    starter_id: id.nullable().meta({
      description:
        "The user who started the run, or made the key that did, and cannot approve it; null: the payout day started it.",
    }),
    decided_by: id.nullable().meta({ description: "The user who approved or declined it." }),
    decided_by_name: z.string().nullable().meta({ description: "The user's name." }),
    decided_at: timestamp.nullable(),
    reason: z.string().nullable().meta({ description: "Why it was approved or declined." }),
  })
  .meta({ id: "PayoutRunApproval", description: "The decision of a second member about a payout run." });

export const payoutRunSchema = z
  .object({
    id: id.meta({ description: "Identifies the run." }),
    period: z
      .string()
      .meta({ description: "The run's month in `time_zone`, as `YYYY-MM`.", example: "2026-11" }),
    number: z.int().meta({
      description: "Within the month: 1 is the run of all affiliates on the payout day; further runs follow.",
      example: 1,
    }),
    affiliate_ids: z
      .array(id)
      .nullable()
      .meta({ description: "The affiliates that were chosen to be paid; null: all." }),
    time_zone: z.string().meta({
      description:
        "The organization's time zone when the run started. Its month does not change with the zone.",
      example: "Europe/Berlin",
    }),
    cutoff_at: timestamp.meta({
      description:
        "Commissions and adjustments created later, or held beyond this time, belong to the next run.",
    }),
    minimum_payouts: minimumPayoutsSchema.meta({
      description:
        "The minimum payout by currency, as set when the run started. A run of chosen affiliates has none.",
    }),
    ...runRates,
    method: z.enum(payoutMethods).meta({ description: "How the run's payouts are paid." }),
    started_by: z.string().meta({ description: "The actor who started the run.", example: "payout day" }),
    started_by_name: z.string().nullable().meta({ description: "The actor's name, if it has one." }),
    payouts: z.int().meta({ description: "The number of payouts created so far." }),
    totals: z.array(runTotalSchema).meta({ description: "The payouts in each currency." }),
    created_at: timestamp.meta({ description: "When the run started." }),
    finished_at: timestamp
      .nullable()
      .meta({ description: "When the run finished; null while it is in progress, or waits for approval." }),
    approval: runApprovalSchema
      .nullable()
      .meta({ description: "The decision of a second member; null: the run needs none." }),
  })
  .meta({ id: "PayoutRun" });

export type PayoutRun = z.infer<typeof payoutRunSchema>;

export const startedPayoutRunSchema = payoutRunSchema.extend({
  is_new: z.boolean().meta({ description: "False: the run had been started before, and continues." }),
});

export type StartedPayoutRun = z.infer<typeof startedPayoutRunSchema>;

/** The most affiliates that a run can be limited to. */
const MAX_CHOSEN = 1_000;

const chosenInput = z
  .array(idInput)
  .min(1)
  .max(MAX_CHOSEN)
  .optional()
  .meta({ description: "The affiliates to pay, without a minimum amount. Default: all." });

export const proposePayoutRunInput = z.strictObject({ affiliate_ids: chosenInput }).default({});

export type ProposePayoutRun = z.output<typeof proposePayoutRunInput>;

export const payoutRunProposalSchema = z
  .object({
    period: z
      .string()
      .meta({ description: "The current month in the organization's time zone, as `YYYY-MM`." }),
    number: z.int().meta({
      description:
        "The run's number: 1 if it is the month's run of all affiliates, which was not started yet.",
    }),
    as_of: timestamp.meta({
      description: "The moment of the amounts; the run's cutoff, if they are confirmed.",
    }),
    affiliates: z.int().meta({ description: "The affiliates that the run would pay." }),
    totals: z.array(proposedTotalSchema).meta({ description: "The payouts in each currency." }),
    ...runRates,
    needs_approval: z
      .boolean()
      .meta({ description: "Whether the run would wait until another member approves it." }),
  })
  .meta({ id: "PayoutRunProposal", description: "The sum that a payout run would pay, to be confirmed." });

export type PayoutRunProposal = z.infer<typeof payoutRunProposalSchema>;

const confirmedInput = z
  .strictObject({
    as_of: timestampInput,
    totals: z
      .array(
        z.strictObject({ currency: currencyInput, payouts: z.int().min(1), amount: z.number().positive() }),
      )
      .max(200),
  })
  .optional()
  .meta({
    description:
      "`as_of` and `totals` of `propose`: the run pays the amounts that were due then. If they changed, the request fails with `payout_locked`. Default: the run pays the amounts that are due when it starts.",
  });

/** The most affiliates that one call holds or releases. */
const MAX_HELD = 100;

export const releasePayoutHoldsInput = z.strictObject({
  affiliate_ids: z.array(idInput).min(1).max(MAX_HELD).meta({ description: "All of them, or none." }),
});

export const holdPayoutsInput = releasePayoutHoldsInput.extend({
  reason: text(500)
    .min(1)
    .meta({ description: "For staff. Replaces the reason of an affiliate who is left out." }),
});

export type HoldPayouts = z.infer<typeof holdPayoutsInput>;

export const startPayoutRunInput = z.strictObject({
  period: periodInput
    .optional()
    .meta({ description: "Default: the current month in the organization's time zone." }),
  number: z.int().min(1).max(9_999).optional().meta({
    description:
      "Default: 1, the month's run of all affiliates. `propose` has the number of a further run. A number that the month has returns that run.",
  }),
  affiliate_ids: chosenInput,
  confirmed: confirmedInput,
  method: z
    .enum(payoutMethods)
    .default("manual")
    .meta({ description: "How the run's payouts will be paid." }),
});

export type StartPayoutRun = z.infer<typeof startPayoutRunInput>;

const decisionReason = text(500).trim();

export const approvePayoutRunInput = z.strictObject({
  id: idInput.meta({ description: "The run's id." }),
  reason: decisionReason.optional().meta({ description: "For the run and the audit log." }),
});

export const declinePayoutRunInput = approvePayoutRunInput.extend({
  reason: decisionReason.min(1).meta({ description: "For the run and the audit log." }),
});

export const getPayoutRunInput = z.strictObject({ id: idInput.meta({ description: "The run's id." }) });

export const listPayoutRunsInput = z.strictObject({
  limit: limitInput,
  cursor: idInput.optional().meta({ description: "The `next_cursor` of the previous page." }),
});

export type ListPayoutRuns = z.infer<typeof listPayoutRunsInput>;

export const payoutRunPageSchema = pageOf(payoutRunSchema);

/** The preview's outcome for an affiliate: `included`, or the reason for exclusion. */
const previewOutcomes = [
  "included",
  "held",
  "below_minimum",
  "negative",
  "withheld",
  "rate_missing",
] as const;

export type PreviewOutcome = (typeof previewOutcomes)[number];

const previewPartSchema = z.object({
  payees: z.int().meta({ description: "Affiliates with such an amount in the currency." }),
  amount,
});

const previewTotalSchema = z.object({
  currency,
  minimum: amount.meta({ description: "The minimum payout; 0: none." }),
  included: previewPartSchema.meta({
    description: "Paid by the run, including amounts that it converts from other currencies.",
  }),
  held: previewPartSchema.meta({ description: "In the holding period, also of affiliates who are paid." }),
  below_minimum: previewPartSchema.meta({ description: "Due, and carried forward." }),
  negative: previewPartSchema.meta({ description: "Reversed after a payout, and netted first." }),
  withheld: previewPartSchema.meta({ description: "Due to affiliates who were left out of payout runs." }),
  rate_missing: previewPartSchema.optional().meta({
    description:
      "Due to affiliates who are paid in one currency, without a rate for it. Absent if there is none.",
  }),
});

export type PreviewTotal = z.infer<typeof previewTotalSchema>;

export const payoutRunSummarySchema = z
  .object({
    as_of: timestamp.meta({ description: "When the amounts were computed." }),
    period: z.string().meta({ description: "The month that the next run is for, as `YYYY-MM`." }),
    next_run_on: z.iso.date().nullable().meta({
      description:
        "The date on which the next run starts automatically, in the organization's time zone; null: a person starts it.",
    }),
    run: payoutRunSchema
      .pick({
        id: true,
        started_by: true,
        started_by_name: true,
        created_at: true,
        finished_at: true,
        approval: true,
      })
      .nullable()
      .meta({
        description:
          "The month's run of all affiliates, if it was started; the amounts are then those of a further run, or of the next month's.",
      }),
    payees: z.int().meta({ description: "Rows of the preview: an affiliate has one in each currency." }),
    affiliates: z.int().meta({
      description: "The affiliates that the run pays; one that is paid in two currencies counts once.",
    }),
    totals: z.array(previewTotalSchema).meta({ description: "One for each currency with unpaid amounts." }),
    ...runRates,
    needs_approval: z
      .boolean()
      .meta({ description: "Whether the run would wait until another member approves it." }),
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
        "`included` in the run; entirely `held`; carried forward as `below_minimum` or `negative`; `withheld` until somebody releases it; or due without an exchange rate, `rate_missing`.",
    }),
    amount: amount.meta({ description: "The amount due: paid if included, else carried forward." }),
    payment_count: z.int().meta({ description: "The number of commissions and adjustments in `amount`." }),
    paid_in: z
      .object({
        currency,
        amount: amount.nullable().meta({ description: "`amount` in it; null: a rate is missing." }),
        missing_rates: z.array(currency).meta({ description: "Currencies without a rate.", example: [] }),
      })
      .optional()
      .meta({
        description: "The one currency that the affiliate is paid in; absent if it is paid in each currency.",
      }),
    held_amount: amount.meta({ description: "The amount still held, left for a later run." }),
    held_until: timestamp.nullable().meta({
      description:
        "When all of it is due that is not in review; null: nothing is held, or only commissions in review.",
    }),
    banned: z.boolean().meta({ description: "Whether the affiliate is banned." }),
    agreement: z.enum(agreements).nullable().meta({
      description:
        "Whether the person agreed to be the affiliate; null: it was erased. Runs pay in any case.",
    }),
    hold_reason: z
      .string()
      .nullable()
      .meta({ description: "Why the affiliate was left out of payout runs; null: it was not." }),
    hold_is_stale: z.boolean().meta({
      description: "Whether a ban left it out that has ended since: somebody should release it.",
    }),
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
  text: searchText
    .optional()
    .meta({ description: "A part of the affiliate's name, email or code, in any case." }),
});

export type PreviewPayoutRun = z.output<typeof previewPayoutRunInput>;

export const payoutPreviewPageSchema = rowPageOf(payoutPreviewSchema);
