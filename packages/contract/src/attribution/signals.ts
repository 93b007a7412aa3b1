import { z } from "zod";

/** The signals of fraud, each by facts of a payment, its customer, its click or its affiliate. */
export const signalNames = [
  "shared_domain",
  "disposable_email",
  "shared_payout_email",
  "paid_search",
  "listed_referrer",
  "shared_network",
  "shared_card",
  "many_clicks",
  "many_signups",
  "many_refunds",
] as const;

export type SignalName = (typeof signalNames)[number];

/** A campaign's actions for a payment with a signal. */
export const signalActions = ["flag", "hold", "refuse"] as const;

export type SignalAction = (typeof signalActions)[number];

/** Why a commission waits for a review: `signal:` and the signal's name. */
export const signalReason = (signal: SignalName) => `signal:${signal}` as const;

/** The facts of a signal, by their names. */
export type SignalFacts = Readonly<Record<string, string>>;

/** The evidence of each signal in words. */
const evidence: Record<SignalName, (facts: SignalFacts) => string> = {
  shared_domain: ({ domain }) => `Customer and affiliate both use ${domain}.`,
  disposable_email: ({ domain }) => `The customer's email is of ${domain}, which gives disposable addresses.`,
  shared_payout_email: ({ affiliates }) =>
    affiliates === "1"
      ? "Another affiliate is paid at the same email."
      : `${affiliates} other affiliates are paid at the same email.`,
  paid_search: ({ parameter }) => `The click came from an ad: its address has ${parameter}.`,
  listed_referrer: ({ host, listed }) =>
    host === listed
      ? `The click came from ${host}, which the campaign lists.`
      : `The click came from ${host}, and the campaign lists ${listed}.`,
  shared_network: ({ day }) => `The click came from a network that the affiliate used on ${day}, too.`,
  shared_card: ({ day }) => `The customer paid with a card that the affiliate paid with first on ${day}.`,
  many_clicks: ({ clicks, networks }) =>
    `The affiliate's links had ${clicks} clicks from ${networks === "1" ? "one network" : `${networks} networks`} within a minute around the customer's.`,
  many_signups: ({ signups }) =>
    `${signups} customers of the affiliate signed up within ten minutes around the customer.`,
  many_refunds: ({ refunded, payments, others_refunded, others }) =>
    `${refunded} of the affiliate's last ${payments} payments were refunded or disputed, and ${others_refunded} of ${others} others.`,
};

/** The evidence of a signal in words. */
export function explainSignal(signal: SignalName, facts: SignalFacts): string {
  return evidence[signal](facts);
}

export const foundSignalSchema = z
  .object({
    signal: z.enum(signalNames).meta({
      description: `The evidence: ${signalNames.map((signal) => `\`${signal}\``).join(", ")}. More may be added.`,
      example: "shared_domain",
    }),
    action: z.enum(signalActions).meta({
      description:
        "The campaign's action at that time: `flag` (only this), `hold` (the commission waits for a review) or `refuse` (no commission).",
      example: "hold",
    }),
    evidence: z.string().meta({
      description: "The evidence, for people of the organization. Affiliates do not see it.",
      example: "Customer and affiliate both use acme.com.",
    }),
    facts: z.record(z.string(), z.string()).meta({
      description: "The evidence by name, as it was known when the payment was first decided.",
      example: { domain: "acme.com" },
    }),
  })
  .meta({ id: "FraudSignal" });

export type FoundSignal = z.infer<typeof foundSignalSchema>;
