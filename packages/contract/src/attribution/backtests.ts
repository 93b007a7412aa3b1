import { z } from "zod";
import { updateCampaignInput } from "../campaigns/campaigns.ts";
import { commissionRuleInput, MAX_RULES } from "../campaigns/rules.ts";
import { amount, currency, id, idInput, timestamp, wholeNumber } from "../fields.ts";
import { pageOf, pageQuery } from "../pages.ts";
import { paymentOutcome } from "./payment-decisions.ts";

/** Backtests of an organization that are stored; the next one deletes the oldest. */
export const MAX_BACKTESTS = 10;
/** How long a result is stored. */
export const BACKTESTS_RETENTION_DAYS = 30;
/** The payments in a result that differ most. */
export const MAX_EXAMPLES = 20;
/** The affiliates in a result who lose most, and as many who gain most, for each currency. */
export const MAX_AFFILIATES = 25;

const MAX_DRAFTED_RULES = 20;
const MAX_DRAFTED_AFFILIATES = 100;

const draftedCampaign = updateCampaignInput
  .pick({
    commission_type: true,
    commission_amount: true,
    limit_type: true,
    limit_amount: true,
    custom_commission_type: true,
    custom_commissions: true,
    first_payment_commission: true,
    commission_cap: true,
    skip_prorations: true,
    rules: true,
    tiers: true,
    review: true,
    review_above_amount: true,
    review_approve_after_days: true,
  })
  .extend({ campaign_id: idInput.meta({ description: "The campaign." }) })
  .meta({ id: "BacktestCampaignInput" });

const draftedRules = z
  .strictObject({
    affiliate_ids: z
      .array(idInput)
      .min(1)
      .max(MAX_DRAFTED_AFFILIATES)
      .meta({
        description: "The affiliates that would have the rules.",
        example: ["0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90"],
      }),
    rules: z.array(commissionRuleInput).max(MAX_RULES).meta({
      description: "Rules of their own in the whole period. Empty: they have none.",
      example: [],
    }),
  })
  .meta({ id: "BacktestAffiliateRulesInput" });

/** The changes to try: settings of a campaign, rules of affiliates, or both. */
export const backtestDraft = z.strictObject({
  campaign: draftedCampaign.optional().meta({
    description: "A campaign, and the settings to try. Omitted ones are as they are now.",
    example: { campaign_id: "0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90", commission_amount: 25 },
  }),
  affiliate_rules: z.array(draftedRules).max(MAX_DRAFTED_RULES).optional().meta({
    description: "Rules of affiliates' own to try, which precede those of their campaign.",
    example: [],
  }),
});

export const backtestMonths = wholeNumber(3, 24);

export const createBacktestInput = backtestDraft
  .extend({
    months: backtestMonths.default(12).meta({
      description: "The number of months before the current one. The current one so far is included.",
      example: 12,
    }),
  })
  .refine(({ campaign, affiliate_rules = [] }) => campaign !== undefined || affiliate_rules.length > 0, {
    path: ["campaign"],
    error: "Required, unless affiliates get rules of their own.",
  })
  .meta({
    example: {
      campaign: { campaign_id: "0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90", commission_amount: 25 },
      months: 12,
    },
  });

export type CreateBacktest = z.output<typeof createBacktestInput>;

export const backtestIdInput = z.strictObject({
  id: idInput.meta({ description: "The backtest's id." }),
});

const cost = {
  payments: z.int().meta({ description: "The number of payments that the draft decides.", example: 120 }),
  before_amount: amount.meta({
    description: "Their commissions as they are, net of refunds, in major units.",
    example: 3600,
  }),
  after_amount: amount.meta({
    description: "The amount with the draft, net of refunds, in major units.",
    example: 3000,
  }),
};

const monthSchema = z
  .object({ month: z.string().meta({ description: "In UTC.", example: "2026-10" }), currency, ...cost })
  .meta({ id: "BacktestMonth" });

const affiliateSchema = z
  .object({
    affiliate_id: id.meta({ description: "The affiliate." }),
    email: z.string().meta({ description: "The affiliate's email.", example: "jane@example.com" }),
    currency,
    ...cost,
  })
  .meta({ id: "BacktestAffiliate" });

const decidedSchema = z
  .object({ outcome: paymentOutcome, commission_amount: amount.meta({ description: "Net of refunds." }) })
  .meta({ id: "BacktestDecision" });

const exampleSchema = z
  .object({
    payment_decision_id: id.nullable().meta({ description: "As the dashboard names the payment." }),
    processor_payment_id: z
      .string()
      .meta({ description: "Payment ID at the payment processor.", example: "in_1Pj" }),
    paid_at: timestamp.meta({ description: "When the customer paid." }),
    affiliate_id: id.meta({ description: "The affiliate." }),
    currency,
    revenue_amount: amount,
    before: decidedSchema.meta({ description: "The decision as it is." }),
    after: decidedSchema.meta({ description: "The decision with the draft." }),
  })
  .meta({ id: "BacktestExample" });

const reviewsSchema = z
  .object({
    currency,
    before_payments: z.int().meta({ description: "With the settings as they are now.", example: 4 }),
    before_amount: amount.meta({ description: "The commissions of these payments.", example: 120 }),
    after_payments: z.int().meta({ description: "With the draft.", example: 31 }),
    after_amount: amount.meta({ description: "The commissions of these payments.", example: 930 }),
  })
  .meta({ id: "BacktestReviews" });

const metadataSchema = z
  .object({
    key: z.string().meta({ description: "A key that the draft's rules name.", example: "plan" }),
    recorded_since: timestamp
      .nullable()
      .meta({ description: "When it was first recorded with payments; null: it never was." }),
  })
  .meta({ id: "BacktestMetadataKey" });

const backtestResultSchema = z
  .object({
    payments: z.int().meta({ description: "The number of payments that the draft decides.", example: 120 }),
    changed_payments: z.int().meta({ description: "Those with another outcome or commission.", example: 48 }),
    months: z
      .array(monthSchema)
      .meta({ description: "The cost by the month of the payments and by currency, oldest first." }),
    losing: z.array(affiliateSchema).meta({
      description: `The affiliates who would lose most, at most ${MAX_AFFILIATES} for each currency.`,
    }),
    gaining: z.array(affiliateSchema).meta({
      description: `The affiliates who would gain most, at most ${MAX_AFFILIATES} for each currency.`,
    }),
    examples: z.array(exampleSchema).meta({
      description: `Payments that would be decided differently: those with the largest difference, at most ${MAX_EXAMPLES}.`,
    }),
    reviews: z.array(reviewsSchema).meta({
      description:
        "Payments of the campaign with a commission that waits for a review. `first`: payments with the first commission of an affiliate.",
    }),
    unrecorded_metadata: z.array(metadataSchema).meta({
      description:
        "Keys of metadata that were not recorded in the whole period: rules that name them match less.",
    }),
    payments_without_interval: z.int().meta({
      description:
        "With rules for billing intervals: payments with lines of an unknown interval, which such rules do not match.",
      example: 0,
    }),
  })
  .meta({ id: "BacktestResult" });

export type BacktestResult = z.infer<typeof backtestResultSchema>;

/** A backtest without its result, as a list has it. */
const backtestFields = {
  id: id.meta({ description: "Identifies the backtest." }),
  state: z.enum(["running", "finished", "failed", "canceled"]).meta({
    description: "Whether it runs, or how it ended. A running one is canceled when another one starts, too.",
    example: "finished",
  }),
  campaign_id: id.nullable().meta({ description: "The campaign of the draft; null: none." }),
  affiliates: z.int().meta({
    description: "The number of affiliates with rules of their own in the draft.",
    example: 0,
  }),
  from: timestamp.meta({ description: "Payments that were made from then on are decided by the draft." }),
  until: timestamp.meta({ description: "Payments before then; when it was started." }),
  done: z.int().meta({ description: "Payments that have been decided.", example: 2000 }),
  total: z
    .int()
    .nullable()
    .meta({ description: "All payments of the period; null: not counted yet.", example: 12_000 }),
  reason: z.string().nullable().meta({
    description: "Why it failed; while it runs, why its last attempt failed. Null: nothing failed.",
    example: null,
  }),
  created_at: timestamp.meta({ description: "When it was started." }),
  finished_at: timestamp.nullable().meta({ description: "When it ended; null: it runs." }),
};

export const backtestSummarySchema = z.object(backtestFields).meta({ id: "BacktestSummary" });

export const backtestSchema = z
  .object({
    ...backtestFields,
    result: backtestResultSchema.nullable().meta({ description: "Null until it has finished." }),
  })
  .meta({ id: "Backtest" });

export type BacktestSummary = z.infer<typeof backtestSummarySchema>;
export type Backtest = z.infer<typeof backtestSchema>;

export const listBacktestsInput = z.strictObject(pageQuery);

export type ListBacktests = z.output<typeof listBacktestsInput>;

export const backtestPageSchema = pageOf(backtestSummarySchema);
