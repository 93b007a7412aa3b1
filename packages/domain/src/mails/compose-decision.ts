import type { AffiliateRow } from "@findersfee/database/rows";
import { viewOwnAffiliate } from "../affiliates/view.ts";
import { affiliateApproved } from "./affiliate-approved.ts";
import { affiliateDeclined } from "./affiliate-declined.ts";
import type { MailContent } from "./content.ts";
import type { MailLanguage } from "./language.ts";

interface Sender {
  organization_name: string;
  currency: string;
  /** The affiliate's. */
  language: MailLanguage;
}

/** The mail to an approved affiliate. */
export function composeApprovedContent(
  { organization_name, currency, language }: Sender,
  affiliate: AffiliateRow,
): MailContent {
  const { links, promo_codes } = viewOwnAffiliate(affiliate, currency);
  return affiliateApproved(
    {
      organization_name,
      first_name: affiliate.first_name,
      campaign_name: affiliate.campaign.name,
      welcome_message: affiliate.campaign.welcome_message,
      links: links.map(({ url }) => url),
      promo_codes: promo_codes.map(({ code }) => code),
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
