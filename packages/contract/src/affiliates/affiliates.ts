import { z } from "zod";
import { affiliateCampaignSchema } from "../campaigns/campaigns.ts";
import {
  codeInput,
  currency,
  currencyInput,
  email,
  emailInput,
  id,
  idInput,
  payeeEmailInput,
  text,
  timestamp,
} from "../fields.ts";
import { pageOf, pageQuery } from "../pages.ts";
import { readOnly, volatile } from "../read-only.ts";
import { MAX_TAGS, tagInput, tagsInput } from "./tags.ts";

const describe = {
  campaign: "The campaign that the affiliate belongs to.",
  email: "The affiliate's email.",
  payout_email: "The address that payouts are sent to.",
  payout_currency:
    "The currency that the affiliate is paid in. Payout runs convert amounts that are due in other currencies. Null: a payout for each currency.",
  ref_code: "The code of the affiliate's link.",
  promo_code: "The affiliate's promo code, in campaigns that have promo codes.",
  approved: "Whether the affiliate is approved: only then do its clicks and codes earn referrals.",
  banned: "Whether the affiliate is banned: its clicks, codes and payments then earn nothing.",
  left_at:
    "When the affiliate left the program in the portal, which also sets `banned`; null: it did not, or is back.",
  details:
    "The affiliate's answer at signup, when asked about themselves. The affiliate sees it in the portal.",
  recruited_by:
    "The affiliate of the campaign who recruited this one and gets a percentage of its commissions. Never changes.",
  note: "Your team's note about the affiliate. The affiliate never sees it, and events do not contain it.",
  tags: `Your team's tags of the affiliate, in lower case, at most ${MAX_TAGS}. Rules can ask for them. The affiliate never sees them, and events do not contain them.`,
  new_paid_referral_notifications: "Whether the affiliate gets a mail for each new paid referral.",
};

const linkSchema = z
  .object({
    url: z.string().meta({ description: "The address to share.", example: "https://example.com/?via=jane" }),
    code: z.string().meta({ description: "The code in it.", example: "jane" }),
  })
  .meta({ id: "AffiliateLink" });

const promoCodeSchema = z
  .object({
    code: z.string().meta({ description: "The code that customers enter at the checkout.", example: "JANE" }),
    external_id: volatile(
      z.string().nullable().meta({
        description:
          "Promotion code ID at the payment processor; null until it exists there: do not hand the code out before.",
        example: "promo_1Pj",
      }),
    ),
  })
  .meta({ id: "AffiliatePromoCode" });

const customFieldAnswerSchema = z
  .object({
    id: z.string().meta({ description: "The campaign's custom field.", example: "audience" }),
    label: z
      .string()
      .meta({ description: "The question as shown at signup.", example: "Who is your audience?" }),
    value: z.string().meta({ description: "The answer; empty when it was skipped.", example: "Designers" }),
  })
  .meta({ id: "CustomFieldAnswer" });

/**
 * The fields of an affiliate that events contain: all except its campaign, which events carry in reduced form, the
 * team's note and tags, since receivers pass events on to affiliates, and `left_at`, since no event is about it.
 */
export const affiliateFields = {
  id: id.meta({ description: "Identifies the affiliate." }),
  email: email.meta({ description: describe.email }),
  first_name: z.string().meta({ description: "First name.", example: "Jane" }),
  last_name: z.string().meta({ description: "Last name.", example: "Doe" }),
  payout_email: email.nullable().meta({ description: describe.payout_email }),
  payout_currency: currency.nullable().meta({ description: describe.payout_currency, example: null }),
  links: z.array(linkSchema).meta({ description: "Links to share; with `code_mode` `link` or `both`." }),
  promo_codes: z
    .array(promoCodeSchema)
    .meta({ description: "Promo codes; with `code_mode` `coupon` or `both`." }),
  clicks: volatile(
    z.int().meta({
      description: "Clicks on the affiliate's links: each visitor counts once per link and hour (UTC).",
      example: 0,
    }),
  ),
  approved: z.boolean().meta({ description: describe.approved, example: true }),
  banned: z.boolean().meta({ description: describe.banned, example: false }),
  details: z.string().nullable().meta({ description: describe.details, example: null }),
  custom_fields: z.array(customFieldAnswerSchema).meta({
    description:
      "Answers to the campaign's signup form; empty for affiliates created in the dashboard or the API.",
    example: [],
  }),
  // Affiliates turn it off through the link in their mails.
  new_paid_referral_notifications: volatile(
    z.boolean().meta({ description: describe.new_paid_referral_notifications, example: true }),
  ),
  created_at: timestamp.meta({ description: "When the affiliate was created." }),
};

export const affiliateSchema = z
  .object({
    ...affiliateFields,
    left_at: volatile(timestamp.nullable().meta({ description: describe.left_at, example: null })),
    recruited_by: id
      .nullable()
      .meta({ description: `${describe.recruited_by} Null: nobody.`, example: null }),
    note: z.string().nullable().meta({ description: describe.note, example: null }),
    tags: z.array(z.string()).meta({ description: describe.tags, example: [] }),
    campaign: affiliateCampaignSchema.meta({ description: describe.campaign }),
  })
  .meta({ id: "Affiliate" });

export type Affiliate = z.infer<typeof affiliateSchema>;

const fields = {
  // Payouts go to this address unless payout_email is set.
  email: payeeEmailInput.meta({ description: describe.email, example: "jane@example.com" }),
  first_name: text(100).meta({ description: "First name.", example: "Jane" }),
  last_name: text(100).meta({ description: "Last name.", example: "Doe" }),
  payout_email: payeeEmailInput.nullable().meta({
    description: `${describe.payout_email} Must not begin with + or -.`,
    example: "jane@example.com",
  }),
  payout_currency: currencyInput.nullable().meta({ description: describe.payout_currency, example: "EUR" }),
  ref_code: codeInput.meta({ description: describe.ref_code, example: "jane" }),
  promo_code: codeInput.meta({ description: describe.promo_code, example: "JANE" }),
  approved: z.boolean().meta({ description: describe.approved, example: true }),
  details: text(10_000).nullable().meta({ description: describe.details, example: null }),
  note: text(10_000).nullable().meta({ description: describe.note, example: null }),
  tags: tagsInput.meta({ description: describe.tags, example: ["agency"] }),
};

const affiliateId = idInput.meta({ description: "The affiliate's id." });

export const createAffiliateInput = z
  .strictObject({
    ...z.strictObject(fields).partial().shape,
    email: fields.email,
    ref_code: fields.ref_code
      .optional()
      .meta({ description: `${describe.ref_code} Default: made from the name.`, example: "jane" }),
    promo_code: fields.promo_code
      .optional()
      .meta({ description: `${describe.promo_code} Default: made from the name.`, example: "JANE" }),
    approved: fields.approved.optional().meta({
      description: `${describe.approved} Default: true, unless the campaign has \`approval_needed\`.`,
      example: true,
    }),
    campaign_id: idInput
      .optional()
      .meta({ description: `${describe.campaign} Default: the organization's default campaign.` }),
    recruited_by: idInput
      .nullable()
      .optional()
      .meta({ description: `${describe.recruited_by} The campaign must have \`recruiting\`.` }),
    send_invitation: z.boolean().optional().meta({
      description:
        "Whether an approved affiliate gets an email with an invitation to the portal. The approval of one who is not approved sends it anyway. An address gets at most one a day. Default: false.",
      example: true,
    }),
  })
  .meta({
    example: {
      email: "jane@example.com",
      first_name: "Jane",
      last_name: "Doe",
      campaign_id: "0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90",
      ref_code: "jane",
      approved: true,
    },
  });

export type CreateAffiliate = z.infer<typeof createAffiliateInput>;

/** Omitted fields keep their values; `null` clears a field. */
export const updateAffiliateInput = z
  .strictObject({
    id: affiliateId,
    ...z.strictObject(fields).partial().shape,
    banned: z.boolean().optional().meta({ description: describe.banned, example: false }),
    new_paid_referral_notifications: z
      .boolean()
      .optional()
      .meta({ description: describe.new_paid_referral_notifications, example: true }),
    links: readOnly(affiliateFields.links),
    promo_codes: readOnly(affiliateFields.promo_codes),
    clicks: readOnly(affiliateFields.clicks),
    custom_fields: readOnly(affiliateFields.custom_fields),
    created_at: readOnly(affiliateFields.created_at),
    left_at: readOnly(affiliateSchema.shape.left_at),
    recruited_by: readOnly(affiliateSchema.shape.recruited_by),
    campaign: readOnly(affiliateSchema.shape.campaign),
  })
  .meta({
    example: {
      id: "0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90",
      approved: true,
      payout_email: "payouts@example.com",
    },
  });

export type UpdateAffiliate = z.infer<typeof updateAffiliateInput>;

export const getAffiliateInput = z.strictObject({ id: affiliateId });

export const listAffiliatesInput = z.strictObject({
  ...pageQuery,
  campaign_id: idInput.optional().meta({ description: "Only affiliates of this campaign." }),
  email: emailInput.optional().meta({ description: "Only affiliates with this email, in any case." }),
  ref_code: codeInput
    .optional()
    .meta({ description: "Only the affiliate who has or had this link code, in any case." }),
  promo_code: codeInput
    .optional()
    .meta({ description: "Only the affiliate with this promo code, in any case." }),
  recruited_by: idInput.optional().meta({ description: "Only affiliates that this one recruited." }),
  tag: tagInput.optional().meta({ description: "Only affiliates with this tag, in any case." }),
  tier_id: idInput.optional().meta({ description: "Only affiliates who have this tier of their campaign." }),
  approved: z.boolean().optional().meta({ description: "Only approved, or only unapproved affiliates." }),
  banned: z.boolean().optional().meta({ description: "Only banned, or only not banned affiliates." }),
});

export type ListAffiliates = z.infer<typeof listAffiliatesInput>;

export const affiliatePageSchema = pageOf(affiliateSchema);
