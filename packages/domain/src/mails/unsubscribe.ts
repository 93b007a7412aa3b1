import { findAffiliate } from "@findersfee/database/affiliates/affiliates";
import { findAffiliateLanguage } from "@findersfee/database/mails/language";
import { findOrganization, type OrganizationRow } from "@findersfee/database/organizations/organizations";
import type { Database } from "@findersfee/database/postgres/connect";
import type { AffiliateRow } from "@findersfee/database/rows";
import type { Actor } from "../actor.ts";
import { updateAffiliate } from "../affiliates/update.ts";
import { maskedEmail } from "../customers/referrals/shown-email.ts";
import { DomainError } from "../errors.ts";
import type { MailLanguage } from "./language.ts";
import { readUnsubscribeToken, type UnsubscribeKey } from "./unsubscribe-token.ts";

const UNSUBSCRIBE_LINK: Actor = { kind: "automatic", name: "unsubscribe link" };

export interface Unsubscribing {
  database: Database;
  key: UnsubscribeKey;
}

/** The content of a link's page. */
export interface Subscription {
  organization_name: string;
  /** Of the affiliate, masked. */
  email: string;
  /** Whether the affiliate still gets mails about new paid referrals. */
  is_on: boolean;
  /** The affiliate's. */
  language: MailLanguage;
}

/** Returns the setting that this token's link would turn off; changes nothing. Errors: `not_found`. */
export async function getSubscription(
  { database, key }: Unsubscribing,
  token: string,
): Promise<Subscription> {
  const { organization, affiliate, language } = await find(database, key, token);
  const { new_paid_referral_notifications: is_on, email } = affiliate;
  return { organization_name: organization.name, email: maskedEmail(email), is_on, language };
}

/** Turns off an affiliate's mails about new paid referrals, if they are on. Errors: `not_found`. */
export async function unsubscribe({ database, key }: Unsubscribing, token: string): Promise<Subscription> {
  const { organization, affiliate, language } = await find(database, key, token);
  if (affiliate.new_paid_referral_notifications) {
    const context = {
      database,
      organization,
      actor: UNSUBSCRIBE_LINK,
      idempotency: null,
      notifyWorkers: () => {},
    };
    await updateAffiliate(context, { id: affiliate.id, new_paid_referral_notifications: false });
  }
  return {
    organization_name: organization.name,
    email: maskedEmail(affiliate.email),
    is_on: false,
    language,
  };
}

async function find(
  database: Database,
  key: UnsubscribeKey,
  token: string,
): Promise<{ organization: OrganizationRow; affiliate: AffiliateRow; language: MailLanguage }> {
  const subscriber = readUnsubscribeToken(key, token);
  if (subscriber === null) throw notFound();
  const { organization_id, affiliate_id } = subscriber;
  const organization = await findOrganization(database, organization_id);
  const affiliate = await findAffiliate(database, organization_id, affiliate_id);
  const language = await findAffiliateLanguage(database, organization_id, affiliate_id);
  if (organization === null || affiliate === null || language === null) throw notFound();
  return { organization, affiliate, language };
}

function notFound(): DomainError {
  return new DomainError("not_found", {
    message: "This link is incomplete or invalid. Copy the whole link from the mail.",
  });
}
