import { hash, hkdfSync } from "node:crypto";
import type { SecretsKey } from "../secrets/secrets.ts";

/** The request data that identifies a visitor. Never stored or logged. */
export interface Visitor {
  /** The IP address. */
  address: string;
  /** An IPv4 address, or the /64 of an IPv6 address. */
  network: string;
  user_agent: string;
}

/** The hash key of visitors, in hex. */
export type VisitorKey = string;

const KEY_BYTES = 32;
const HASH_DIGITS = 32;
const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;

/**
 * Derives the hash key of visitors, separate from the encryption keys, so that it reveals nothing about encrypted data.
 */
export function visitorKey(secrets_key: SecretsKey): VisitorKey {
  const key = hkdfSync("sha256", secrets_key, "", "findersfee visitors", KEY_BYTES);
  return Buffer.from(key).toString("hex");
}

/**
 * The pseudonym of a visitor on one day (UTC), in hex: SHA-512/256 of the key, the day, the address and the browser,
 * cut in half. It recognizes the same browser again on that day. Without the key, addresses cannot be tested against
 * it, and the hashes of different days cannot be linked. (Unlike SHA-256, this hash does not reveal its state, so a key
 * prefix makes it a keyed hash, at half the cost of an HMAC.)
 */
export function hashVisitor(
  key: VisitorKey,
  { address, user_agent }: Omit<Visitor, "network">,
  at: Date,
): string {
  const day = Math.floor(at.getTime() / DAY_MILLISECONDS);
  return hash("sha512-256", `${key}\n${day}\n${address}\n${user_agent}`, "hex").slice(0, HASH_DIGITS);
}
