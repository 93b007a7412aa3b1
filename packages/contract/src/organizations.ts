import { z } from "zod";
import { amount, currency, currencyInput, MAX_AMOUNT, text, wholeNumber } from "./fields.ts";
import { parseUrl } from "./parse-url.ts";

export const publicSignups = ["on", "signed", "off"] as const;

/** Amounts in major units by ISO 4217 code. */
export const minimumPayoutsSchema = z.record(z.string(), amount).meta({ example: { USD: 50, EUR: 45 } });

export type MinimumPayouts = z.infer<typeof minimumPayoutsSchema>;

export const settingsSchema = z
  .object({
    currency,
    hold_days: z.int().meta({
      description: "The holding period: days from a commission's `referral_date` until it can be paid.",
      example: 15,
    }),
    minimum_payouts: minimumPayoutsSchema.meta({
      description: "The minimum payout by currency; smaller amounts are carried forward to the next run.",
    }),
    payout_day: z.int().nullable().meta({
      description:
        "The day of the month, in the organization's time zone, on which a payout run starts automatically; null for never.",
    }),
    public_signups: z.enum(publicSignups).meta({
      description:
        "Which sign-ups reported with the publishable key count: `on` for all, `signed` for those that the backend signed, `off` for none.",
      example: "on",
    }),
    website_domains: z.array(z.string()).meta({
      description:
        "Further domains with pages that may track, including their subdomains. The domains of the campaigns' `website_url` always may.",
      example: ["acme.io"],
    }),
    converts_fixed_amounts: z.boolean().meta({
      description:
        "Whether a fixed commission is converted to the currency of a payment in another currency, at the reference exchange rate of the payment's day.",
      example: false,
    }),
    converts_minimum_payouts: z.boolean().meta({
      description:
        "Whether the minimum payout in `currency` counts in currencies without one of their own, at the reference exchange rate of the payout run's day.",
      example: false,
    }),
    affiliates_choose_payout_currency: z.boolean().meta({
      description: "Whether affiliates choose in the portal to be paid in one currency.",
      example: false,
    }),
  })
  .meta({ id: "Settings" });

export type OrganizationSettings = z.infer<typeof settingsSchema>;

/** A host name, in the spelling of browsers' origins: lowercase, and in ASCII. */
const websiteDomain = text(253)
  .overwrite((value) => {
    const name = value.trim().toLowerCase();
    return /[\s/:@?#\\%[\]]/.test(name) ? value : (parseUrl(`https://${name}`)?.hostname ?? value);
  })
  .refine((value) => parseUrl(`https://${value}`)?.hostname === value, "Enter a domain, as in acme.io.");

/** Omitted fields keep their values. */
export const updateSettingsInput = z.strictObject({
  currency: currencyInput.optional(),
  hold_days: wholeNumber(0, 365)
    .optional()
    .meta({ description: "Applies to commissions created from now on." }),
  minimum_payouts: z
    .record(currencyInput, z.number().min(0).max(MAX_AMOUNT))
    .optional()
    .meta({
      description:
        "Replaces all minimums, for runs that start from now on. An omitted currency, or one with 0, has no minimum.",
      example: { USD: 50, EUR: 45 },
    }),
  payout_day: wholeNumber(1, 28).nullable().optional(),
  public_signups: z.enum(publicSignups).optional(),
  website_domains: z
    .array(websiteDomain)
    .max(20)
    .optional()
    .meta({ description: "Replaces all domains.", example: ["acme.io"] }),
  converts_fixed_amounts: z
    .boolean()
    .optional()
    .meta({ description: "Applies to payments that are first processed from now on.", example: true }),
  converts_minimum_payouts: z
    .boolean()
    .optional()
    .meta({ description: "Applies to payout runs that start from now on.", example: true }),
  affiliates_choose_payout_currency: z
    .boolean()
    .optional()
    .meta({ description: "If it is turned off, affiliates keep their choice.", example: true }),
});

/** Shown only once, when it is created. */
export const signupSecretSchema = z.object({
  signing_secret: z.string().meta({
    description: "The secret with which the backend signs sign-ups: `ff_ss_` and 43 letters and digits.",
  }),
});

export type SignupSecret = z.infer<typeof signupSecretSchema>;

export type UpdateOrganizationSettings = z.infer<typeof updateSettingsInput>;
