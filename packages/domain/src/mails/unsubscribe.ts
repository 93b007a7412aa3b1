import { findAffiliate } from "@findersfee/database/affiliates/affiliates";
import { findAffiliateLanguage } from "@findersfee/database/mails/language";
import {
  listNotifications,
  type NotificationRow,
  setNotification,
} from "@findersfee/database/mails/notifications";
import { findOrganization, type OrganizationRow } from "@findersfee/database/organizations/organizations";
import { type Connection, type Database, transaction } from "@findersfee/database/postgres/connect";
import type { AffiliateRow } from "@findersfee/database/rows";
import type { Actor } from "../actor.ts";
import { updateAffiliate } from "../affiliates/update.ts";
import { maskedEmail } from "../customers/referrals/shown-email.ts";
import { DomainError } from "../errors.ts";
import type { MailLanguage } from "./language.ts";
import { kindOfMails } from "./notices/topics.ts";
import {
  type AffiliateSubscriber,
  type NotificationSubscriber,
  readUnsubscribeToken,
  type Subscriber,
  type UnsubscribeKey,
} from "./unsubscribe-token.ts";

const UNSUBSCRIBE_LINK: Actor = { kind: "automatic", name: "unsubscribe link" };

export interface Unsubscribing {
  database: Database;
  key: UnsubscribeKey;
}

/** The content of a link's page. */
export type Subscription = ReferralSubscription | NotificationSubscription;

interface ReferralSubscription {
  kind: "referrals";
  organization_name: string;
  /** The affiliate's email, masked. */
  email: string;
  /** Whether the affiliate still gets mails about new paid referrals. */
  is_on: boolean;
  /** The affiliate's. */
  language: MailLanguage;
}

interface NotificationSubscription {
  kind: "notifications";
  organization_name: string;
  /** The mails that the link turns off: "emails about applications". */
  what: string;
  /** The member's email, masked. */
  email: string;
  /** Whether the member still gets them. */
  is_on: boolean;
  /** Mails to members are in English. */
  language: "en";
}

/** Returns the setting that this token's link would turn off; changes nothing. Errors: `not_found`. */
export async function getSubscription(
  { database, key }: Unsubscribing,
  token: string,
): Promise<Subscription> {
  const subscriber = read(key, token);
  return "affiliate_id" in subscriber
    ? viewReferrals(await find(database, subscriber))
    : await viewNotifications(database, subscriber);
}

/** Turns off the mails that the token names, if they are on. Errors: `not_found`. */
export async function unsubscribe({ database, key }: Unsubscribing, token: string): Promise<Subscription> {
  const subscriber = read(key, token);
  if (!("affiliate_id" in subscriber)) return await endNotifications(database, subscriber);
  const found = await find(database, subscriber);
  const { organization, affiliate } = found;
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
  return { ...viewReferrals(found), is_on: false };
}

function read(key: UnsubscribeKey, token: string): Subscriber {
  const subscriber = readUnsubscribeToken(key, token);
  if (subscriber === null) throw notFound();
  return subscriber;
}

interface Found {
  organization: OrganizationRow;
  affiliate: AffiliateRow;
  language: MailLanguage;
}

function viewReferrals({ organization, affiliate, language }: Found): ReferralSubscription {
  const { new_paid_referral_notifications: is_on, email } = affiliate;
  return {
    kind: "referrals",
    organization_name: organization.name,
    email: maskedEmail(email),
    is_on,
    language,
  };
}

async function find(
  database: Database,
  { organization_id, affiliate_id }: AffiliateSubscriber,
): Promise<Found> {
  const organization = await findOrganization(database, organization_id);
  const affiliate = await findAffiliate(database, organization_id, affiliate_id);
  const language = await findAffiliateLanguage(database, organization_id, affiliate_id);
  if (organization === null || affiliate === null || language === null) throw notFound();
  return { organization, affiliate, language };
}

/** A person who is no member with a choice any more gets no such mails. */
async function viewNotifications(
  sql: Connection,
  { organization_id, user_id, about }: NotificationSubscriber,
): Promise<NotificationSubscription> {
  const organization = await findOrganization(sql, organization_id);
  const rows = await listNotifications(sql, organization_id, user_id);
  const [first] = rows;
  if (organization === null || first === undefined) throw notFound();
  return {
    kind: "notifications",
    organization_name: organization.name,
    what: kindOfMails(about),
    email: maskedEmail(first.email),
    is_on: rows.some((row) => isTurnedOffBy(about, row)),
    language: "en",
  };
}

/**
 * Whether a link turns a topic off. It turns off a topic even if that is daily by now; the link of the daily
 * email turns off all its topics.
 */
function isTurnedOffBy(
  about: NotificationSubscriber["about"],
  { topic, frequency }: NotificationRow,
): boolean {
  return about === "digest" ? frequency === "daily" : topic === about && frequency !== "never";
}

async function endNotifications(
  database: Database,
  subscriber: NotificationSubscriber,
): Promise<NotificationSubscription> {
  const { organization_id, user_id, about } = subscriber;
  return await transaction(database, async (sql) => {
    const shown = await viewNotifications(sql, subscriber);
    for (const row of await listNotifications(sql, organization_id, user_id)) {
      if (!isTurnedOffBy(about, row)) continue;
      await setNotification(sql, organization_id, { user_id, topic: row.topic, frequency: "never" });
    }
    return { ...shown, is_on: false };
  });
}

function notFound(): DomainError {
  return new DomainError("not_found", {
    message: "This link is incomplete or invalid. Copy the whole link from the email.",
  });
}
