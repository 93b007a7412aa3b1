import { z } from "zod";
import { amount, currency, email, id, timestamp } from "../fields.ts";
import { earningSchema } from "./earnings.ts";
import { MAX_HELD_DATES } from "./held-dates.ts";

/** The days of the series, today included. */
export const HOME_DAYS = 30;

/** The commissions and adjustments on the home page. */
export const HOME_EARNINGS = 10;

/**
 * - `included`: the next payout run pays the amount.
 * - `below_minimum`: the amount waits until it reaches the minimum.
 * - `negative`: refunds and negative adjustments exceed the earnings since then; they reduce later payouts.
 * - `held`: all of it is still held then.
 * - `in_review`: all of it is in commissions that the organization reviews.
 * - `withheld`: the organization left the affiliate out of payout runs.
 * - `rate_missing`: the affiliate is paid in another currency, and no exchange rate for it is known.
 * - `nothing`: nothing is held or due.
 */
const nextPayoutOutcomes = [
  "included",
  "below_minimum",
  "negative",
  "held",
  "in_review",
  "withheld",
  "rate_missing",
  "nothing",
] as const;

/** The reasons for a negative amount. */
export const MAX_DEDUCTIONS = 3;

const date = z.string().meta({ format: "date", example: "2026-12-01" });

const nextPayoutSchema = z.object({
  currency,
  outcome: z.enum(nextPayoutOutcomes),
  amount: amount.meta({ description: "Due when the next payout run starts." }),
  minimum: amount.meta({ description: "The minimum payout; 0: none." }),
  paid_in: z
    .object({
      currency,
      amount: amount.nullable().meta({
        description: "`amount` in it, at today's exchange rates; null: a rate is missing.",
      }),
    })
    .optional()
    .meta({ description: "The other currency that it is paid in; absent if it is paid in its own." }),
  due: amount.meta({
    description: "Due now. Negative after refunds of paid commissions, or negative adjustments.",
  }),
  held: amount.meta({ description: "In the holding period, now." }),
  in_review: amount.meta({
    description: "In commissions that the organization reviews before it pays them.",
  }),
  held_until: z.array(z.object({ on: date, amount })).meta({
    description: `The days in which held commissions become due, the first ${MAX_HELD_DATES}; the last one stands for all later ones.`,
  }),
  in_payout: amount.meta({ description: "In payouts that are pending or processing." }),
  paid: amount.meta({ description: "In payouts that are paid." }),
  deductions: z.array(z.object({ id, reason: z.string(), amount, created_at: timestamp })).meta({
    description: `Why a negative amount is carried forward: its newest negative adjustments, at most ${MAX_DEDUCTIONS}. Empty otherwise.`,
  }),
});

export type NextPayout = z.infer<typeof nextPayoutSchema>;

const counts = {
  clicks: z.int(),
  signups: z.int(),
  conversions: z.int().meta({ description: "Customers with their first commission." }),
};

/** The first page of the portal. */
export const homeSchema = z.object({
  pulse: z.string().meta({ description: "The one of `home.pulse` that belongs to these figures." }),
  payouts: z.object({
    next_on: date.nullable().meta({
      description: "The day of the next payout run; null: the organization starts them manually.",
    }),
    time_zone: z.string().meta({ description: "The time zone of the days.", example: "Europe/Berlin" }),
    withheld_until: timestamp.nullable().meta({
      description:
        "When payouts go on by themselves, after the affiliate has changed its payout email; null: they do not wait, or a person decides.",
    }),
    paid_in: z
      .object({
        currency,
        amount: amount.meta({ description: "The sum of all currencies, at today's exchange rates." }),
        minimum: amount.meta({ description: "The minimum payout; 0: none." }),
      })
      .optional()
      .meta({
        description: "The one currency that the affiliate is paid in; absent if it is paid in each.",
      }),
    payout_email: email
      .nullable()
      .meta({ description: "Null: the affiliate set none, so payouts go to the address of the sign-in." }),
    currencies: z.array(nextPayoutSchema).meta({
      description: "By currency, the organization's own one first; empty before the first commission.",
    }),
  }),
  last_days: z.object({
    time_zone: z.string().meta({ description: "The time zone of the days.", example: "Europe/Berlin" }),
    ...counts,
    days: z.array(z.object({ day: date, ...counts })).length(HOME_DAYS),
    earned: z
      .array(
        z.object({
          currency,
          amount,
          days: z.array(amount).length(HOME_DAYS).meta({ description: "In the order of `days`." }),
        }),
      )
      .meta({ description: "Commissions of these days that are not void, by currency." }),
  }),
  newest: z
    .array(earningSchema)
    .meta({ description: `The newest ${HOME_EARNINGS} commissions and adjustments.` }),
});

export type Home = z.infer<typeof homeSchema>;

export const pulseSchema = z.object({
  pulse: z.string().meta({ description: "Differs whenever the first page shows something else." }),
});

export type Pulse = z.infer<typeof pulseSchema>;
