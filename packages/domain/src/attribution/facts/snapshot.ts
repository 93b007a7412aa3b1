import { candidateSources } from "@findersfee/contract/attribution/payment-decisions";
import type { CampaignRow } from "@findersfee/database/rows";
import { z } from "zod";
import type { PayingValues } from "../../campaigns/settings.ts";

/*
 * The settings of an affiliate and its campaign that count for a payment, at the time of the payment's first
 * processing. They are stored with the payment (`payment_facts.snapshot`), so that a later change of a setting changes
 * no decision.
 */

const minor = z.string().transform(BigInt);

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
});

/** An affiliate at the time of its first snapshot. */
export type AffiliateSnapshot = z.output<typeof affiliateSnapshotSchema>;

/** The terms of a campaign with its current settings. */
export function termsOf(campaign: CampaignRow): Terms {
  return {
    campaign_id: campaign.id,
    ...payingTermsOf(campaign),
    cookie_duration: campaign.cookie_duration,
    customers: campaign.customers,
    attribution: campaign.attribution,
    skip_prorations: campaign.skip_prorations,
  };
}

/** The same of those that the amount depends on. */
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
});

export type Snapshot = z.output<typeof snapshotSchema>;

export const EMPTY_SNAPSHOT: Snapshot = { candidates: [], affiliates: [], captured_at: null };

/** An affiliate from the snapshot of a fact, or else with its current settings. */
export function affiliateFor(
  { affiliates }: Snapshot,
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
