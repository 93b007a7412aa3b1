import { z } from "zod";
import { amount, currency, currencyInput, MAXIMUM_AMOUNT, wholeNumber } from "./fields.ts";

export const settingsSchema = z
  .object({
    currency,
    hold_days: z.int().meta({
      description: "How many days after its `referral_date` a commission may be paid.",
      example: 15,
    }),
    minimum_payout: amount.meta({ description: "Less, in `currency`, is carried forward." }),
    payout_day: z.int().nullable().meta({
      description: "The day of the month (UTC) on which a payout run begins by itself; null: never.",
    }),
  })
  .meta({ id: "Settings" });

export type Settings = z.infer<typeof settingsSchema>;

/** What is left out stays as it is. */
export const updateSettingsInput = z.strictObject({
  currency: currencyInput.optional(),
  hold_days: wholeNumber(0, 365).optional().meta({ description: "For commissions made from now on." }),
  minimum_payout: z
    .number()
    .min(0)
    .max(MAXIMUM_AMOUNT)
    .optional()
    .meta({ description: "For runs begun from now on; 0: anything is paid." }),
  payout_day: wholeNumber(1, 28).nullable().optional(),
});

export type UpdateSettings = z.infer<typeof updateSettingsInput>;
