import { z } from "zod";
import { affiliateFields } from "../affiliates/affiliates.ts";
import { affiliateStates } from "../affiliates/rows.ts";
import { campaignSchema } from "../campaigns/campaigns.ts";
import { leadRates } from "../campaigns/lead-commissions.ts";
import { translationsOf } from "../campaigns/translation-schemas.ts";
import { currency, email, id } from "../fields.ts";
import { portalLanguages } from "./join-paths.ts";
import { portalLookSchema, publicLookSchema } from "./look.ts";
import { portalRuleSchema } from "./rules.ts";

const state = z
  .enum(affiliateStates)
  .meta({ description: "Only an active affiliate sees more of the program than this state." });

const programSchema = z.object({
  affiliate_id: id.meta({ description: "Send it in the header findersfee-affiliate." }),
  organization_id: id,
  organization_name: z.string().meta({ description: "The organization of the program.", example: "Acme" }),
  campaign_name: z.string().meta({ description: "The campaign.", example: "Partner program" }),
  campaign_translations: translationsOf({ name: true }),
  state,
});

/** The address that was proven, and the programs that it belongs to. */
export const portalMeSchema = z.object({
  email,
  language: z
    .enum(portalLanguages)
    .nullable()
    .meta({ description: "The language of the person's pages and mails; null: none was chosen." }),
  by_staff: z.boolean().meta({
    description: "A member of the organization views the affiliate's portal, and can change nothing there.",
  }),
  programs: z.array(programSchema).meta({ description: "Those that the person has agreed to." }),
  invitations: z
    .array(programSchema.omit({ state: true }))
    .meta({ description: "Programs of organizations that added the person, who has not answered." }),
  organizations: z.array(publicLookSchema).meta({ description: "The organizations of the programs." }),
});

export type PortalMe = z.infer<typeof portalMeSchema>;

const { name, commission_type, commission_amount, limit_type, limit_amount, first_payment_commission } =
  campaignSchema.shape;
const { links, promo_codes, first_name, last_name, payout_email } = affiliateFields;

/** An affiliate's program. Only an active affiliate has links and codes. */
export const portalProgramSchema = z.object({
  affiliate: z.object({ id, first_name, last_name, email, payout_email }),
  state,
  decline_reason: z.string().nullable(),
  organization: portalLookSchema.extend({ currency }),
  campaign: z.object({
    name,
    website_url: campaignSchema.shape.website_url.meta({ description: "For active affiliates." }),
    commission_type,
    commission_amount,
    limit_type,
    limit_amount,
    first_payment_commission,
    lead_commissions: leadRates.meta({ description: "Beside these terms: one for each referral." }),
    rules: z
      .array(portalRuleSchema)
      .meta({ description: "They precede these terms. For active affiliates." }),
    dashboard_text: z.string().nullable().meta({ description: "For active affiliates." }),
    has_recruiting: z.boolean().meta({ description: "Whether it pays for recruits: `recruits.get`." }),
    has_tiers: z.boolean().meta({ description: "Whether it has tiers or a leaderboard: `tiers.get`." }),
    translations: translationsOf({ name: true, dashboard_text: true }),
  }),
  own_rules: z.array(portalRuleSchema).meta({
    description:
      "Those of the affiliate's own that apply now; they precede those of the campaign. For active affiliates.",
  }),
  links,
  promo_codes: z
    .array(promo_codes.element.pick({ code: true }))
    .meta({ description: "Those that customers can use." }),
  is_promo_code_pending: z
    .boolean()
    .meta({ description: "Whether the affiliate's promo code does not exist at the processor yet." }),
});

export type PortalProgram = z.infer<typeof portalProgramSchema>;
