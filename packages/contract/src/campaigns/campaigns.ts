import { z } from "zod";
import { campaignReviews } from "../commissions/reviews.ts";
import { id, idInput, MAX_AMOUNT, must, name, text, timestamp, webUrlInput, wholeNumber } from "../fields.ts";
import { pageOf, pageQuery } from "../pages.ts";
import { readOnly } from "../read-only.ts";
import { leadCommissionInput, leadCommissionSchema, MAX_LEAD_COMMISSIONS } from "./lead-commissions.ts";
import { linkDiscountInput, linkDiscountSchema } from "./link-discount.ts";
import { recruitingInput, recruitingSchema } from "./recruiting.ts";
import { commissionRuleInput, commissionRuleSchema, MAX_RULES } from "./rules.ts";
import { campaignSignalsInput, campaignSignalsSchema, describeSignals } from "./signals.ts";
import { describeTiers, leaderboards, tiersExample, tiersInput, tiersSchema } from "./tiers.ts";
import { describeTranslations, translationsInput, translationsSchema } from "./translation-schemas.ts";

export const commissionTypes = ["percentage", "fixed"] as const;
const codeModes = ["link", "coupon", "both"] as const;
const limitTypes = ["none", "months", "payments"] as const;
const customCommissionTypes = ["none", "product"] as const;
const customerScopes = ["new", "any"] as const;
const MAX_REVIEW_DAYS = 365;
const attributionModels = ["last_click", "first_click"] as const;
const customFieldTypes = ["text", "textarea", "select", "multi_select"] as const;

export type CommissionType = (typeof commissionTypes)[number];
export type CodeMode = (typeof codeModes)[number];

/** The description of a rate's number; the field named `type` next to it says how to read the number. */
function rate(type: string): string {
  return `With \`${type}\` \`percentage\`: percent of the revenue, over 0 to 100, at most 4 decimals. With \`fixed\`: an amount in major units of the organization's currency.`;
}

const describe = {
  name: "The campaign's name.",
  website_url: "The page that affiliate links open. Required when `code_mode` is `link` or `both`.",
  commission_type: "Whether `commission_amount` is a percentage of the revenue or a fixed amount.",
  commission_amount: rate("commission_type"),
  type: "Whether `amount` is a percentage of the revenue or a fixed amount.",
  amount: rate("type"),
  is_default:
    "Whether affiliates join this campaign by default. An organization has at most one default campaign: setting it here unsets it elsewhere.",
  limit_type:
    "The limit on a referral's commissions: `none`, a number of `months` from the first commission, or a number of `payments`.",
  limit_amount: "The number of months or payments. Required unless `limit_type` is `none`.",
  code_mode: "How affiliates refer: `link` makes affiliate links, `coupon` promo codes, `both` makes both.",
  reference_coupon:
    "ID of the payment processor's coupon that promo codes apply. Required when `code_mode` is `coupon` or `both`.",
  custom_commission_type: "`product`: `custom_commissions` replace the rate for their products.",
  custom_commissions:
    "Rates for individual products; the rest of a payment uses the campaign's rate. A rate of 0 excludes a product.",
  welcome_message: "Sent to an affiliate on approval.",
  approval_needed: "Whether new affiliates wait for approval.",
  collect_details: "Whether the signup form asks for details.",
  details_text: "The text above the field for details on the signup form.",
  custom_fields: "Additional fields on the signup form.",
  hide_emails: "Whether affiliates see only part of their referrals' emails.",
  dashboard_text: "Shown on the affiliates' dashboard.",
  cookie_duration: "The number of days in which a click can earn a referral, 1 to 365.",
  first_payment_commission: "When enabled, replaces the rate for the first commission of each referral.",
  customers:
    "Which customers affiliates can refer: `new` excludes customers who already paid without an affiliate, `any` includes them.",
  attribution:
    "Which of a customer's clicks on the campaign's links earns the referral: `last_click` or `first_click`, within `cookie_duration`.",
  commission_cap: "Whether a fixed commission is limited to the amount of its payment.",
  rules:
    "Rules that precede all rates, in their order. The first rule that matches a line of a payment decides the line. The campaign's rates decide the other lines.",
  review:
    "Which new commissions wait for a review before a payout: `none`, `all`, `first`: those of an affiliate until one of them has passed, or `flagged`: those with a signal of fraud. A change applies to commissions that affiliates get later, new or moved.",
  review_above_amount:
    "Commissions above this amount wait for a review, too, in major units of the organization's currency; commissions in other currencies, which cannot be compared, do as well. Null: amounts do not matter.",
  review_approve_after_days:
    "The number of days after which a commission in review is approved automatically, 1 to 365. Null: only a person approves.",
  skip_prorations:
    "Whether proration payments earn no commission: Stripe invoices with the billing reason `subscription_update`.",
  link_discount:
    "The discount of visitors who come by an affiliate's link: the affiliate's promo code applies without being typed. Has an effect only with `code_mode` `both`.",
  recruiting:
    "The share that affiliates get of the commissions of affiliates that they recruit by their link. Null: no share. A recruit keeps the terms of the day on which it was created.",
  lead_commissions:
    "Fixed commissions for events other than payments: sign-ups, trials, and conversions that your backend reports. Each kind earns once per referral; a change does not affect earlier leads.",
};

const customFieldSchema = z
  .object({
    id: z.string().meta({ description: "Identifies the field within the campaign.", example: "audience" }),
    label: z
      .string()
      .meta({ description: "The question as shown at signup.", example: "Who is your audience?" }),
    type: z.enum(customFieldTypes).meta({ description: "The kind of input.", example: "text" }),
    options: z
      .array(z.string())
      .meta({ description: "The choices of `select` and `multi_select`.", example: [] }),
    required: z.boolean().meta({ description: "Whether an answer is required.", example: false }),
  })
  .meta({ id: "CampaignCustomField" });

const customCommissionSchema = z
  .object({
    product_id: z
      .string()
      .meta({ description: "ID of the product at the payment processor.", example: "prod_Pro" }),
    type: z.enum(commissionTypes).meta({ description: describe.type, example: "percentage" }),
    amount: z.number().meta({ description: `${describe.amount} 0 excludes the product.`, example: 40 }),
  })
  .meta({ id: "CustomCommission" });

const firstPaymentCommissionSchema = z
  .object({
    enabled: z.boolean().meta({ description: "Whether the rate applies.", example: false }),
    type: z.enum(commissionTypes).meta({ description: describe.type, example: "percentage" }),
    amount: z.number().meta({ description: `${describe.amount} May be 0 while not enabled.`, example: 0 }),
  })
  .meta({ id: "FirstPaymentCommission" });

export const campaignSchema = z
  .object({
    id: id.meta({ description: "Identifies the campaign." }),
    name: z.string().meta({ description: describe.name, example: "Partner program" }),
    created_at: timestamp.meta({ description: "When the campaign was created." }),
    website_url: z
      .string()
      .nullable()
      .meta({ description: describe.website_url, example: "https://example.com" }),
    commission_type: z
      .enum(commissionTypes)
      .meta({ description: describe.commission_type, example: "percentage" }),
    commission_amount: z.number().meta({ description: describe.commission_amount, example: 30 }),
    is_default: z.boolean().meta({ description: describe.is_default, example: true }),
    limit_type: z.enum(limitTypes).meta({ description: describe.limit_type, example: "months" }),
    limit_amount: z.int().nullable().meta({ description: describe.limit_amount, example: 12 }),
    code_mode: z.enum(codeModes).meta({ description: describe.code_mode, example: "link" }),
    reference_coupon: z.string().nullable().meta({ description: describe.reference_coupon, example: null }),
    custom_commission_type: z
      .enum(customCommissionTypes)
      .meta({ description: describe.custom_commission_type, example: "none" }),
    custom_commissions: z
      .array(customCommissionSchema)
      .meta({ description: describe.custom_commissions, example: [] }),
    welcome_message: z
      .string()
      .nullable()
      .meta({ description: describe.welcome_message, example: "Welcome!" }),
    approval_needed: z.boolean().meta({ description: describe.approval_needed, example: false }),
    collect_details: z.boolean().meta({ description: describe.collect_details, example: false }),
    details_text: z.string().nullable().meta({ description: describe.details_text, example: null }),
    custom_fields: z.array(customFieldSchema).meta({ description: describe.custom_fields, example: [] }),
    hide_emails: z.boolean().meta({ description: describe.hide_emails, example: false }),
    dashboard_text: z.string().nullable().meta({ description: describe.dashboard_text, example: null }),
    cookie_duration: z.int().meta({ description: describe.cookie_duration, example: 30 }),
    first_payment_commission: firstPaymentCommissionSchema.meta({
      description: describe.first_payment_commission,
    }),
    customers: z.enum(customerScopes).meta({ description: describe.customers, example: "new" }),
    attribution: z.enum(attributionModels).meta({ description: describe.attribution, example: "last_click" }),
    commission_cap: z.boolean().meta({ description: describe.commission_cap, example: true }),
    skip_prorations: z.boolean().meta({ description: describe.skip_prorations, example: false }),
    rules: z.array(commissionRuleSchema).meta({ description: describe.rules, example: [] }),
    tiers: tiersSchema.nullable().meta({ description: describeTiers.tiers, example: null }),
    leaderboard: z.enum(leaderboards).meta({ description: describeTiers.leaderboard, example: "none" }),
    recruiting: recruitingSchema.nullable().meta({ description: describe.recruiting, example: null }),
    signals: campaignSignalsSchema.meta({ description: describeSignals }),
    lead_commissions: z
      .array(leadCommissionSchema)
      .meta({ description: describe.lead_commissions, example: [] }),
    review: z.enum(campaignReviews).meta({ description: describe.review, example: "none" }),
    review_above_amount: z
      .number()
      .nullable()
      .meta({ description: describe.review_above_amount, example: null }),
    review_approve_after_days: z
      .int()
      .nullable()
      .meta({ description: describe.review_approve_after_days, example: null }),
    link_discount: linkDiscountSchema.meta({ description: describe.link_discount }),
    translations: translationsSchema.meta({ description: describeTranslations }),
  })
  .meta({ id: "Campaign" });

export type Campaign = z.infer<typeof campaignSchema>;

/** A campaign in its affiliates. */
export const affiliateCampaignSchema = campaignSchema
  .omit({ rules: true, tiers: true, leaderboard: true, recruiting: true, signals: true })
  .meta({ id: "AffiliateCampaign" });

export type AffiliateCampaign = z.infer<typeof affiliateCampaignSchema>;

const rateInput = z.number().gt(0).max(MAX_AMOUNT);

const customFieldInput = z
  .strictObject({
    id: name(64).meta({ description: "Identifies the field within the campaign.", example: "audience" }),
    label: name(500).meta({
      description: "The question as shown at signup.",
      example: "Who is your audience?",
    }),
    type: z.enum(customFieldTypes).meta({ description: "The kind of input.", example: "text" }),
    options: z
      .array(name(200))
      .max(100)
      .default([])
      .meta({ description: "The choices; required for `select` and `multi_select`.", example: [] }),
    required: z
      .boolean()
      .default(false)
      .meta({ description: "Whether an answer is required.", example: false }),
  })
  .meta({ id: "CampaignCustomFieldInput" });

const customCommissionInput = z
  .strictObject({
    product_id: name(255).meta({
      description: "ID of the product at the payment processor.",
      example: "prod_Pro",
    }),
    type: z.enum(commissionTypes).meta({ description: describe.type, example: "percentage" }),
    amount: z
      .number()
      .min(0, must("Must not be negative."))
      .max(MAX_AMOUNT)
      .meta({ description: `${describe.amount} 0 excludes the product.`, example: 40 }),
  })
  .meta({ id: "CustomCommissionInput" });

const firstPaymentCommissionInput = z
  .strictObject({
    enabled: z.boolean().meta({ description: "Whether the rate applies.", example: true }),
    type: z.enum(commissionTypes).meta({ description: describe.type, example: "percentage" }),
    amount: z
      .number()
      .min(0, must("Must not be negative."))
      .max(MAX_AMOUNT)
      .meta({ description: `${describe.amount} May be 0 while not enabled.`, example: 50 }),
  })
  .meta({ id: "FirstPaymentCommissionInput" });

const fields = {
  name: name(200).meta({ description: describe.name, example: "Partner program" }),
  website_url: webUrlInput
    .nullable()
    .meta({ description: describe.website_url, example: "https://example.com" }),
  commission_type: z
    .enum(commissionTypes)
    .meta({ description: describe.commission_type, example: "percentage" }),
  commission_amount: rateInput.meta({ description: describe.commission_amount, example: 30 }),
  is_default: z.boolean().meta({ description: describe.is_default, example: true }),
  limit_type: z.enum(limitTypes).meta({ description: describe.limit_type, example: "months" }),
  limit_amount: wholeNumber(1, 10_000).nullable().meta({ description: describe.limit_amount, example: 12 }),
  code_mode: z.enum(codeModes).meta({ description: describe.code_mode, example: "link" }),
  reference_coupon: name(255)
    .nullable()
    .meta({ description: describe.reference_coupon, example: "coupon_20" }),
  custom_commission_type: z
    .enum(customCommissionTypes)
    .meta({ description: describe.custom_commission_type, example: "none" }),
  custom_commissions: z
    .array(customCommissionInput)
    .max(200)
    .meta({ description: describe.custom_commissions, example: [] }),
  welcome_message: text(10_000)
    .nullable()
    .meta({ description: describe.welcome_message, example: "Welcome!" }),
  approval_needed: z.boolean().meta({ description: describe.approval_needed, example: false }),
  collect_details: z.boolean().meta({ description: describe.collect_details, example: false }),
  details_text: text(10_000).nullable().meta({ description: describe.details_text, example: null }),
  custom_fields: z.array(customFieldInput).max(50).meta({ description: describe.custom_fields, example: [] }),
  hide_emails: z.boolean().meta({ description: describe.hide_emails, example: false }),
  dashboard_text: text(10_000).nullable().meta({ description: describe.dashboard_text, example: null }),
  cookie_duration: wholeNumber(1, 365).meta({ description: describe.cookie_duration, example: 30 }),
  first_payment_commission: firstPaymentCommissionInput.meta({
    description: describe.first_payment_commission,
  }),
  customers: z.enum(customerScopes).meta({ description: describe.customers, example: "new" }),
  attribution: z.enum(attributionModels).meta({ description: describe.attribution, example: "last_click" }),
  commission_cap: z.boolean().meta({ description: describe.commission_cap, example: true }),
  skip_prorations: z.boolean().meta({ description: describe.skip_prorations, example: false }),
  rules: z.array(commissionRuleInput).max(MAX_RULES).meta({ description: describe.rules, example: [] }),
  tiers: tiersInput.nullable().meta({ description: describeTiers.tiers, example: tiersExample }),
  leaderboard: z.enum(leaderboards).meta({ description: describeTiers.leaderboard, example: "initials" }),
  recruiting: recruitingInput
    .nullable()
    .meta({ description: describe.recruiting, example: { percent: 10, months: 12 } }),
  lead_commissions: z
    .array(leadCommissionInput)
    .max(MAX_LEAD_COMMISSIONS)
    .meta({ description: describe.lead_commissions, example: [] }),
  review: z.enum(campaignReviews).meta({ description: describe.review, example: "first" }),
  review_above_amount: rateInput.nullable().meta({ description: describe.review_above_amount, example: 500 }),
  review_approve_after_days: wholeNumber(1, MAX_REVIEW_DAYS)
    .nullable()
    .meta({ description: describe.review_approve_after_days, example: 14 }),
  link_discount: linkDiscountInput.meta({ description: describe.link_discount }),
  signals: campaignSignalsInput.meta({ description: describeSignals }),
  translations: translationsInput.meta({ description: describeTranslations }),
};

const campaignId = idInput.meta({ description: "The campaign's id." });

const { name: nameInput, commission_type, commission_amount, code_mode, ...optionalFields } = fields;

export const createCampaignInput = z
  .strictObject({
    name: nameInput,
    commission_type,
    commission_amount,
    code_mode: code_mode.default("link"),
    ...z.strictObject(optionalFields).partial().shape,
  })
  .meta({
    example: {
      name: "Partner program",
      commission_type: "percentage",
      commission_amount: 30,
      code_mode: "link",
      website_url: "https://example.com",
      limit_type: "months",
      limit_amount: 12,
      is_default: true,
    },
  });

export type CreateCampaign = z.infer<typeof createCampaignInput>;

/** Omitted fields keep their values; `null` clears a field. */
export const updateCampaignInput = z
  .strictObject({
    id: campaignId,
    ...z.strictObject(fields).partial().shape,
    created_at: readOnly(campaignSchema.shape.created_at),
  })
  .meta({
    example: {
      id: "0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90",
      commission_amount: 25,
      welcome_message: "Welcome!",
    },
  });

export type UpdateCampaign = z.infer<typeof updateCampaignInput>;

export const getCampaignInput = z.strictObject({ id: campaignId });

export const listCampaignsInput = z.strictObject(pageQuery);

export const campaignPageSchema = pageOf(campaignSchema);
