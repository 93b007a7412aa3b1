import { z } from "zod";
import { amount, currency, currencyInput, MAXIMUM_AMOUNT, wholeNumber } from "./fields.ts";

export const publicSignups = ["on", "signed", "off"] as const;

/** Major units by ISO 4217 code. */
export const minimumPayoutsSchema = z.record(z.string(), amount).meta({ example: { USD: 50, EUR: 45 } });

export type MinimumPayouts = z.infer<typeof minimumPayoutsSchema>;

export const settingsSchema = z
  .object({
    currency,
    hold_days: z.int().meta({
      description: "How many days after its `referral_date` a commission may be paid.",
      example: 15,
    }),
    minimum_payouts: minimumPayoutsSchema.meta({
      description: "The least a payout must amount to, by currency; less is carried forward to the next run.",
    }),
    payout_day: z.int().nullable().meta({
      description: "The day of the month (UTC) on which a payout run begins by itself; null: never.",
    }),
    public_signups: z.enum(publicSignups).meta({
      description:
        "Which sign-ups count that are reported with the publishable key: `on` takes all, `signed` those that the backend signed, `off` none.",
      example: "on",
    }),
  })
  .meta({ id: "Settings" });

export type Settings = z.infer<typeof settingsSchema>;

/** What is left out stays as it is. */
export const updateSettingsInput = z.strictObject({
  currency: currencyInput.optional(),
  hold_days: wholeNumber(0, 365).optional().meta({ description: "For commissions made from now on." }),
  minimum_payouts: z
    .record(currencyInput, z.number().min(0).max(MAXIMUM_AMOUNT))
    .optional()
    .meta({
      description:
        "Replaces all minimums, for runs that start from now on. A currency left out, or with 0, has no minimum.",
      example: { USD: 50, EUR: 45 },
    }),
  payout_day: wholeNumber(1, 28).nullable().optional(),
  public_signups: z.enum(publicSignups).optional(),
});

/** Shown once, when it is made. */
export const signupSecretSchema = z.object({
  signing_secret: z.string().meta({
    description: "The secret with which the backend signs sign-ups: `ff_ss_` and 43 letters and digits.",
  }),
});

export type SignupSecret = z.infer<typeof signupSecretSchema>;

export type UpdateSettings = z.infer<typeof updateSettingsInput>;
