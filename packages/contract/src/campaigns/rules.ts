import { z } from "zod";
import { tagInput } from "../affiliates/tags.ts";
import {
  currency,
  currencyInput,
  id,
  idInput,
  MAX_AMOUNT,
  must,
  name,
  text,
  wholeNumber,
} from "../fields.ts";

/** The most rules of a campaign, and of an affiliate from a time on. */
export const MAX_RULES = 50;
const MAX_VALUES = 50;
/** Longer values of metadata are not stored. */
export const MAX_METADATA_VALUE = 100;

/** How a line of a payment is billed: with a subscription, or once. */
export const billingIntervals = ["day", "week", "month", "year", "one_time"] as const;
export type BillingInterval = (typeof billingIntervals)[number];

const rewardTypes = ["percentage", "fixed", "nothing"] as const;

const describe = {
  products: "Products at the processor. The rule then decides the lines of these alone.",
  intervals: "How the lines are billed. The rule then decides such lines alone.",
  payments:
    "Which of the referral's payments that earned a commission, or that a rule gave nothing: `{ to: 1 }` is the first one, `{ from: 2 }` are renewals.",
  months: "In which months since the first of these payments: `{ to: 12 }` is the first year.",
  countries: "The customer's country with the payment, ISO 3166.",
  currencies: "The payment's currency, ISO 4217.",
  amount: "The revenue of payments in a currency. Payments in others do not match.",
  metadata: "A key of the payment's metadata at the processor, and the values that match.",
  promo_codes: "Promo codes that were used for the payment, in any case.",
  tiers: "Tiers of the affiliate at the time of the payment, by their ids.",
  tags: "Tags of the affiliate when the payment was first decided; one of them matches.",
  from: "The first one, from 1 on. Absent: the first of all.",
  to: "The last one. Absent: without an end.",
  from_amount: "At least, in major units. Absent: any.",
  below_amount: "Less than that, in major units. Absent: any.",
  name: "For your team, and in decisions; null for none.",
  conditions: "All of them must hold. None: it matches all.",
  reward: "The reward of the rule.",
  type: "A `percentage` of the revenue, a `fixed` amount, or `nothing`.",
  percent: "With `percentage`: percent of the revenue, over 0 to 100, at most 4 decimals. Otherwise null.",
  amounts: "With `fixed`: one for each currency; it counts once for a payment. Otherwise empty.",
};

const example = {
  conditions: { intervals: ["year" as const] },
  reward: { type: "percentage" as const, amount: 40, amounts: [] },
};

export const countryInput = z
  .string()
  .transform((code) => code.toUpperCase())
  .pipe(z.string().regex(/^[A-Z]{2}$/, must("Must be a country's two letters, such as DE.")));

const values = <Schema extends z.ZodType>(schema: Schema) => z.array(schema).min(1).max(MAX_VALUES);

const rangeInput = z
  .strictObject({
    from: wholeNumber(1, 10_000).optional().meta({ description: describe.from, example: 1 }),
    to: wholeNumber(1, 10_000).optional().meta({ description: describe.to, example: 12 }),
  })
  .refine(({ from = 1, to }) => to === undefined || from <= to, {
    path: ["to"],
    error: "Must not be before from.",
  })
  .meta({ id: "CommissionRuleRangeInput" });

const amountInput = z
  .strictObject({
    currency: currencyInput.meta({ description: describe.currencies, example: "USD" }),
    from: z
      .number()
      .min(0)
      .max(MAX_AMOUNT)
      .optional()
      .meta({ description: describe.from_amount, example: 1000 }),
    below: z
      .number()
      .gt(0)
      .max(MAX_AMOUNT)
      .optional()
      .meta({ description: describe.below_amount, example: 5000 }),
  })
  .refine(({ from, below }) => from !== undefined || below !== undefined, {
    path: ["from"],
    error: "Required without below.",
  })
  .refine(({ from = 0, below }) => below === undefined || from < below, {
    path: ["below"],
    error: "Must be greater than from.",
  })
  .meta({ id: "CommissionRuleAmountInput" });

const metadataInput = z
  .strictObject({
    key: name(40).meta({ description: "The key.", example: "plan" }),
    values: values(text(MAX_METADATA_VALUE)).meta({
      description: "One of them matches.",
      example: ["enterprise"],
    }),
  })
  .meta({ id: "CommissionRuleMetadataInput" });

const conditionsInput = z
  .strictObject({
    products: values(name(255))
      .optional()
      .meta({ description: describe.products, example: ["prod_Pro"] }),
    intervals: values(z.enum(billingIntervals))
      .optional()
      .meta({ description: describe.intervals, example: ["year"] }),
    payments: rangeInput.optional().meta({ description: describe.payments }),
    months: rangeInput.optional().meta({ description: describe.months }),
    countries: values(countryInput)
      .optional()
      .meta({ description: describe.countries, example: ["US", "CA"] }),
    currencies: values(currencyInput)
      .optional()
      .meta({ description: describe.currencies, example: ["USD"] }),
    amount: amountInput.optional().meta({ description: describe.amount }),
    metadata: metadataInput.optional().meta({ description: describe.metadata }),
    promo_codes: values(name(100))
      .optional()
      .meta({ description: describe.promo_codes, example: ["LAUNCH"] }),
    tiers: values(idInput.toLowerCase())
      .optional()
      .meta({ description: describe.tiers, example: ["0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90"] }),
    tags: values(tagInput)
      .optional()
      .meta({ description: describe.tags, example: ["agency"] }),
  })
  .meta({ id: "CommissionRuleConditionsInput" });

const rewardAmountInput = z
  .strictObject({
    currency: currencyInput.meta({ description: "ISO 4217 code in upper case.", example: "USD" }),
    amount: z.number().gt(0).max(MAX_AMOUNT).meta({ description: "Major units.", example: 20 }),
  })
  .meta({ id: "CommissionRewardAmountInput" });

export const commissionRewardInput = z
  .strictObject({
    type: z.enum(rewardTypes).meta({ description: describe.type, example: "percentage" }),
    amount: z
      .number()
      .gt(0)
      .max(100)
      .nullable()
      .default(null)
      .meta({ description: describe.percent, example: 40 }),
    amounts: z
      .array(rewardAmountInput)
      .max(MAX_VALUES)
      .default([])
      .meta({ description: describe.amounts, example: [] }),
  })
  .refine(({ type, amount }) => (type === "percentage") === (amount !== null), {
    path: ["amount"],
    error: "Required with the type percentage, and only then.",
  })
  .refine(({ type, amounts }) => (type === "fixed") === amounts.length > 0, {
    path: ["amounts"],
    error: "Required with the type fixed, and only then.",
  })
  .meta({ id: "CommissionRewardInput" });

/** A rule of a campaign or of an affiliate. The first one that matches a line of a payment decides it. */
export const commissionRuleInput = z
  .strictObject({
    id: idInput.optional().meta({ description: "The id of an existing rule; a rule without an id is new." }),
    name: name(100).nullable().default(null).meta({ description: describe.name, example: "Yearly plans" }),
    conditions: conditionsInput.meta({ description: describe.conditions, example: example.conditions }),
    reward: commissionRewardInput.meta({ description: describe.reward, example: example.reward }),
  })
  .meta({ id: "CommissionRuleInput" });

export type CommissionRuleInput = z.output<typeof commissionRuleInput>;

const rangeSchema = z
  .object({
    from: z.int().optional().meta({ description: describe.from, example: 1 }),
    to: z.int().optional().meta({ description: describe.to, example: 12 }),
  })
  .meta({ id: "CommissionRuleRange" });

const amountSchema = z
  .object({
    currency,
    from: z.number().optional().meta({ description: describe.from_amount, example: 1000 }),
    below: z.number().optional().meta({ description: describe.below_amount, example: 5000 }),
  })
  .meta({ id: "CommissionRuleAmount" });

const metadataSchema = z
  .object({
    key: z.string().meta({ description: "The key.", example: "plan" }),
    values: z.array(z.string()).meta({ description: "One of them matches.", example: ["enterprise"] }),
  })
  .meta({ id: "CommissionRuleMetadata" });

const conditionsSchema = z
  .object({
    products: z
      .array(z.string())
      .optional()
      .meta({ description: describe.products, example: ["prod_Pro"] }),
    intervals: z
      .array(z.enum(billingIntervals))
      .optional()
      .meta({ description: describe.intervals, example: ["year"] }),
    payments: rangeSchema.optional().meta({ description: describe.payments }),
    months: rangeSchema.optional().meta({ description: describe.months }),
    countries: z
      .array(z.string())
      .optional()
      .meta({ description: describe.countries, example: ["US", "CA"] }),
    currencies: z
      .array(z.string())
      .optional()
      .meta({ description: describe.currencies, example: ["USD"] }),
    amount: amountSchema.optional().meta({ description: describe.amount }),
    metadata: metadataSchema.optional().meta({ description: describe.metadata }),
    promo_codes: z
      .array(z.string())
      .optional()
      .meta({ description: describe.promo_codes, example: ["LAUNCH"] }),
    tiers: z
      .array(id)
      .optional()
      .meta({ description: describe.tiers, example: ["0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90"] }),
    tags: z
      .array(z.string())
      .optional()
      .meta({ description: describe.tags, example: ["agency"] }),
  })
  .meta({ id: "CommissionRuleConditions" });

const rewardAmountSchema = z
  .object({ currency, amount: z.number().meta({ description: "Major units.", example: 20 }) })
  .meta({ id: "CommissionRewardAmount" });

export const commissionRewardSchema = z
  .object({
    type: z.enum(rewardTypes).meta({ description: describe.type, example: "percentage" }),
    amount: z.number().nullable().meta({ description: describe.percent, example: 40 }),
    amounts: z.array(rewardAmountSchema).meta({ description: describe.amounts, example: [] }),
  })
  .meta({ id: "CommissionReward" });

export const commissionRuleSchema = z
  .object({
    id: id.meta({ description: "Identifies the rule, in decisions, too." }),
    name: z.string().nullable().meta({ description: describe.name, example: "Yearly plans" }),
    conditions: conditionsSchema.meta({ description: describe.conditions, example: example.conditions }),
    reward: commissionRewardSchema.meta({ description: describe.reward, example: example.reward }),
  })
  .meta({ id: "CommissionRule" });

export type CommissionRule = z.infer<typeof commissionRuleSchema>;
