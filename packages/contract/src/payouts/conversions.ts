import { z } from "zod";
import { usedExchangeRateSchema } from "../exchange-rates.ts";
import { currency } from "../fields.ts";

const rates = z
  .array(usedExchangeRateSchema)
  .meta({ description: "The reference rates. The euro has none." });

/** The part of a payout from another currency. */
const payoutConversionSchema = z
  .object({
    amount: z.number().meta({
      description:
        "The amount that was due, in major units of `currency`. Negative if reversals exceed earnings.",
      example: 100,
    }),
    currency: currency.meta({ description: "The currency of the commissions and adjustments." }),
    converted_amount: z.number().meta({
      description: "The same in the payout's currency, rounded half away from zero.",
      example: 92.49,
    }),
    rate: z.string().meta({
      description: "Units of the payout's currency for one of `currency`, rounded to 10 decimals.",
      example: "0.9248982612",
    }),
    exchange_rates: rates.meta({ description: "The rates that the amount was calculated with." }),
  })
  .meta({ id: "PayoutConversion" });

export type PayoutConversion = z.infer<typeof payoutConversionSchema>;

/** In payouts of the API. */
export const allConversions = z.array(payoutConversionSchema).meta({
  description:
    "The parts of `amount` that were converted from other currencies. The rest was earned in the payout's currency.",
});

/** In payouts of the dashboard and the portal: absent if there are none. */
export const payoutConversions = allConversions.optional();

/** In payout runs and their previews. */
export const runRates = {
  exchange_rates: rates.optional().meta({
    description:
      "The reference rates of the run's day, which it converts with. Absent if it converts nothing.",
  }),
  missing_rates: z
    .array(currency)
    .optional()
    .meta({
      description:
        "Currencies without a reference rate of the run's day: amounts that need one stay due. Absent if there are none.",
      example: ["VND"],
    }),
};
