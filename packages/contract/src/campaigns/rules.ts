import { z } from "zod";
import { currencyInput, id, idInput, MAX_AMOUNT, must, name, text, wholeNumber } from "../fields.ts";

/** At most so many rules of a campaign, and of an affiliate from a time on. */
export const MAX_RULES = 50;
const MAX_VALUES = 50;
/** Longer values of metadata are not stored. */
export const MAX_METADATA_VALUE = 100;

/** How often a subscription is paid; `one_time`: the line is of none. */
export const billingIntervals = ["day", "week", "month", "year", "one_time"] as const;
export type BillingInterval = (typeof billingIntervals)[number];

export const countryInput = z
  .string()
  .transform((code) => code.toUpperCase())
  .pipe(z.string().regex(/^[A-Z]{2}$/, must("Must be a country's two letters, such as DE.")));

const values = <Schema extends z.ZodType>(schema: Schema) => z.array(schema).min(1).max(MAX_VALUES);

const isOrdered = ({ from = 1, to }: { from?: number | undefined; to?: number | undefined }) =>
  to === undefined || from <= to;

/** From the n-th to the m-th, both included. */
const rangeInput = (least: number, most: number) =>
  z
    .strictObject({ from: wholeNumber(least, most).optional(), to: wholeNumber(least, most).optional() })
    .refine(isOrdered, { path: ["to"], error: "Must not be before from." });

const conditionsInput = z
  .strictObject({
    products: values(name(255))
      .optional()
      .meta({
        description: "Products at the processor. The rule then decides the lines of these alone.",
        example: ["prod_1"],
      }),
    payments: rangeInput(1, 10_000)
      .optional()
      .meta({
        description:
          "Which of the referral's payments that earned a commission, or that a rule gave nothing: `{ to: 1 }` is the first one, `{ from: 2 }` are renewals.",
        example: { from: 1, to: 12 },
      }),
    months: rangeInput(1, 1_200)
      .optional()
      .meta({
        description: "In which months since the first of these payments: `{ to: 12 }` is the first year.",
        example: { to: 12 },
      }),
    intervals: values(z.enum(billingIntervals))
      .optional()
      .meta({
        description: "How the lines are billed. The rule then decides such lines alone.",
        example: ["year"],
      }),
    countries: values(countryInput)
      .optional()
      .meta({
        description: "The customer's country, as the processor reported it.",
        example: ["US", "CA"],
      }),
    currencies: values(currencyInput)
      .optional()
      .meta({
        description: "The payment's currency.",
        example: ["USD"],
      }),
    amount: z
      .strictObject({
        currency: currencyInput,
        from: z.number().min(0).max(MAX_AMOUNT).optional(),
        below: z.number().gt(0).max(MAX_AMOUNT).optional(),
      })
      .refine(({ from, below }) => from !== undefined || below !== undefined, {
        path: ["from"],
        error: "Must be given, or below.",
      })
      .refine(({ from = 0, below }) => below === undefined || from < below, {
        path: ["below"],
        error: "Must be above from.",
      })
      .optional()
      .meta({
        description:
          "The revenue of payments in a currency, in its major units. Payments in others do not match.",
        example: { currency: "USD", from: 1_000 },
      }),
    metadata: z
      .strictObject({ key: name(40), values: values(text(MAX_METADATA_VALUE)) })
      .optional()
      .meta({
        description: "A key of the payment's metadata at the processor, and the values that match.",
        example: { key: "plan", values: ["enterprise"] },
      }),
    promo_codes: values(name(100))
      .optional()
      .meta({
        description: "Promo codes that were used for the payment, in any case.",
        example: ["LAUNCH"],
      }),
  })
  .meta({ id: "CommissionRuleConditionsInput" });

const rewardInput = z
  .discriminatedUnion("type", [
    z.strictObject({
      type: z.literal("percentage"),
      amount: z.number().gt(0).max(100).meta({ description: "Percent of the revenue, at most 4 decimals." }),
    }),
    z.strictObject({
      type: z.literal("fixed"),
      amounts: z
        .array(z.strictObject({ currency: currencyInput, amount: z.number().gt(0).max(MAX_AMOUNT) }))
        .min(1)
        .max(MAX_VALUES)
        .meta({ description: "In major units, one for each currency. It counts once for a payment." }),
    }),
    z.strictObject({ type: z.literal("nothing") }),
  ])
  .meta({ id: "CommissionRewardInput" });

/** A rule of a campaign or of an affiliate. The first one that matches a line of a payment decides it. */
export const commissionRuleInput = z
  .strictObject({
    id: idInput.optional().meta({ description: "Of an existing rule; a rule without an id is new." }),
    name: name(100)
      .nullable()
      .default(null)
      .meta({ description: "For your team, and in decisions; null for none.", example: "Yearly plans" }),
    conditions: conditionsInput.meta({ description: "All of them must hold. None: it matches all." }),
    reward: rewardInput,
  })
  .meta({ id: "CommissionRuleInput" });

export type CommissionRuleInput = z.output<typeof commissionRuleInput>;

const range = z.object({ from: z.int().optional(), to: z.int().optional() });

/** The same as it is stored. */
export const commissionRuleSchema = z
  .object({
    id: id.meta({ description: "Identifies the rule, in decisions, too." }),
    name: z
      .string()
      .nullable()
      .meta({ description: "For your team, and in decisions; null for none.", example: "Yearly plans" }),
    conditions: z
      .object({
        products: z.array(z.string()).optional(),
        payments: range.optional(),
        months: range.optional(),
        intervals: z.array(z.enum(billingIntervals)).optional(),
        countries: z.array(z.string()).optional(),
        currencies: z.array(z.string()).optional(),
        amount: z
          .object({ currency: z.string(), from: z.number().optional(), below: z.number().optional() })
          .optional(),
        metadata: z.object({ key: z.string(), values: z.array(z.string()) }).optional(),
        promo_codes: z.array(z.string()).optional(),
      })
      .meta({
        id: "CommissionRuleConditions",
        description: "All of them must hold. None: it matches all.",
        example: { intervals: ["year"] },
      }),
    reward: z
      .discriminatedUnion("type", [
        z.object({ type: z.literal("percentage"), amount: z.number() }),
        z.object({
          type: z.literal("fixed"),
          amounts: z.array(z.object({ currency: z.string(), amount: z.number() })),
        }),
        z.object({ type: z.literal("nothing") }),
      ])
      .meta({
        id: "CommissionReward",
        description: "What it gives: percent of the revenue, an amount in major units, or nothing.",
        example: { type: "percentage", amount: 40 },
      }),
  })
  .meta({ id: "CommissionRule" });

export type CommissionRule = z.infer<typeof commissionRuleSchema>;
