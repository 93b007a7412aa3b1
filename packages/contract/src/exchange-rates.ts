import { z } from "zod";
import { currency, currencyInput, must, text, timestamp } from "./fields.ts";

/** Older rates are reported: each working day has new ones, and holidays end within this time. */
export const STALE_DAYS = 4;

/** Older rates convert nothing. */
export const USED_DAYS = 7;

export const exchangeRateSources = ["ecb", "file", "manual"] as const;

const day = z.iso.date().meta({ example: "2026-11-26" });

const exchangeRateSchema = z
  .object({
    currency,
    rate: z
      .string()
      .meta({ description: "Units of the currency for 1 EUR, as a decimal number.", example: "1.0812" }),
    source: z.enum(exchangeRateSources).meta({
      description:
        "`ecb`: the service, from the European Central Bank; `file` and `manual`: a member of the organization.",
      example: "ecb",
    }),
    day: day.meta({ description: "The day that the rate was published for." }),
    age_days: z.int().meta({
      description: `Its age. From ${USED_DAYS + 1} days on, it converts no payment of today.`,
      example: 1,
    }),
  })
  .meta({ id: "ExchangeRate" });

export type ExchangeRateView = z.infer<typeof exchangeRateSchema>;

/** Whether an organization that converts amounts has the rates for it. */
export const conversionStateSchema = z
  .object({
    newest_day: day.nullable().meta({
      description:
        "The day of the newest rate of the organization's currency, or, for EUR, of any currency; null without one.",
    }),
    is_stale: z.boolean().meta({ description: `Whether it is older than ${STALE_DAYS} days, or missing.` }),
    waiting_payments: z
      .int()
      .meta({ description: "Payments that wait for a rate, at most 1,000.", example: 0 }),
    fetch_error: z.string().nullable().meta({
      description: "Why the service's last fetch of rates failed; null: it did not, or it fetches none.",
    }),
    fetched_at: timestamp.nullable().meta({
      description: "When the service last fetched rates; null: never, or it fetches none.",
    }),
  })
  .nullable()
  .meta({
    id: "ConversionState",
    description: "The exchange rates that the organization needs; null: it converts nothing.",
  });

export type ConversionState = z.infer<typeof conversionStateSchema>;

export const exchangeRatesSchema = z
  .object({
    rates: z.array(exchangeRateSchema).meta({ description: "The newest one of each currency, by code." }),
    conversion: conversionStateSchema,
  })
  .meta({ id: "ExchangeRates" });

export type ExchangeRatesView = z.infer<typeof exchangeRatesSchema>;

const RATE = "Must be a decimal number above 0 with at most 10 digits before and after the point.";

export const createExchangeRateInput = z.strictObject({
  currency: currencyInput.refine((code) => code !== "EUR", must("Rates are for 1 EUR, which needs none.")),
  day: z.iso.date(must("Must be a day, as in 2026-11-26.")).meta({ example: "2026-11-26" }),
  rate: z
    .string()
    .max(21)
    .regex(/^\d{1,10}(?:\.\d{1,10})?$/, must(RATE))
    .refine((rate) => /[1-9]/.test(rate), must(RATE))
    .meta({ description: "Units of the currency for 1 EUR, as a decimal number.", example: "3.9705" }),
});

export type CreateExchangeRate = z.output<typeof createExchangeRateInput>;

/** Characters; the file of 90 days has about 90,000. */
const MAX_UPLOAD = 200_000;

export const importExchangeRatesInput = z.strictObject({
  file: text(MAX_UPLOAD).meta({
    description:
      "The text of a file of the European Central Bank's reference rates, XML or CSV, of a day or 90 days.",
  }),
});

export const importedExchangeRatesSchema = z
  .object({
    rates: z.int().meta({ description: "Rates in the file." }),
    first_day: day,
    last_day: day,
    added: z.int().meta({ description: "Rates of days that had none." }),
    corrected: z.int().meta({ description: "Rates that differ from the stored ones." }),
  })
  .meta({ id: "ImportedExchangeRates" });

export type ImportedExchangeRates = z.infer<typeof importedExchangeRatesSchema>;
