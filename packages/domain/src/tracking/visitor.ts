import { hash, hkdfSync } from "node:crypto";
import type { SecretsKey } from "../webhooks/secrets.ts";

/** Who clicked, as far as a request tells. Never stored, nor logged. */
export interface Visitor {
  /** The IP address. */
  address: string;
  user_agent: string;
}

/** What visitors are hashed under, in hex. */
export type VisitorKey = string;

const KEY_BYTES = 32;
const HASH_DIGITS = 32;
const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;

/** The key that visitors are hashed under: of its own, so that it tells nothing of what else is encrypted. */
export function visitorKey(secrets_key: SecretsKey): VisitorKey {
  const key = hkdfSync("sha256", secrets_key, "", "findersfee visitors", KEY_BYTES);
  return Buffer.from(key).toString("hex");
}

/**
 * What a visitor is known by on one day (UTC), in hex: SHA-512/256 of the key, the day, the address and the
 * browser, cut in half. It finds the same browser again on that day; without the key it cannot be tried out
 * which address it was, and another day's hash of the same visitor is another one. (This hash, unlike SHA-256,
 * tells nothing of its state, so a key in front makes a keyed hash of it, at half the cost of an HMAC.)
 */
export function hashVisitor(key: VisitorKey, { address, user_agent }: Visitor, at: Date): string {
  const day = Math.floor(at.getTime() / DAY_MILLISECONDS);
  return hash("sha512-256", `${key}\n${day}\n${address}\n${user_agent}`, "hex").slice(0, HASH_DIGITS);
}
