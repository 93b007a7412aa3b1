import { z } from "zod";
import { commissionTypes } from "../campaigns/campaigns.ts";
import { usedExchangeRateSchema } from "../exchange-rates.ts";
import {
  amount,
  amountInput,
  codeInput,
  currency,
  currencyInput,
  emailInput,
  id,
  idInput,
  MAX_AMOUNT,
  name,
  timestamp,
  timestampInput,
} from "../fields.ts";
import { pageOf, pageQuery } from "../pages.ts";
import { processorNames } from "../processors/processors.ts";
import { appliedOverrideSchema } from "./overrides.ts";
import { foundSignalSchema } from "./signals.ts";

/** The possible outcomes of a payment: a commission, or the reason for none. */
export const paymentOutcomes = {
  commission: "The payment earned a commission.",
  no_referral: "The customer was not referred: no referral, no affiliate's promo code, no click.",
  affiliate_banned: "The affiliate is banned.",
  affiliate_unapproved: "The affiliate is not approved yet.",
  click_expired: "The click is older than the campaign's cookie duration.",
  click_after_checkout: "The click came after the checkout.",
  self_referral: "The affiliate is the customer.",
  existing_customer:
    "The customer is older: paid before without an affiliate, and the campaign is for new customers; or, for a sign-up, had a payment, subscription, checkout or referral before the click.",
  paid_before_referral: "The customer paid before the referral was made.",
  no_email: "The customer's email is unknown; a referral requires one.",
  nothing_paid: "Nothing was paid, after discounts, tax and credit.",
  proration: "The invoice is for a subscription change, and the campaign skips prorations.",
  refused_by_signal: "The payment has a signal of fraud, and the campaign refuses such payments.",
  limit_reached: "The campaign's limit of months or payments was reached.",
  customer_stopped: "The organization stopped the customer from earning commissions.",
  fixed_amount_other_currency:
    "The commission is a fixed amount in the organization's currency, and the payment is in a different currency.",
  exchange_rate_missing:
    "The commission is a fixed amount to be converted to the payment's currency, and no exchange rate of the payment's day is known. It is decided as soon as the rate is.",
  commission_is_zero: "The commission rounds to zero in the currency's smallest unit.",
  commission_is_negative:
    "The products' rates add up to less than zero: a negative part of the payment has a higher rate than the rest.",
  product_excluded: "All products of the payment are excluded: the campaign has a rate of 0 for them.",
  excluded_by_rule: "A rule of the campaign or of the affiliate gives the payment nothing.",
  products_unknown:
    "The campaign has rates per product, and the payment's products are unknown. They are fetched from the processor if its connection has an API key that may read them.",
  commission_exists: "A commission for this payment was created manually.",
} as const;

export type PaymentOutcomeName = keyof typeof paymentOutcomes;

const outcomeNames = Object.keys(paymentOutcomes) as [PaymentOutcomeName, ...PaymentOutcomeName[]];

/** The evidence for an affiliate. */
export const candidateSources = ["promo_code", "click", "signup"] as const;

export const candidateResults = [
  "won",
  "lost",
  "affiliate_banned",
  "affiliate_unapproved",
  "click_expired",
  "click_after_checkout",
  "self_referral",
  "existing_customer",
  "unknown_code",
  "unknown_click",
] as const;

export const paymentOutcome = z
  .enum(outcomeNames)
  .meta({ description: "`commission`, or the reason for none.", example: "commission" });

const rate = {
  type: z.enum(commissionTypes).meta({ description: "How the rate is computed.", example: "percentage" }),
  amount: z.number().meta({
    description:
      "Percent, or major units of the organization's currency; of `commission_cap`: of the payment's currency.",
    example: 30,
  }),
};

/** Evidence for an affiliate, and its part in the decision. */
export const paymentCandidateSchema = z.object({
  source: z.enum(candidateSources).meta({
    description:
      "The evidence for the affiliate: a promo code or click at the checkout, or a sign-up that a page reported.",
  }),
  reference: z.string().meta({
    description: "The promo code, its id at the processor, or the click id of the click or sign-up.",
  }),
  affiliate_id: id.nullable().meta({
    description: "The affiliate; null when the code or click belongs to none.",
  }),
  result: z.enum(candidateResults).meta({
    description:
      "`won`, `lost` to an earlier candidate, or the reason for skipping it. `unknown_code` and `unknown_click`: no affiliate had it when the payment was first decided.",
    example: "won",
  }),
});

export const earningRules = ["first_payment", "product", "campaign", "rule", "commission_cap"] as const;
const conversionSchema = z
  .object({
    amount: z
      .number()
      .meta({ description: "The fixed amount, in major units of `currency`.", example: 4.62 }),
    currency: currency.meta({ description: "The payment's currency." }),
    rate: z.string().meta({
      description: "Units of the payment's currency for one of the organization's, rounded to 10 decimals.",
      example: "0.9248982612",
    }),
    exchange_rates: z
      .array(usedExchangeRateSchema)
      .meta({ description: "The rates that the amount was calculated with." }),
  })
  .meta({ id: "Conversion" });

/** A rate that was applied to a payment. */
export const earningStepSchema = z.object({
  rule: z.enum(earningRules).meta({
    description:
      "The campaign's rate that applied (`product` with an `amount` of 0: the product is excluded), `rule`: one of the campaign's or the affiliate's list (with an `amount` of 0: it gives nothing), or `commission_cap`: a negative amount that limits a fixed commission to its payment.",
    example: "campaign",
  }),
  rule_id: id.optional().meta({ description: "The id of `rule`." }),
  rule_name: z
    .string()
    .nullable()
    .optional()
    .meta({ description: "The name of `rule` at that time.", example: "Yearly plans" }),
  tags: z
    .array(z.string())
    .optional()
    .meta({ description: "The affiliate's tags then that `rule` asks for.", example: ["agency"] }),
  product_id: z.string().nullable().meta({ description: "The id of `product`.", example: null }),
  ...rate,
  currency: currency.optional().meta({ description: "The currency of a fixed amount of `rule`." }),
  of_amount: z.number().meta({
    description: "The part of the revenue that the rate applies to, in major units.",
    example: 100,
  }),
  conversion: conversionSchema.nullable().meta({
    description: "The fixed amount in the payment's currency; null when it was not converted.",
    example: null,
  }),
});

export type EarningStep = z.infer<typeof earningStepSchema>;

/** The explanation of a decision. */
const explanationSchema = z
  .object({
    candidates: z.array(paymentCandidateSchema).meta({
      description: "The customer's promo codes and clicks, without duplicates, in order of consideration.",
    }),
    earned_before: z
      .int()
      .meta({ description: "The referral's commissions before this payment.", example: 0 }),
    steps: z
      .array(earningStepSchema)
      .meta({ description: "The rates that were applied; their sum is the commission." }),
    exact_amount: z.string().nullable().meta({
      description: "The commission before rounding, in the currency's smallest unit.",
      example: "3000",
    }),
    override: appliedOverrideSchema.nullable().meta({
      description: "The organization's decision about the payment or its customer; null: none.",
    }),
    signals: z.array(foundSignalSchema).optional().meta({
      description: "Signals of fraud that the payment has; omitted if there are none.",
    }),
  })
  .meta({ id: "PaymentExplanation" });

const decisionFields = {
  outcome: paymentOutcome,
  reason: z.string().meta({ description: "The outcome, for people.", example: paymentOutcomes.commission }),
  revenue_amount: z
    .number()
    .meta({ description: "The amount paid after discounts and without tax, in major units.", example: 100 }),
  currency,
  commission_amount: amount.meta({
    description: "The commission before any reversal, in major units; 0 for none.",
    example: 30,
  }),
  paid_at: timestamp.meta({ description: "When the customer paid." }),
  affiliate_id: id
    .nullable()
    .meta({ description: "The affiliate who referred the customer; null for none." }),
  referral_id: id.nullable().meta({ description: "The customer's referral; null for none." }),
  explanation: explanationSchema.meta({ description: "How the decision was reached." }),
};

/** The attribution decision on a payment. */
export const paymentDecisionSchema = z
  .object({
    id: id.meta({ description: "Identifies the decision." }),
    processor: z.enum(processorNames).meta({ description: "The payment processor.", example: "stripe" }),
    processor_payment_id: z
      .string()
      .meta({ description: "Payment ID at the payment processor.", example: "in_1Pj" }),
    ...decisionFields,
    paid_amount: z
      .number()
      .meta({ description: "The total amount paid, including tax, in major units.", example: 119 }),
    taken_back_amount: z
      .number()
      .meta({ description: "The amount reversed by refunds and disputes.", example: 0 }),
    commission_id: id
      .nullable()
      .meta({ description: "The commission created for the payment; null for none." }),
    created_at: timestamp.meta({ description: "When the payment was first decided." }),
    decided_at: timestamp.meta({ description: "When the decision last changed." }),
  })
  .meta({ id: "PaymentDecision" });

export type PaymentDecision = z.infer<typeof paymentDecisionSchema>;

export const paymentDecisionPageSchema = pageOf(paymentDecisionSchema);

export const listPaymentDecisionsInput = z.strictObject({
  ...pageQuery,
  outcome: paymentOutcome.optional(),
  affiliate_id: idInput.optional(),
  referral_id: idInput.optional(),
  processor_payment_id: name(255).optional(),
});

export type ListPaymentDecisions = z.output<typeof listPaymentDecisionsInput>;

export const paymentDecisionIdInput = z.strictObject({ id: idInput });

/** A hypothetical payment for a dry run. */
export const dryRunPaymentInput = z.strictObject({
  revenue_amount: amountInput,
  currency: currencyInput.optional(),
  paid_at: timestampInput.optional(),
  customer_id: name(255).optional(),
  email: emailInput.optional(),
  promo_code: codeInput.optional(),
  click_id: idInput.optional(),
  lines: z
    .array(
      z.strictObject({
        product_id: name(255).nullable(),
        amount: z.number().min(-MAX_AMOUNT).max(MAX_AMOUNT),
      }),
    )
    .max(100)
    .default([])
    .meta({ description: "The revenue by product. Without them, all of it counts at the campaign's rate." }),
});

export type DryRunPayment = z.output<typeof dryRunPaymentInput>;

/** The decision that a dry run predicts. */
export const dryRunSchema = z
  .object({
    ...decisionFields,
    without_products: z.boolean().meta({
      description:
        "The campaign has rates per product, and the payment names no products: a payment with known products can earn another amount.",
    }),
  })
  .meta({ id: "PaymentDryRun" });

export type DryRun = z.infer<typeof dryRunSchema>;
