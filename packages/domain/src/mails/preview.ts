import type { MailPreview, PreviewMail } from "@findersfee/contract/affiliate-review";
import { findAffiliate } from "@findersfee/database/affiliates";
import { findAffiliateLanguage } from "@findersfee/database/mail-language";
import { findOrganization } from "@findersfee/database/organizations";
import type { Context } from "../context.ts";
import { notFound } from "../errors.ts";
import { composeApprovedContent, composeDeclinedContent } from "./compose-decision.ts";
import { plainSubject } from "./plain.ts";
import { mailText } from "./text.ts";

/** The mail that a decision about an application sends, in the words that it has now, and the language of the affiliate. Errors: `not_found`. */
export async function previewMail(
  { database, organization }: Context,
  { id, kind, reason }: PreviewMail,
): Promise<MailPreview> {
  const [affiliate, found, language] = await Promise.all([
    findAffiliate(database, organization.id, id),
    findOrganization(database, organization.id),
    findAffiliateLanguage(database, organization.id, id),
  ]);
  if (affiliate === null || found === null || language === null) throw notFound("affiliate");
  const named = { organization_name: found.name, currency: organization.currency, language };
  const content =
    kind === "approved"
      ? composeApprovedContent(named, affiliate)
      : composeDeclinedContent(named, affiliate, reason?.trim() ? reason.trim() : null);
  return { to: affiliate.email, subject: plainSubject(content.subject), text: mailText(content), language };
}
