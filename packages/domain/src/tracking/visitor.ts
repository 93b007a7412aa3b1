import { hash, hkdfSync } from "node:crypto";
import type { SecretsKey } from "../webhooks/secrets.ts";

/** Who clicked, as far as a request tells. Never stored, nor logged. */
export interface Visitor {
  /** The IP address. */
  address: string;
  user_agent: string;
}

/** What visitors are hashed under: of an HMAC, the two blocks that its hashes begin with. */
export interface VisitorKey {
  inner: Buffer;
  outer: Buffer;
}

const KEY_BYTES = 32;
const BLOCK_BYTES = 64;
const HASH_BYTES = 16;

/** The key that visitors are hashed under: of its own, so that it tells nothing of what else is encrypted. */
export function visitorKey(secrets_key: SecretsKey): VisitorKey {
  const key = new Uint8Array(hkdfSync("sha256", secrets_key, "", "findersfee visitors", KEY_BYTES));
  const block = (pad: number) =>
    Buffer.alloc(BLOCK_BYTES, pad).map((byte, index) => byte ^ (key[index] ?? 0));
  return { inner: Buffer.from(block(0x36)), outer: Buffer.from(block(0x5c)) };
}

/**
 * What a visitor is known by on one day (UTC): HMAC-SHA256 (RFC 2104) of day, address and browser, cut in half.
 * It finds the same browser again on that day; without the key it cannot be tried out which address it was,
 * and another day's hash of the same visitor is another one. (Two hashes at once: Node's own HMAC makes an
 * object for each, which costs a click more than its code's look-up.)
 */
export function hashVisitor(
  { inner, outer }: VisitorKey,
  { address, user_agent }: Visitor,
  at: Date,
): Buffer {
  const text = Buffer.from(`${at.toISOString().slice(0, 10)}\n${address}\n${user_agent}`);
  const digest = hash("sha256", Buffer.concat([inner, text]), "buffer");
  return hash("sha256", Buffer.concat([outer, digest]), "buffer").subarray(0, HASH_BYTES);
}
