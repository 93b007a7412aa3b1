import { overrideTypes } from "@findersfee/contract/attribution/overrides";
import { candidateSources } from "@findersfee/contract/attribution/payment-decisions";
import { signalActions, signalNames } from "@findersfee/contract/attribution/signals";
import { billingIntervals } from "@findersfee/contract/campaigns/rules";
import { processorNames } from "@findersfee/contract/processors/processors";
import type { AffiliateRow, CampaignRow } from "@findersfee/database/rows";
import { z } from "zod";
import type { PayingValues } from "../../campaigns/settings.ts";
import type { PaymentFact } from "./payment-fact.ts";

/** The source of a fact: a payment processor, the organization's pages, or a person of the organization. */
export const factSources = [...processorNames, "tracking", "organization"] as const;

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
  country: z.string().optional(),
  hidden_discounts: z.object({ object_id: z.string(), reported_by: z.array(z.string()) }).optional(),
  metadata: z.record(z.string(), z.string()).optional(),
};

const interval = z.enum(billingIntervals).exactOptional();

const card = z.string().exactOptional();

const money = z.object({ currency: z.string(), amount_minor: minor });

const taken_back = {
  ...state,
  amount_minor: minor,
  currency: z.string().optional(),
  since: time,
  until: time.nullable(),
};

const factSchema = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("checkout"),
    ...state,
    ...customer,
    opened_at: time,
    is_discount: z.literal(true).exactOptional(),
  }),
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
    trial_since: time.exactOptional(),
    customer_id: z.string().nullable(),
    status: z.enum(["active", "trialing", "past_due", "canceled"]).nullable(),
  }),
  z.object({
    kind: z.literal("payment"),
    ...state,
    ...customer,
    paid_at: time,
    names_no_charge: z.literal(true).exactOptional(),
    charged_minor: minor.exactOptional(),
    is_proration: z.literal(true).exactOptional(),
    subscribed_since: time.exactOptional(),
    currency: z.string(),
    revenue_minor: minor,
    paid_minor: minor,
    presented: money.optional(),
    lines: z.array(z.object({ product_id: z.string().nullable(), amount_minor: minor, interval })),
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
    card,
  }),
  z.object({ kind: z.literal("refund"), ...taken_back }),
  z.object({ kind: z.literal("dispute"), ...taken_back, withdrawn: money.optional() }),
  z.object({
    kind: z.literal("refunded_total"),
    ...state,
    amount_minor: minor,
    currency: z.string().optional(),
  }),
  z.object({
    kind: z.literal("amounts"),
    ...state,
    amounts: z.array(money),
    settled: money.nullable(),
    card,
  }),
  z.object({
    kind: z.literal("products"),
    ...state,
    weights: z.array(z.object({ product_id: z.string().nullable(), weight: minor, interval })),
  }),
  z.object({ kind: z.literal("link"), ...state, has_report: z.literal(true).exactOptional(), card }),
  z.object({
    kind: z.literal("override"),
    ...state,
    type: z.enum(overrideTypes),
    customer_id: z.string().nullable(),
    email: z.string().nullable(),
    affiliate_id: z.string().nullable(),
    payments: z.array(z.object({ processor: z.string(), id: z.string() })),
    commissions: z.array(z.object({ id: z.string(), affiliate_id: z.string() })),
    since: time,
    until: time.nullable(),
    undone_at: time.nullable(),
    created_by: z.string(),
    reason: z.string(),
  }),
]);

export function readStoredFact(data: unknown): PaymentFact {
  return factSchema.parse(data);
}

/** JSON with amounts as text. */
export function writeStoredFact(fact: PaymentFact): string {
  return JSON.stringify(fact, (_key, value) => (typeof value === "bigint" ? value.toString() : value));
}

/*
 * The settings of an affiliate and its campaign that count for a payment, at the time of the payment's first
 * processing. They are stored with the payment (`payment_facts.snapshot`), so that a later change of a setting changes
 * no decision.
 */

const rateSchema = z.object({
  type: z.enum(["percentage", "fixed"]),
  /** Ten-thousandths of a percent, or minor units of the organization's currency. */
  value: minor,
});

export type Rate = z.output<typeof rateSchema>;

const termsSchema = z.object({
  campaign_id: z.string(),
  rate: rateSchema,
  /** Null: the first payment earns like the others. */
  first_payment: rateSchema.nullable(),
  products: z.array(rateSchema.extend({ product_id: z.string() })),
  /** Null: no end. */
  limit: z.object({ type: z.enum(["months", "payments"]), amount: z.number() }).nullable(),
  /** Days that a click counts. */
  cookie_duration: z.number(),
  // Terms captured before these settings existed keep the behavior of that time.
  customers: z.enum(["new", "any"]).default("any"),
  attribution: z.enum(["last_click", "first_click"]).default("last_click"),
  commission_cap: z.boolean().default(false),
  skip_prorations: z.boolean().default(false),
  /** The rules that precede these fields. Omitted: none. */
  rule_set_id: z.string().exactOptional(),
  /** The organization's setting for payments in other currencies than its own. */
  converts_fixed_amounts: z.boolean().default(false),
  /** Its actions for signals of fraud. Omitted: all are off. */
  signals: z.partialRecord(z.enum(signalNames), z.enum(signalActions)).exactOptional(),
});

/** How a campaign pays. */
export type Terms = z.output<typeof termsSchema>;

/** The terms that the amount of a commission depends on. */
export type PayingTerms = Pick<Terms, "rate" | "first_payment" | "products" | "limit" | "commission_cap">;

const affiliateSnapshotSchema = z.object({
  affiliate_id: z.string(),
  email: z.string(),
  approved: z.boolean(),
  banned: z.boolean(),
  terms: termsSchema,
  /** The affiliate's own rules from a time on, oldest first, which precede all others. Null: none from then. Omitted: never. */
  rule_sets: z.array(z.object({ starts_at: time, id: z.string().nullable() })).exactOptional(),
  /** The changes of its tier around the time of the payment, oldest first. Null: none from then. Omitted: it never had one. */
  tiers: z.array(z.object({ since: time, id: z.string().nullable() })).exactOptional(),
  /** Omitted: it had none. */
  tags: z.array(z.string()).exactOptional(),
});

/** An affiliate at the time of its first snapshot. */
export type AffiliateSnapshot = z.output<typeof affiliateSnapshotSchema>;

/** Changes of an affiliate's tier, oldest first. */
export type TierChanges = NonNullable<AffiliateSnapshot["tiers"]>;

/** An affiliate with its current settings and tiers, and the settings of its organization. */
export function affiliateSnapshot(
  affiliate: AffiliateRow,
  of_organization: Pick<Terms, "converts_fixed_amounts">,
  tiers: TierChanges = [],
): AffiliateSnapshot {
  const { id, email, approved, banned, campaign, rule_schedule, tags } = affiliate;
  const rule_sets = rule_schedule.map(({ starts_at, rule_set_id }) => ({
    starts_at: new Date(starts_at),
    id: rule_set_id,
  }));
  const terms = termsOf(campaign, of_organization);
  const snapshot = { affiliate_id: id, email, approved, banned, terms };
  return {
    ...snapshot,
    ...(rule_sets.length > 0 && { rule_sets }),
    ...(tiers.length > 0 && { tiers: [...tiers] }),
    ...(tags.length > 0 && { tags }),
  };
}

/** The terms of a campaign with its current settings and its organization's. */
function termsOf(
  campaign: CampaignRow,
  { converts_fixed_amounts }: Pick<Terms, "converts_fixed_amounts">,
): Terms {
  return {
    campaign_id: campaign.id,
    ...payingTermsOf(campaign),
    cookie_duration: campaign.cookie_duration,
    customers: campaign.customers,
    attribution: campaign.attribution,
    skip_prorations: campaign.skip_prorations,
    ...(campaign.rule_set_id !== null && { rule_set_id: campaign.rule_set_id }),
    converts_fixed_amounts,
    ...(hasSignals(campaign) && { signals: campaign.signals?.actions ?? {} }),
  };
}

function hasSignals({ signals }: CampaignRow): boolean {
  return signals !== null && Object.keys(signals.actions).length > 0;
}

/** The sets of rules that a snapshot names. */
export function ruleSetsOf({ terms, rule_sets = [] }: AffiliateSnapshot): string[] {
  return [terms.rule_set_id ?? [], ...rule_sets.map(({ id }) => id ?? [])].flat();
}

/** The sets of rules of a payment that was made at a time, in their order. */
export function ruleSetsAt({ terms, rule_sets = [] }: AffiliateSnapshot, paid_at: Date): string[] {
  const own = rule_sets.findLast(({ starts_at }) => starts_at <= paid_at);
  return [own?.id ?? [], terms.rule_set_id ?? []].flat();
}

/** The tier of a payment that was made at a time; null: none. */
export function tierAt({ tiers = [] }: AffiliateSnapshot, paid_at: Date): string | null {
  return tiers.findLast(({ since }) => since <= paid_at)?.id ?? null;
}

/** Reports of one payment differ in its time by less. */
const TIER_MILLISECONDS = 24 * 60 * 60 * 1000;

/**
 * An affiliate in the snapshot of a fact, with only the tiers around a payment: it may have had hundreds of
 * tiers.
 */
export function captured(
  { tiers = [], ...affiliate }: AffiliateSnapshot,
  fact: PaymentFact,
): AffiliateSnapshot {
  if (tiers.length === 0 || !("paid_at" in fact)) return affiliate;
  const from = new Date(fact.paid_at.getTime() - TIER_MILLISECONDS);
  const until = new Date(fact.paid_at.getTime() + TIER_MILLISECONDS);
  const first = Math.max(
    0,
    tiers.findLastIndex(({ since }) => since <= from),
  );
  const around = tiers.slice(first).filter(({ since }) => since <= until);
  return around.length === 0 ? affiliate : { ...affiliate, tiers: around };
}

/** The same for the terms that the amount depends on. */
export function payingTermsOf(campaign: PayingValues): PayingTerms {
  const { custom_commission_type, custom_commissions } = campaign;
  return {
    rate: { type: campaign.commission_type, value: campaign.commission_value },
    first_payment: campaign.first_payment_enabled
      ? { type: campaign.first_payment_type, value: campaign.first_payment_value }
      : null,
    products:
      custom_commission_type === "product"
        ? custom_commissions.map(({ product_id, type, value }) => ({
            product_id,
            type,
            value: BigInt(value),
          }))
        : [],
    limit: limitOf(campaign),
    commission_cap: campaign.commission_cap,
  };
}

/** How long a campaign's referrals earn; null: without an end. */
export function limitOf({
  limit_type,
  limit_amount,
}: Pick<CampaignRow, "limit_type" | "limit_amount">): Terms["limit"] {
  return limit_type === "none" || limit_amount === null ? null : { type: limit_type, amount: limit_amount };
}

/** The evidence that names the affiliate of a customer. */
const candidateSchema = z.object({
  source: z.enum(candidateSources),
  /** The code, its id at the processor, or the click's id. */
  reference: z.string(),
  affiliate_id: z.string(),
  /** For a click. */
  clicked_at: z
    .string()
    .transform((text) => new Date(text))
    .nullable(),
});

export type Candidate = z.output<typeof candidateSchema>;

/** The settings at the time of a fact's first processing, stored with the fact. */
const snapshotSchema = z.object({
  candidates: z.array(candidateSchema),
  affiliates: z.array(affiliateSnapshotSchema),
  /** When the affiliates of its codes were first looked up; null: it names none. */
  captured_at: z
    .string()
    .transform((text) => new Date(text))
    .nullable()
    .default(null),
  /** The rates that a fixed amount was converted with; omitted: none was converted. */
  exchange_rates: z
    .array(z.object({ currency: z.string(), rate: z.string(), source: z.string(), day: z.string() }))
    .exactOptional(),
  /** The observations of signals of fraud, by their subject. Omitted: none. */
  observed: z.record(z.string(), z.array(z.string()).readonly()).exactOptional(),
});

export type Snapshot = z.output<typeof snapshotSchema>;

export const EMPTY_SNAPSHOT: Snapshot = { candidates: [], affiliates: [], captured_at: null };

/** An affiliate from the snapshot of a fact, or else with its current settings. */
export function affiliateFor(
  { affiliates }: Pick<Snapshot, "affiliates">,
  id: string,
  affiliateOf: (id: string) => AffiliateSnapshot | undefined,
): AffiliateSnapshot | undefined {
  return affiliates.find(({ affiliate_id }) => affiliate_id === id) ?? affiliateOf(id);
}

export function readSnapshot(stored: unknown): Snapshot {
  return stored === null ? EMPTY_SNAPSHOT : snapshotSchema.parse(stored);
}

/** JSON in which amounts are text, so that no digits are lost. */
export function writeSnapshot(snapshot: Snapshot): string {
  return JSON.stringify(snapshot, (_key, value) => (typeof value === "bigint" ? value.toString() : value));
}
