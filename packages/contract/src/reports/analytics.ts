import { z } from "zod";
import { amount, currency, currencyInput, idInput, must, wholeNumber } from "../fields.ts";
import { reducedAffiliateSchema } from "../webhooks/events.ts";

/** The most days of a range, and so the most points of it. */
const MAX_DAYS = 400;
const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;

/** A day in the organization's time zone. */
export const dateInput = z.iso
  .date(must("Must be a date, as in 2026-11-20."))
  .refine((value) => value >= "2000-01-01" && value < "2200-01-01", must("Must be a date from 2000 to 2199."))
  .meta({ example: "2026-11-20" });

/** The days from one date to another. */
export function daysBetween(from: string, until: string): number {
  return (Date.parse(until) - Date.parse(from)) / DAY_MILLISECONDS;
}

export const overviewUnits = ["day", "week", "month"] as const;

export type OverviewUnit = (typeof overviewUnits)[number];

export const getOverviewInput = z
  .strictObject({
    from: dateInput.meta({ description: "The first day, in the organization's time zone." }),
    until: dateInput.meta({ description: "The day after the last one." }),
    unit: z.enum(overviewUnits).default("day"),
    currency: currencyInput.optional().meta({
      description:
        "The currency of the amounts, which are never added over currencies. Default: the organization's.",
    }),
    campaign_id: idInput.optional(),
    top: wholeNumber(1, 20)
      .default(5)
      .meta({ description: "The number of affiliates with the most revenue." }),
  })
  .refine(
    ({ from, until }) => {
      const days = daysBetween(from, until);
      return days >= 1 && days <= MAX_DAYS;
    },
    { path: ["until"], error: `Must be 1 to ${MAX_DAYS} days after from.` },
  );

export type GetOverview = z.output<typeof getOverviewInput>;

export const totals = {
  clicks: z.int().meta({ description: "A visitor's clicks on a link count once an hour.", example: 1372 }),
  signups: z.int().meta({ description: "Referrals by their sign-up date.", example: 96 }),
  conversions: z.int().meta({ description: "Referrals by the time of their first commission.", example: 41 }),
  revenue_amount: amount.meta({
    description: "The revenue of commissions that are not voided, by the date of the payment, less refunds.",
    example: 4810.5,
  }),
  commission_amount: amount.meta({ description: "The same commissions' amounts.", example: 962.1 }),
  lost_amount: amount.meta({
    description: "The amount that refunds, disputes and corrections took from commissions, by their time.",
    example: 29.4,
  }),
};

const totalsSchema = z.object(totals).meta({ id: "Totals" });

export type Totals = z.infer<typeof totalsSchema>;

const pointSchema = z.object({
  day: z.iso.date().meta({
    description: "The first day of the day, week (from Monday) or month, also if the range begins later.",
  }),
  ...totals,
});

export const overviewSchema = z
  .object({
    currency,
    present: totalsSchema,
    previous: totalsSchema.meta({ description: "The totals of as many days before `from`." }),
    points: z.array(pointSchema).meta({ description: "Those without any totals included." }),
    previous_points: z.array(pointSchema).meta({ description: "The points of the days before `from`." }),
    top: z.array(z.object({ affiliate: reducedAffiliateSchema, ...totals })),
  })
  .meta({ id: "Overview" });

export type Overview = z.infer<typeof overviewSchema>;
