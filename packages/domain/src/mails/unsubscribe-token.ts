import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import type { SecretsKey } from "../secrets/secrets.ts";

/** The affiliate that unsubscribes from mails about new paid referrals. */
export interface Subscriber {
  organization_id: string;
  affiliate_id: string;
}

/** The key that signs links. */
export type UnsubscribeKey = Buffer;

const KEY_BYTES = 32;
const ID_BYTES = 16;
const IDS_BYTES = 2 * ID_BYTES;

/** A purpose of its own: no other signed or encrypted text can be used as such a link, or the reverse. */
export function unsubscribeKey(secrets_key: SecretsKey): UnsubscribeKey {
  return Buffer.from(hkdfSync("sha256", secrets_key, "", "findersfee unsubscribe", KEY_BYTES));
}

/** The token in a link: both ids and their HMAC-SHA256, in base64url. It never expires. */
export function unsubscribeToken(key: UnsubscribeKey, subscriber: Subscriber): string {
  const ids = Buffer.concat([bytesOf(subscriber.organization_id), bytesOf(subscriber.affiliate_id)]);
  return Buffer.concat([ids, sign(key, ids)]).toString("base64url");
}

/** The affiliate of a token; null: the token is not valid. */
export function readUnsubscribeToken(key: UnsubscribeKey, token: string): Subscriber | null {
  const bytes = Buffer.from(token, "base64url");
  // The same bytes have other encodings, too, which were never issued.
  if (bytes.length !== IDS_BYTES + KEY_BYTES || bytes.toString("base64url") !== token) return null;
  const ids = bytes.subarray(0, IDS_BYTES);
  if (!timingSafeEqual(bytes.subarray(IDS_BYTES), sign(key, ids))) return null;
  return {
    organization_id: idOf(ids.subarray(0, ID_BYTES)),
    affiliate_id: idOf(ids.subarray(ID_BYTES)),
  };
}

function sign(key: UnsubscribeKey, ids: Buffer): Buffer {
  return createHmac("sha256", key).update(ids).digest();
}

function bytesOf(id: string): Buffer {
  return Buffer.from(id.replaceAll("-", ""), "hex");
}

function idOf(bytes: Buffer): string {
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
