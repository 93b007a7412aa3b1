import { z } from "zod";
import { reducedAffiliateSchema } from "./events.ts";
import { amount, currency, currencyInput, idInput, must, timestamp, wholeNumber } from "./fields.ts";

/** The most days of a range, and the most points of a series. */
const MAX_POINTS = 400;
/** As MAX_POINTS, in days of up to 25 hours. */
const MAX_HOURLY_DAYS = 15;
const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;

/** A day in the organization's time zone. */
const dateInput = z.iso
  .date(must("Must be a date, as in 2026-11-20."))
  .refine((value) => value >= "2000-01-01" && value < "2200-01-01", must("Must be a date from 2000 to 2199."))
  .meta({ example: "2026-11-20" });

/** The days from one date to another. */
export function daysBetween(from: string, until: string): number {
  return (Date.parse(until) - Date.parse(from)) / DAY_MILLISECONDS;
}

const range = {
  from: dateInput.meta({ description: "The first day, in the organization's time zone." }),
  until: dateInput.meta({ description: "The day after the last one." }),
  currency: currencyInput.optional().meta({
    description: "Of the amounts, which are never added over currencies. Default: the organization's.",
  }),
  campaign_id: idInput.optional(),
};

const RANGE_MESSAGE = `Must be 1 to ${MAX_POINTS} days after from.`;

function isRange({ from, until }: { from: string; until: string }): boolean {
  const days = daysBetween(from, until);
  return days >= 1 && days <= MAX_POINTS;
}

const RANGE_ISSUE = { path: ["until"], error: RANGE_MESSAGE };

export const getTotalsInput = z.strictObject(range).refine(isRange, RANGE_ISSUE);

export type GetTotals = z.output<typeof getTotalsInput>;

const seriesUnits = ["hour", "day", "week", "month"] as const;

export const getSeriesInput = z
  .strictObject({ ...range, unit: z.enum(seriesUnits).default("day") })
  .refine(isRange, RANGE_ISSUE)
  .refine(({ from, until, unit }) => unit !== "hour" || daysBetween(from, until) <= MAX_HOURLY_DAYS, {
    path: ["until"],
    error: `Must be at most ${MAX_HOURLY_DAYS} days after from for hours.`,
  });

export type GetSeries = z.output<typeof getSeriesInput>;

const topOrders = ["revenue", "commission", "clicks"] as const;

export const listTopAffiliatesInput = z
  .strictObject({
    ...range,
    order: z.enum(topOrders).default("revenue"),
    limit: wholeNumber(1, 20).default(5),
  })
  .refine(isRange, RANGE_ISSUE);

export type ListTopAffiliates = z.output<typeof listTopAffiliatesInput>;

const totals = {
  clicks: z.int().meta({ description: "A visitor's clicks on a link count once an hour." }),
  signups: z.int().meta({ description: "Referrals by their sign-up date." }),
  conversions: z.int().meta({ description: "Referrals by the time of their first commission." }),
  revenue_amount: amount.meta({
    description: "Of commissions that are not voided, by the date of the payment, less refunds.",
  }),
  commission_amount: amount.meta({ description: "The same commissions' amounts." }),
  lost_amount: amount.meta({
    description: "What refunds, disputes and corrections took from commissions, by when they did.",
  }),
};

const totalsSchema = z.object(totals).meta({ id: "Totals" });

export type Totals = z.infer<typeof totalsSchema>;

export const totalsComparisonSchema = z.object({
  currency,
  present: totalsSchema,
  previous: totalsSchema.meta({ description: "Of as many days before `from`." }),
});

export type TotalsComparison = z.infer<typeof totalsComparisonSchema>;

export const seriesSchema = z.object({
  currency,
  points: z.array(
    z.object({
      starts_at: timestamp.meta({
        description: "The beginning of the hour, day, week (Monday) or month, also if it is before `from`.",
      }),
      ...totals,
    }),
  ),
});

export type Series = z.infer<typeof seriesSchema>;

export const topAffiliatesSchema = z.object({
  currency,
  affiliates: z.array(z.object({ affiliate: reducedAffiliateSchema, ...totals })),
});

export type TopAffiliates = z.infer<typeof topAffiliatesSchema>;
