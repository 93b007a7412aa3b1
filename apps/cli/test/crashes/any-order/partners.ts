import type { createCampaign } from "@findersfee/domain/campaigns/create";

/* The affiliates of the test's organizations, each in a separate campaign with a different rule. */

type CampaignSaid = Parameters<typeof createCampaign>[1];

const percentage = { commission_type: "percentage", commission_amount: 30 } as const;

/** The differences from a campaign that pays 30 % of everything. */
const rules: readonly Partial<CampaignSaid>[] = [
  {
    first_payment_commission: { enabled: true, type: "percentage", amount: 50 },
    limit_type: "payments",
    limit_amount: 2,
  },
  { limit_type: "months", limit_amount: 2, commission_amount: 33.3333 },
  { commission_type: "fixed", commission_amount: 7 },
  {
    custom_commission_type: "product",
    custom_commissions: [
      { product_id: "prod_a", type: "percentage", amount: 12.5 },
      { product_id: "prod_b", type: "fixed", amount: 2 },
    ],
  },
  { cookie_duration: 5, first_payment_commission: { enabled: true, type: "fixed", amount: 10 } },
  { commission_amount: 25.5555 },
  {},
  {},
];

export const PARTNERS = rules.length;

/** Sometimes buys through their own link. */
export const BUYER = 5;
export const BANNED = 6;
export const UNAPPROVED = 7;

export function campaignOf(partner: number): CampaignSaid {
  return {
    name: `Campaign ${partner}`,
    website_url: "https://shop.test",
    code_mode: "both",
    reference_coupon: "PARTNERS",
    is_default: false,
    ...percentage,
    ...rules[partner],
  };
}

export function affiliateOf(partner: number) {
  return { email: emailOf(partner), ref_code: `link${partner}`, promo_code: `CODE${partner}` };
}

export function emailOf(partner: number): string {
  return `part.ner${partner}@gmail.com`;
}

/** The id of the affiliate's promotion code at Stripe. */
export function promotionCodeOf(partner: number): string {
  return `promo_${partner}`;
}
