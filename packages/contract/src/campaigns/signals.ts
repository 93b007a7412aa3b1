import { z } from "zod";
import { type SignalName, signalActions, signalNames } from "../attribution/signals.ts";
import { name } from "../fields.ts";

/** Hosts that a campaign lists. */
const MAX_REFERRERS = 200;

/** A campaign's settings for payments with a signal of fraud. */
const signalSettings = ["off", ...signalActions] as const;

export type SignalSetting = (typeof signalSettings)[number];

export const describeSignals =
  "The action for payments with signs of fraud, for each sign: `off`, `flag` (the decision shows it, and a commission waits with `review` `flagged`), `hold` (the commission waits for a review) or `refuse` (no commission). A change applies to payments that are processed later.";

const describe: Record<SignalName | "referrers", string> = {
  shared_domain:
    "Customer and affiliate have emails of one domain, other than those of public mail providers.",
  disposable_email: "The customer's email is of a provider of disposable addresses.",
  shared_payout_email: "Another affiliate is paid at the same email.",
  paid_search:
    "The landing page's address says that the click came from an ad: it has `gclid`, `wbraid`, `gbraid` or `msclkid`, or `utm_medium` is `cpc`, `ppc` or `paidsearch`.",
  listed_referrer: "The click came from one of `referrers`.",
  shared_network:
    "The click came from a network from which the affiliate used the portal on the same day (UTC).",
  shared_card:
    "The customer paid with a card with which the affiliate, as a customer of yours, has paid. Only Stripe reports cards, and only those of payments that are processed while a campaign has the signal are known.",
  many_clicks:
    "Within the minute around the click, the affiliate's links had at least 20 clicks from a quarter as many networks or fewer, or at least 300 clicks.",
  many_signups:
    "Within the ten minutes around the customer's sign-up, at least 20 customers of the affiliate signed up.",
  many_refunds:
    "At least 5 and at least a tenth of the affiliate's last 100 payments were refunded or disputed. That is at least 3 times the share of all others' among the organization's last 1,000.",
  referrers: "Hosts of `listed_referrer`, each with its subdomains, such as coupon sites.",
};

/** A field of each signal. */
function ofSignals<Schema extends z.ZodType>(
  make: (signal: SignalName) => Schema,
): Record<SignalName, Schema> {
  return Object.fromEntries(signalNames.map((signal) => [signal, make(signal)])) as Record<
    SignalName,
    Schema
  >;
}

export const campaignSignalsSchema = z
  .object({
    ...ofSignals((signal) => z.enum(signalSettings).meta({ description: describe[signal], example: "hold" })),
    referrers: z
      .array(z.string())
      .meta({ description: describe.referrers, example: ["coupons.example.com"] }),
  })
  .meta({ id: "CampaignSignals" });

export type CampaignSignals = z.infer<typeof campaignSignalsSchema>;

/** Those of a campaign without any. */
export const NO_SIGNALS = {
  shared_domain: "off",
  disposable_email: "off",
  shared_payout_email: "off",
  paid_search: "off",
  listed_referrer: "off",
  shared_network: "off",
  shared_card: "off",
  many_clicks: "off",
  many_signups: "off",
  many_refunds: "off",
  referrers: [],
} as const satisfies Record<SignalName, SignalSetting> & { referrers: [] };

const HOST = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/;

const hostInput = name(253)
  .overwrite((host) => host.toLowerCase())
  .refine((host) => HOST.test(host), "Must be a host, such as coupons.example.com.");

export const campaignSignalsInput = z
  .strictObject({
    ...ofSignals((signal) =>
      z.enum(signalSettings).default("off").meta({ description: describe[signal], example: "hold" }),
    ),
    referrers: z
      .array(hostInput)
      .max(MAX_REFERRERS)
      .default([])
      .meta({ description: describe.referrers, example: ["coupons.example.com"] }),
  })
  .meta({ id: "CampaignSignalsInput" });
