import { processorNames } from "@findersfee/contract/processors/processors";
import { z } from "zod";
import type { PaymentFact } from "./payment-fact.ts";
import type { Snapshot } from "./snapshot.ts";

/** The source of a fact: a payment processor, or the organization's pages. */
export const factSources = [...processorNames, "tracking"] as const;

export type FactSource = (typeof factSources)[number];

/** A stored payment fact: the latest state of its subject. */
export interface StoredFact<Fact extends PaymentFact = PaymentFact> {
  processor: FactSource;
  /** The message that reported it. */
  message_id: string;
  fact: Fact;
  /** The settings of its first processing. */
  snapshot: Snapshot;
  /** The stored form of the lookup that it waits for; null: none. */
  lookup?: string | null;
}

const time = z.string().transform((text) => new Date(text));
const minor = z.string().transform(BigInt);

const state = {
  subject: z.string(),
  at: time,
  rank: z.number(),
  references: z.array(z.string()),
  belongs_to: z.array(z.string()),
};

const customer = {
  customer_id: z.string().nullable(),
  email: z.string().nullable(),
  promo_codes: z.array(z.object({ external_id: z.string().nullable(), code: z.string().nullable() })),
  click_ids: z.array(z.string()),
  hidden_discounts: z.object({ object_id: z.string(), reported_by: z.array(z.string()) }).optional(),
};

const money = z.object({ currency: z.string(), amount_minor: minor });

const taken_back = {
  ...state,
  amount_minor: minor,
  currency: z.string().optional(),
  since: time,
  until: time.nullable(),
};

const factSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("checkout"), ...state, ...customer, opened_at: time }),
  z.object({
    kind: z.literal("customer"),
    ...state,
    ...customer,
    customer_id: z.string(),
    created_at: time,
    emails: z.array(z.object({ email: z.string(), since: time })).default([]),
    referral_sources: z
      .array(
        z.object({
          external_id: z.string().nullable(),
          code: z.string().nullable(),
          click_id: z.string().nullable(),
          since: time,
        }),
      )
      .default([]),
  }),
  z.object({ kind: z.literal("signup"), ...state, ...customer, email: z.string() }),
  z.object({
    kind: z.literal("subscription"),
    ...state,
    since: time.exactOptional(),
    customer_id: z.string().nullable(),
    status: z.enum(["active", "trialing", "past_due", "canceled"]).nullable(),
  }),
  z.object({
    kind: z.literal("payment"),
    ...state,
    ...customer,
    paid_at: time,
    names_no_charge: z.literal(true).exactOptional(),
    is_proration: z.literal(true).exactOptional(),
    subscribed_since: time.exactOptional(),
    currency: z.string(),
    revenue_minor: minor,
    paid_minor: minor,
    presented: money.optional(),
    lines: z.array(z.object({ product_id: z.string().nullable(), amount_minor: minor })),
    lines_at: z.string().optional(),
  }),
  z.object({
    kind: z.literal("charge"),
    ...state,
    ...customer,
    payment_id: z.string(),
    is_intent: z.boolean(),
    paid_at: time,
    currency: z.string(),
    paid_minor: minor,
  }),
  z.object({ kind: z.literal("refund"), ...taken_back }),
  z.object({ kind: z.literal("dispute"), ...taken_back, withdrawn: money.optional() }),
  z.object({
    kind: z.literal("refunded_total"),
    ...state,
    amount_minor: minor,
    currency: z.string().optional(),
  }),
  z.object({ kind: z.literal("amounts"), ...state, amounts: z.array(money), settled: money.nullable() }),
  z.object({
    kind: z.literal("products"),
    ...state,
    weights: z.array(z.object({ product_id: z.string().nullable(), weight: minor })),
  }),
  z.object({ kind: z.literal("link"), ...state, has_report: z.literal(true).exactOptional() }),
]);

export function readStoredFact(data: unknown): PaymentFact {
  return factSchema.parse(data);
}

/** JSON with amounts as text. */
export function writeStoredFact(fact: PaymentFact): string {
  return JSON.stringify(fact, (_key, value) => (typeof value === "bigint" ? value.toString() : value));
}
