import type { MailPreview, PreviewMail } from "@findersfee/contract/affiliates/review";
import { findAffiliate } from "@findersfee/database/affiliates/affiliates";
import { findAffiliateReview } from "@findersfee/database/affiliates/review";
import { findAffiliateLanguage } from "@findersfee/database/mails/language";
import { findPortalSettings } from "@findersfee/database/portal/looks";
import { usablePromoCodes } from "../affiliates/usable-codes.ts";
import type { Context } from "../context.ts";
import { notFound } from "../errors.ts";
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
  const affiliate = wordsFor(row, review);
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
