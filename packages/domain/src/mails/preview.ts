import type { MailPreview, PreviewMail, PreviewWelcome } from "@findersfee/contract/affiliates/review";
import { inLanguage } from "@findersfee/contract/campaigns/translations";
import { findAffiliate } from "@findersfee/database/affiliates/affiliates";
import { findAffiliateReview } from "@findersfee/database/affiliates/review";
import { findCampaign } from "@findersfee/database/campaigns/campaigns";
import { findAffiliateLanguage } from "@findersfee/database/mails/language";
import { findPortalSettings } from "@findersfee/database/portal/looks";
import { usablePromoCodes } from "../affiliates/usable-codes.ts";
import { sharedUrl } from "../affiliates/view.ts";
import type { Context } from "../context.ts";
import { notFound } from "../errors.ts";
import { affiliateApproved } from "./affiliate-approved.ts";
import { composeApprovedContent, composeDeclinedContent, wordsFor } from "./compose-decision.ts";
import { plainSubject } from "./plain.ts";
import { withPortalLink } from "./portal-link.ts";
import { mailText } from "./text.ts";

/** The mail that a decision about an application sends, in the words that it has now, and the language of the affiliate. Errors: `not_found`. */
export async function previewMail(
  { database, organization }: Context,
  { id, kind, reason }: PreviewMail,
  public_url: string | null,
): Promise<MailPreview> {
  const [row, review, found, language] = await Promise.all([
    findAffiliate(database, organization.id, id),
    findAffiliateReview(database, organization.id, id),
    findPortalSettings(database, organization.id),
    findAffiliateLanguage(database, organization.id, id),
  ]);
  if (row === null || review === null || found === null || language === null) throw notFound("affiliate");
  const affiliate = wordsFor(row, review, language);
  const codes = await usablePromoCodes(database, organization.id, affiliate);
  const shown_reason = review.agreed_at === null || !reason?.trim() ? null : reason.trim();
  const named = { organization_name: found.name, currency: organization.currency, language };
  const content =
    kind === "approved"
      ? composeApprovedContent(named, affiliate, { ...review, ...codes })
      : composeDeclinedContent(named, affiliate, shown_reason);
  const { portal_host } = found;
  const linked = withPortalLink(content, { public_url, portal_host, affiliate_id: affiliate.id }, language);
  return { to: affiliate.email, subject: plainSubject(content.subject), text: mailText(linked), language };
}

/** An affiliate who does not exist, in a preview. */
const SAMPLE = { id: "00000000-0000-0000-0000-000000000000", email: "jane@example.com", first_name: "Jane" };

/** The mail that a new affiliate of a campaign gets, with a welcome message that is being written. Errors: `not_found`. */
export async function previewWelcome(
  { database, organization }: Context,
  { campaign_id, campaign_name, welcome_message, language: chosen }: PreviewWelcome,
  public_url: string | null,
): Promise<MailPreview> {
  const [campaign, found] = await Promise.all([
    findCampaign(database, organization.id, campaign_id),
    findPortalSettings(database, organization.id),
  ]);
  if (campaign === null || found === null) throw notFound("campaign");
  const { portal_host, languages } = found;
  const [first = "en"] = languages;
  const language = chosen ?? first;
  const { name, website_url, code_mode } = inLanguage(campaign, language);
  const has_link = website_url !== null && code_mode !== "coupon";
  const content = affiliateApproved(
    {
      organization_name: found.name,
      first_name: SAMPLE.first_name,
      campaign_name: campaign_name ?? name,
      welcome_message,
      links: has_link ? [sharedUrl({ link_url: found.link_url, website_url }, "jane")] : [],
      promo_codes: code_mode === "link" ? [] : ["JANE"],
      is_code_pending: false,
    },
    language,
  );
  const linked = withPortalLink(content, { public_url, portal_host, affiliate_id: SAMPLE.id }, language);
  return { to: SAMPLE.email, subject: plainSubject(content.subject), text: mailText(linked), language };
}
