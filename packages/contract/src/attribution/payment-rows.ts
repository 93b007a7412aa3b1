import { z } from "zod";
import { MAX_CHANGED } from "../commissions/rows.ts";
import { amount, currency, id, idInput, timestamp, timestampInput } from "../fields.ts";
import { processorNames } from "../processors/processors.ts";
import { rowPageOf, rowPageQuery, searchText } from "../row-pages.ts";
import { reducedAffiliateSchema } from "../webhooks/events.ts";
import { namedOverrideSchema } from "./override-rows.ts";
import { overrideTypes } from "./overrides.ts";
import {
  type PaymentOutcomeName,
  paymentCandidateSchema,
  paymentDecisionSchema,
  paymentOutcome,
} from "./payment-decisions.ts";
import { remainingSchema, reversalSchema, reversedBy } from "./reversals.ts";

/** Evidence for an affiliate, with the facts behind it. */
export const explainedCandidateSchema = paymentCandidateSchema
  .omit({ affiliate_id: true })
  .extend({
    affiliate: reducedAffiliateSchema
      .extend({ approved: z.boolean(), banned: z.boolean() })
      .nullable()
      .meta({ description: "The affiliate; null when the code or click belongs to none." }),
    click: z
      .object({
        clicked_at: timestamp,
        code: z.string(),
        landing_url: z.string().nullable(),
        referrer: z.string().nullable(),
        sub_id: z
          .string()
          .nullable()
          .meta({ description: "The affiliate's name for the place of the link." }),
      })
      .nullable()
      .meta({ description: "The source of a click or sign-up; null when the click is no longer stored." }),
    age_days: z
      .int()
      .nullable()
      .meta({ description: "Whole days from the click to the payment; null for codes.", example: 31 }),
    cookie_duration: z
      .int()
      .nullable()
      .meta({ description: "Days that a click counts by the campaign's current setting.", example: 30 }),
  })
  .meta({ id: "ExplainedCandidate" });

export type ExplainedCandidate = z.infer<typeof explainedCandidateSchema>;

/** A payment in the dashboard's list, with its outcome, affiliate and customer. */
export const paymentRowSchema = z
  .object({
    id: id.meta({ description: "Identifies the decision." }),
    processor: z.enum(processorNames),
    processor_payment_id: z.string(),
    paid_at: timestamp,
    decided_at: timestamp,
    customer_email: z.string().nullable().meta({ description: "Null for a customer without one." }),
    outcome: paymentOutcome,
    currency,
    revenue_amount: z.number(),
    paid_amount: z.number(),
    taken_back_amount: z.number(),
    commission_amount: amount,
    commission_id: id.nullable(),
    remaining: z.object({ commission_id: id, amount, voided: z.boolean() }).nullable().meta({
      description:
        "The payment's commission, also a manual one, and its rest after refunds, disputes and changes; null: none.",
    }),
    taken_back_by: reversedBy,
    override: z
      .enum(overrideTypes)
      .nullable()
      .meta({ description: "A person's decision about the payment; null: none." }),
    affiliate: reducedAffiliateSchema
      .nullable()
      .meta({ description: "The affiliate who referred the customer; null for none." }),
    passed: explainedCandidateSchema
      .nullable()
      .meta({ description: "Without a commission: the first candidate, which was passed over." }),
  })
  .meta({ id: "PaymentListRow" });

export type PaymentListRow = z.infer<typeof paymentRowSchema>;

export const paymentRowPageSchema = rowPageOf(paymentRowSchema);

/** The number of outcomes, so that a list may name each. */
const MAX_OUTCOMES = 30;

const filters = {
  text: searchText.optional().meta({
    description:
      "A part of the affiliate's name, email or code, or of the customer's email if it is a referral, in any case; or the beginning of a customer's email or id, or of a payment id.",
  }),
  outcomes: z.array(paymentOutcome).min(1).max(MAX_OUTCOMES).optional(),
  affiliate_id: idInput.optional().meta({
    description: "The affiliate who referred the customer, or a candidate who was passed over.",
  }),
  processor: z.enum(processorNames).optional(),
  paid_from: timestampInput.optional(),
  paid_until: timestampInput.optional(),
};

export const listPaymentRowsInput = z.strictObject({ ...rowPageQuery, ...filters });

export type ListPaymentRows = z.output<typeof listPaymentRowsInput>;

/** The rows on all pages of the list. */
export const matchPaymentsInput = z.strictObject(filters);

export type MatchPayments = z.output<typeof matchPaymentsInput>;

export const countPaymentsInput = z.strictObject({
  paid_from: timestampInput.optional(),
  paid_until: timestampInput.optional(),
});

export type CountPayments = z.output<typeof countPaymentsInput>;

/** Counting stops here: "1,000 or more". */
export const MAX_COUNTED = 1000;

export const paymentCountsSchema = z.array(
  z.object({ outcome: paymentOutcome, count: z.int().meta({ description: `At most ${MAX_COUNTED}.` }) }),
);

export type PaymentCounts = { outcome: PaymentOutcomeName; count: number }[];

export const referredBySchema = z
  .object({
    actor: z.string().meta({
      description: "As the audit log writes it; `key` of a key that is not known.",
      example: "operator",
    }),
    actor_name: z.string().nullable(),
    at: timestamp,
    is_credit: z.boolean().meta({
      description: "Whether the person credited a payment of the customer to the affiliate.",
    }),
  })
  .nullable()
  .meta({
    description:
      "Who made the customer a referral of the affiliate, manually or by API; null: a click, a code or a sign-up did.",
  });

export type ReferredBy = NonNullable<z.infer<typeof referredBySchema>>;

/** The decision on a payment with the names and facts that it refers to, in one answer. */
export const paymentExplanationSchema = z
  .object({
    decision: paymentDecisionSchema,
    customer: z.object({
      emails: z.array(z.string()),
      processor_ids: z.array(z.string()).meta({ description: "The customer's ids at the processor." }),
    }),
    affiliate: reducedAffiliateSchema
      .extend({ approved: z.boolean(), banned: z.boolean(), campaign: z.object({ id, name: z.string() }) })
      .nullable(),
    candidates: z.array(explainedCandidateSchema),
    referred_by: referredBySchema,
    override: namedOverrideSchema
      .nullable()
      .meta({ description: "A person's decision about the payment; null: none." }),
    commission: z
      .object({ id, commission_amount: amount, payout_status: z.string(), is_manual: z.boolean() })
      .nullable()
      .meta({
        description: "The payment's commission now, after refunds and corrections; also a manual one.",
      }),
    remaining: remainingSchema.nullable().meta({ description: "Its rest; null: none." }),
    taken_back: z.array(reversalSchema).meta({ description: "Refunds and disputes, oldest first." }),
    reports: z
      .array(
        z.object({
          processor: z.string(),
          message_id: z.string(),
          kind: z.string().meta({ description: "The reported fact.", example: "refund" }),
          subject: z.string().meta({ example: "re_1Pj" }),
          at: timestamp,
        }),
      )
      .meta({ description: "The reports that the decision rests on, oldest first." }),
  })
  .meta({ id: "PaymentExplained" });

export type PaymentExplained = z.infer<typeof paymentExplanationSchema>;

export const decisionIdsInput = z.strictObject({ ids: z.array(idInput).min(1).max(MAX_CHANGED) });

export type DecisionIds = z.output<typeof decisionIdsInput>;

export const listRefusedPaymentsInput = z.strictObject({
  affiliate_ids: z.array(idInput).min(1).max(MAX_CHANGED),
  outcome: z.enum(["affiliate_unapproved", "affiliate_banned"]),
});

export type ListRefusedPayments = z.output<typeof listRefusedPaymentsInput>;

/** Payments that earned nothing because of the state of their affiliates. */
export const refusedPaymentsSchema = z.object({
  count: z.int().meta({ description: "Among the latest 1,000 payments of each affiliate." }),
  ids: z.array(id).meta({ description: `The decisions, latest payment first; at most ${MAX_CHANGED}.` }),
});

export type RefusedPayments = z.infer<typeof refusedPaymentsSchema>;

const decided = z.object({
  outcome: paymentOutcome,
  commission_amount: amount,
  currency,
  affiliate_id: id.nullable(),
});

/** The decisions before and after deciding again. */
export const decidedAgainSchema = z.array(
  z.object({ id, processor_payment_id: z.string(), before: decided, after: decided, changed: z.boolean() }),
);

export type DecidedAgain = z.infer<typeof decidedAgainSchema>;
