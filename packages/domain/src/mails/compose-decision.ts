import { inLanguage } from "@findersfee/contract/campaigns/translations";
import type { AffiliateReviewRow } from "@findersfee/database/affiliates/review";
import type { AffiliateRow } from "@findersfee/database/rows";
import type { UsablePromoCodes } from "../affiliates/usable-codes.ts";
import { viewOwnAffiliate } from "../affiliates/view.ts";
import { affiliateApproved } from "./affiliate-approved.ts";
import { affiliateDeclined } from "./affiliate-declined.ts";
import { affiliateInvited } from "./affiliate-invited.ts";
import type { MailContent } from "./content.ts";
import type { MailLanguage } from "./language.ts";

type Agreement = Pick<AffiliateReviewRow, "agreed_at">;

interface Sender {
  organization_name: string;
  currency: string;
  /** The affiliate's. */
  language: MailLanguage;
}

/**
 * An affiliate as mails to its person may show it: with the campaign's texts in the mail's language, and to somebody who has not agreed, none of the words and addresses that the
 * organization wrote, with which it could send anybody anywhere.
 */
export function wordsFor(
  affiliate: AffiliateRow,
  { agreed_at }: Agreement,
  language: MailLanguage,
): AffiliateRow {
  const translated = inLanguage(affiliate.campaign, language);
  if (agreed_at !== null) return { ...affiliate, campaign: translated };
  const campaign = { ...translated, website_url: null, hide_emails: true };
  return { ...affiliate, first_name: "", campaign };
}

/** The mail to an approved affiliate; to one that has not agreed, an invitation. */
export function composeApprovedContent(
  { organization_name, currency, language }: Sender,
  affiliate: AffiliateRow,
  { agreed_at, promo_codes, is_pending }: Agreement & UsablePromoCodes,
): MailContent {
  if (agreed_at === null) return affiliateInvited(organization_name, language);
  const { links } = viewOwnAffiliate(affiliate, currency);
  return affiliateApproved(
    {
      organization_name,
      first_name: affiliate.first_name,
      campaign_name: affiliate.campaign.name,
      welcome_message: affiliate.campaign.welcome_message,
      links: links.map(({ url }) => url),
      promo_codes: promo_codes.map(({ code }) => code),
      is_code_pending: is_pending,
    },
    language,
  );
}

/** The mail to a declined affiliate. */
export function composeDeclinedContent(
  { organization_name, language }: Sender,
  { first_name, campaign }: AffiliateRow,
  reason: string | null,
): MailContent {
  return affiliateDeclined({ organization_name, first_name, campaign_name: campaign.name, reason }, language);
}
