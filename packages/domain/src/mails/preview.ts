import type { MailPreview, PreviewMail } from "@findersfee/contract/affiliate-review";
import { findAffiliate } from "@findersfee/database/affiliates";
import { findOrganization } from "@findersfee/database/organizations";
import type { Context } from "../context.ts";
import { notFound } from "../errors.ts";
import { composeApprovedContent, composeDeclinedContent } from "./compose-decision.ts";
import { plainSubject } from "./plain.ts";
import { mailText } from "./text.ts";

/** The mail that a decision about an application sends, in the words that it has now. Errors: `not_found`. */
export async function previewMail(
  { database, organization }: Context,
  { id, kind, reason }: PreviewMail,
): Promise<MailPreview> {
  const [affiliate, found] = await Promise.all([
    findAffiliate(database, organization.id, id),
    findOrganization(database, organization.id),
  ]);
  if (affiliate === null || found === null) throw notFound("affiliate");
  const named = { organization_name: found.name, currency: organization.currency };
  const content =
    kind === "approved"
      ? composeApprovedContent(named, affiliate)
      : composeDeclinedContent(named, affiliate, reason?.trim() ? reason.trim() : null);
  return { to: affiliate.email, subject: plainSubject(content.subject), text: mailText(content) };
}
