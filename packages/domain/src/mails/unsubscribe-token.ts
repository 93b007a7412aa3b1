import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import type { NotificationTopic } from "@findersfee/contract/mails";
import { readingKeys, type SecretsKey } from "../secrets/secrets.ts";

/** The affiliate that unsubscribes from mails about new paid referrals. */
export interface AffiliateSubscriber {
  organization_id: string;
  affiliate_id: string;
}

/** The member that turns mails off: about a topic at once, or the daily one. */
export interface NotificationSubscriber {
  organization_id: string;
  user_id: string;
  about: NotificationTopic | "digest";
}

export type Subscriber = AffiliateSubscriber | NotificationSubscriber;

/** The key that signs links. While SECRETS_KEY changes, links that `other` signed are valid, too. */
export type UnsubscribeKey = SecretsKey;

const KEY_BYTES = 32;
const ID_BYTES = 16;
const IDS_BYTES = 2 * ID_BYTES;

/** The last byte of a member's token. A number never gets another meaning: tokens do not expire. */
const ABOUT: Record<NotificationSubscriber["about"], number> = {
  digest: 0,
  applications: 1,
  claims: 2,
  connections: 3,
  endpoints: 4,
  payouts: 5,
  payout_runs: 6,
};

/** A purpose of its own: no other signed or encrypted text can be used as such a link, or the reverse. */
export function unsubscribeKey(secrets_key: SecretsKey): UnsubscribeKey {
  const other = secrets_key.other === undefined ? {} : { other: derive(secrets_key.other) };
  return Object.assign(derive(secrets_key), other);
}

function derive(secrets_key: Buffer): Buffer {
  return Buffer.from(hkdfSync("sha256", secrets_key, "", "findersfee unsubscribe", KEY_BYTES));
}

/**
 * The token in a link: both ids, for a member also the number of the kind of mails to turn off, and their
 * HMAC-SHA256, in base64url. It never expires. The two kinds of tokens differ in length, so neither can be
 * used as the other.
 */
export function unsubscribeToken(key: UnsubscribeKey, subscriber: Subscriber): string {
  const content = contentOf(subscriber);
  return Buffer.concat([content, sign(key, content)]).toString("base64url");
}

function contentOf(subscriber: Subscriber): Buffer {
  const organization = bytesOf(subscriber.organization_id);
  if ("affiliate_id" in subscriber) return Buffer.concat([organization, bytesOf(subscriber.affiliate_id)]);
  return Buffer.concat([organization, bytesOf(subscriber.user_id), Buffer.from([ABOUT[subscriber.about]])]);
}

/** The affiliate or member of a token; null: the token is not valid. */
export function readUnsubscribeToken(key: UnsubscribeKey, token: string): Subscriber | null {
  const bytes = Buffer.from(token, "base64url");
  // The same bytes have other encodings, too, which were never issued.
  if (bytes.toString("base64url") !== token) return null;
  const length = bytes.length - KEY_BYTES;
  if (length !== IDS_BYTES && length !== IDS_BYTES + 1) return null;
  const content = bytes.subarray(0, length);
  const is_signed = readingKeys(key).some((one) =>
    timingSafeEqual(bytes.subarray(length), sign(one, content)),
  );
  if (!is_signed) return null;
  return subscriberOf(content);
}

function subscriberOf(content: Buffer): Subscriber | null {
  const organization_id = idOf(content.subarray(0, ID_BYTES));
  const id = idOf(content.subarray(ID_BYTES, IDS_BYTES));
  if (content.length === IDS_BYTES) return { organization_id, affiliate_id: id };
  const abouts = Object.entries(ABOUT) as [NotificationSubscriber["about"], number][];
  const found = abouts.find(([, number]) => number === content[IDS_BYTES]);
  return found === undefined ? null : { organization_id, user_id: id, about: found[0] };
}

function sign(key: UnsubscribeKey, content: Buffer): Buffer {
  return createHmac("sha256", key).update(content).digest();
}

function bytesOf(id: string): Buffer {
  return Buffer.from(id.replaceAll("-", ""), "hex");
}

function idOf(bytes: Buffer): string {
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
