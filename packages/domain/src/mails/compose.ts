import { findAffiliate } from "@findersfee/database/affiliates/affiliates";
import { type AffiliateReviewRow, findAffiliateReview } from "@findersfee/database/affiliates/review";
import { findReferral } from "@findersfee/database/customers/referrals";
import { findMailedSecurityEvent } from "@findersfee/database/identity/security-events";
import {
  type AccountLinkMail,
  type AffiliateMail as AffiliateMailRow,
  type DueMail,
  type EndpointDisabledMail,
  findFailedPayouts,
  findFirstCommission,
  findPaidAt,
  type NoticeMail,
  type PayoutEmailChangedMail,
  type PayoutRunWaitingMail,
  type PayoutsFailedMail,
  type SecurityNoticeMail,
} from "@findersfee/database/mails/mails";
import { findWaitingRun } from "@findersfee/database/payouts/approvals";
import { findPayout } from "@findersfee/database/payouts/payouts";
import type { Connection } from "@findersfee/database/postgres/connect";
import type { AffiliateRow } from "@findersfee/database/rows";
import { findEndpointNotice } from "@findersfee/database/webhooks/endpoint-disabling";
import { usablePromoCodes } from "../affiliates/usable-codes.ts";
import { shownEmail } from "../customers/referrals/shown-email.ts";
import type { SecretsKey } from "../secrets/secrets.ts";
import { hasAddress } from "../shown-name.ts";
import { composeAccountLink } from "./account-links.ts";
import { affiliateLeft } from "./affiliate-left.ts";
import { composeClaimContent } from "./compose-claim.ts";
import { composeApprovedContent, composeDeclinedContent, wordsFor } from "./compose-decision.ts";
import { composePayoutEmailChanged } from "./compose-payout-email.ts";
import type { MailContent, MemberMailContent } from "./content.ts";
import type { Dropped } from "./dropped.ts";
import { endpointDisabled } from "./endpoint-disabled.ts";
import { mailHtml } from "./html.ts";
import { newPaidReferral } from "./new-paid-referral.ts";
import {
  composeNotice,
  dashboardUrl,
  findReader,
  memberFooter,
  type NotifiedReader,
  rejectionOf,
} from "./notices/compose.ts";
import { payoutPaid } from "./payout-paid.ts";
import { payoutRunWaiting } from "./payout-run-waiting.ts";
import { payoutsFailed } from "./payouts-failed.ts";
import { plainLine, plainSubject } from "./plain.ts";
import { withPortalLink } from "./portal-link.ts";
import { promoCodeReady } from "./promo-code-ready.ts";
import { securityNotice } from "./security-notice.ts";
import { mailText } from "./text.ts";
import {
  type NotificationSubscriber,
  type Subscriber,
  type UnsubscribeKey,
  unsubscribeToken,
} from "./unsubscribe-token.ts";

/** A mail in its final form. */
export interface ComposedMail {
  to: string;
  subject: string;
  text: string;
  html: string;
  /** The unsubscribe URL; null: unknown or not applicable. */
  unsubscribe_url: string | null;
  /** Where answers go; null: nowhere. */
  reply_to: string | null;
  /** The name of the organization that sends it; null: the service does. */
  sender: string | null;
  /** The items that a notice or a digest reports; null: it is none. */
  reported: string[] | null;
}

export interface Composing {
  sql: Connection;
  secrets_key: SecretsKey;
  /** The key that signs unsubscribe links. */
  key: UnsubscribeKey;
  /** The API's public URL; null: links cannot be created. */
  public_url: string | null;
}

/** Composes a due mail from current data, or returns why it is not sent any more. */
export async function composeMail(parts: Composing, mail: DueMail): Promise<ComposedMail | Dropped> {
  switch (mail.kind) {
    case "payouts_failed":
      return await composeFailed(parts, mail);
    case "endpoint_disabled":
      return await composeEndpointDisabled(parts, mail);
    case "affiliate_approved":
    case "affiliate_declined":
    case "affiliate_left":
    case "new_paid_referral":
    case "payout_paid":
    case "claim_decided":
    case "promo_code_ready":
      return await composeForAffiliate(parts, mail);
    case "invitation":
    case "password_reset":
    case "email_confirmation":
    case "device_link":
    case "portal_code":
    case "payout_email_code":
      return await composeAccountMail(parts, mail);
    case "payout_email_changed":
      return await composeOldAddressNotice(parts, mail);
    case "payout_run_waiting":
      return await composeWaiting(parts, mail);
    case "security_notice":
      return await composeSecurityNotice(parts, mail);
    case "applications_waiting":
    case "claims_waiting":
    case "connections_failed":
    case "daily_digest":
      return await composeWhatWaits(parts, mail);
  }
}

async function composeFailed(
  parts: Composing,
  mail: DueMail & PayoutsFailedMail,
): Promise<ComposedMail | Dropped> {
  const { organization_id, organization_name, payout_count, payout_ids } = mail;
  const reader = await findReader(parts.sql, mail);
  if ("dropped" in reader) return reader;
  const rejection = rejectionOf(reader, "payouts");
  if (rejection !== null) return rejection;
  const payouts = await findFailedPayouts(parts.sql, organization_id, payout_ids);
  const content = payoutsFailed({ organization_name, count: payout_count, payouts });
  return putForMember(parts, mail, { content, about: "payouts", reader });
}

async function composeEndpointDisabled(
  parts: Composing,
  mail: DueMail & EndpointDisabledMail,
): Promise<ComposedMail | Dropped> {
  const { organization_id, organization_name, time_zone, about } = mail;
  const reader = await findReader(parts.sql, mail);
  if ("dropped" in reader) return reader;
  const rejection = rejectionOf(reader, "endpoints");
  if (rejection !== null) return rejection;
  const [endpoint_id = ""] = about.split(" ");
  const found = await findEndpointNotice(parts.sql, { organization_id, endpoint_id });
  if (found === null) return { dropped: "the endpoint is enabled again, or deleted" };
  const { disabled_reason } = found;
  if (disabled_reason === "operator")
    return { dropped: "the endpoint was enabled, and disabled by hand since" };
  const content = endpointDisabled({ ...found, organization_name, disabled_reason, time_zone });
  return putForMember(parts, mail, { content, about: "endpoints", reader });
}

async function composeWaiting(
  parts: Composing,
  mail: DueMail & PayoutRunWaitingMail,
): Promise<ComposedMail | Dropped> {
  const { organization_id, organization_name, time_zone, about, recipient } = mail;
  const run = await findWaitingRun(parts.sql, organization_id, { run_id: about, email: recipient });
  if (run === null) {
    return { dropped: "the run was decided, or the address belongs to nobody who can approve it" };
  }
  const reader = await findReader(parts.sql, mail);
  if ("dropped" in reader) return reader;
  const rejection = rejectionOf(reader, "payout_runs");
  if (rejection !== null) return rejection;
  const dashboard_url = dashboardUrl(parts.public_url, mail);
  const url = dashboard_url === null ? null : `${dashboard_url}/payouts/runs/${about}`;
  const content = payoutRunWaiting({ ...run, organization_name, time_zone, url });
  return putForMember(parts, mail, { content, about: "payout_runs", reader });
}

async function composeWhatWaits(
  parts: Composing,
  mail: DueMail & NoticeMail,
): Promise<ComposedMail | Dropped> {
  const composed = await composeNotice(parts.sql, mail, dashboardUrl(parts.public_url, mail));
  if ("dropped" in composed) return composed;
  return { ...putForMember(parts, mail, composed), reported: composed.reported };
}

/** A mail that a member can turn off. */
function putForMember(
  { key, public_url }: Composing,
  mail: DueMail & { recipient: string },
  {
    content,
    about,
    reader: { user_id },
  }: { content: MemberMailContent; about: NotificationSubscriber["about"]; reader: NotifiedReader },
): ComposedMail {
  const { organization_id, recipient } = mail;
  const subscriber = { organization_id, user_id, about };
  const turn_off_url = unsubscribeUrl({ key, public_url }, subscriber);
  const footer = memberFooter(mail, about, { public_url, turn_off_url });
  return put(recipient, { ...content, footer }, turn_off_url);
}

/** A mail with a link or code that proves who owns the address. */
async function composeAccountMail(
  parts: Composing,
  mail: DueMail & AccountLinkMail,
): Promise<ComposedMail | Dropped> {
  const content = await composeAccountLink(parts, mail);
  return "dropped" in content ? content : put(mail.recipient, content);
}

/** Composes a notice to a person about an event of their account. */
async function composeSecurityNotice(
  { sql }: Composing,
  { about, recipient }: DueMail & SecurityNoticeMail,
): Promise<ComposedMail | Dropped> {
  const event = await findMailedSecurityEvent(sql, { id: about, email: recipient });
  const content = event === null ? null : securityNotice(event.kind, event);
  if (content === null) return { dropped: "the account has another address, or the event was deleted" };
  return put(recipient, content);
}

/** Warns the former address of a changed payout email. */
async function composeOldAddressNotice(
  parts: Composing,
  mail: DueMail & PayoutEmailChangedMail,
): Promise<ComposedMail | Dropped> {
  const content = await composePayoutEmailChanged(parts, mail);
  if ("dropped" in content) return content;
  const sent = { ...content, sender: mail.organization_name };
  return { ...put(mail.recipient, sent), reply_to: mail.support_email };
}

type AffiliateMail = DueMail & AffiliateMailRow;

async function composeForAffiliate(parts: Composing, mail: AffiliateMail): Promise<ComposedMail | Dropped> {
  const affiliate = await findAffiliate(parts.sql, mail.organization_id, mail.affiliate_id);
  if (affiliate === null) return { dropped: "the affiliate does not exist" };
  if (affiliate.erased_at !== null) return { dropped: "the affiliate was erased" };
  const review = await findAffiliateReview(parts.sql, mail.organization_id, mail.affiliate_id);
  if (review === null || review.disowned_at !== null)
    return { dropped: "the person has said that the invitation is not theirs" };
  const content = await composeOf(parts, mail, { affiliate, review });
  if ("dropped" in content) return content;
  const linked = withPortalLink(content, { ...parts, ...mail }, mail.language);
  const unsubscribe_url =
    mail.kind === "new_paid_referral" ? unsubscribeUrl(parts, subscriberOf(mail)) : null;
  const sent = { ...linked, sender: mail.organization_name };
  return { ...put(affiliate.email, sent, unsubscribe_url), reply_to: mail.support_email };
}

interface Reader {
  affiliate: AffiliateRow;
  review: AffiliateReviewRow;
}

async function composeOf(
  parts: Composing,
  mail: AffiliateMail,
  { affiliate, review }: Reader,
): Promise<MailContent | Dropped> {
  const reader = { affiliate: wordsFor(affiliate, review, mail.language), review };
  switch (mail.kind) {
    case "affiliate_approved":
      return await composeApproved(parts, mail, reader);
    case "affiliate_declined":
      return composeDeclined(mail, reader);
    case "affiliate_left":
      return composeLeft(mail, reader);
    case "new_paid_referral":
      return await composePaidReferral(parts, mail, reader.affiliate);
    case "payout_paid":
      return await composePaid(parts, mail, reader);
    case "claim_decided":
      return await composeClaimContent(parts.sql, mail, reader);
    case "promo_code_ready":
      return await composePromoCode(parts, mail, reader);
  }
}

const NOT_APPROVED: Dropped = { dropped: "the affiliate is no longer approved" };

async function composeApproved(
  { sql }: Composing,
  mail: AffiliateMail,
  { affiliate, review }: Reader,
): Promise<MailContent | Dropped> {
  if (!affiliate.approved || affiliate.banned) return NOT_APPROVED;
  const codes = await usablePromoCodes(sql, mail.organization_id, affiliate);
  return composeApprovedContent(mail, affiliate, { ...review, ...codes });
}

async function composePromoCode(
  { sql }: Composing,
  { organization_id, organization_name, language }: AffiliateMail,
  { affiliate, review }: Reader,
): Promise<MailContent | Dropped> {
  if (!affiliate.approved || affiliate.banned || review.agreed_at === null) return NOT_APPROVED;
  const { promo_codes } = await usablePromoCodes(sql, organization_id, affiliate);
  if (promo_codes.length === 0) return { dropped: "the promo code was replaced" };
  const { first_name } = affiliate;
  const codes = promo_codes.map(({ code }) => code);
  return promoCodeReady({ organization_name, first_name, promo_codes: codes }, language);
}

function composeDeclined(mail: AffiliateMail, { affiliate, review }: Reader): MailContent | Dropped {
  if (review.declined_at === null) return { dropped: "the affiliate is no longer declined" };
  return composeDeclinedContent(mail, affiliate, review.agreed_at === null ? null : review.decline_reason);
}

function composeLeft(
  { organization_name, language }: AffiliateMail,
  { affiliate: { first_name, campaign }, review }: Reader,
): MailContent | Dropped {
  if (review.left_at === null) return { dropped: "the affiliate has not left any more" };
  return affiliateLeft({ organization_name, first_name, campaign_name: campaign.name }, language);
}

async function composePaidReferral(
  parts: Composing,
  mail: AffiliateMail,
  affiliate: AffiliateRow,
): Promise<MailContent | Dropped> {
  const { sql } = parts;
  const { organization_id, organization_name, time_zone, about, language } = mail;
  if (!affiliate.new_paid_referral_notifications) return { dropped: "the affiliate turned off these emails" };
  if (affiliate.banned) return { dropped: "the affiliate is banned" };
  const referral = await findReferral(sql, organization_id, about);
  const commission = await findFirstCommission(sql, organization_id, about);
  if (referral === null || commission === null) return { dropped: "the commission does not exist" };
  const { payout_status, affiliate_id, commission_minor, currency, payable_at, review_state } = commission;
  if (payout_status === "voided") return { dropped: "the commission was voided" };
  if (affiliate_id !== affiliate.id) return { dropped: "the commission now belongs to another affiliate" };
  const { name, website_url, hide_emails } = affiliate.campaign;
  return newPaidReferral(
    {
      organization_name,
      first_name: affiliate.first_name,
      campaign_name: name,
      website_url,
      customer: shownEmail(referral.email, { hide_emails }),
      commission_minor,
      currency,
      payable_at,
      in_review: review_state === "pending",
      time_zone,
      unsubscribe_url: unsubscribeUrl(parts, subscriberOf(mail)),
    },
    language,
  );
}

/** Null: it is unknown. */
function unsubscribeUrl(
  { key, public_url }: Pick<Composing, "key" | "public_url">,
  subscriber: Subscriber,
): string | null {
  return public_url === null ? null : `${public_url}/unsubscribe/${unsubscribeToken(key, subscriber)}`;
}

function subscriberOf({ organization_id, affiliate_id }: AffiliateMail): Subscriber {
  return { organization_id, affiliate_id };
}

async function composePaid(
  { sql }: Composing,
  { organization_id, organization_name, time_zone, about, language }: AffiliateMail,
  { affiliate: { first_name }, review }: Reader,
): Promise<MailContent | Dropped> {
  const payout = await findPayout(sql, organization_id, about);
  const paid_at = await findPaidAt(sql, organization_id, about);
  if (payout?.status !== "paid" || paid_at === null) return { dropped: "the payout is not paid" };
  const payout_email = review.agreed_at === null ? null : payout.payout_email;
  return payoutPaid({ ...payout, payout_email, paid_at, organization_name, first_name, time_zone }, language);
}

function put(to: string, content: MailContent, unsubscribe_url: string | null = null): ComposedMail {
  return {
    to,
    subject: plainSubject(content.subject),
    text: mailText(content),
    html: mailHtml(content),
    unsubscribe_url,
    reply_to: null,
    sender: senderOf(content),
    reported: null,
  };
}

const MAX_SENDER_LENGTH = 100;

/** A name that looks like an address would be mistaken for the sender's. */
function senderOf({ sender }: MailContent): string | null {
  if (sender === undefined) return null;
  const name = [...plainLine(sender)].slice(0, MAX_SENDER_LENGTH).join("");
  return name === "" || hasAddress(name) ? null : name;
}
