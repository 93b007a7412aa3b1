import { createHmac, hash, hkdfSync, randomBytes } from "node:crypto";
import type { SecretsKey } from "../../secrets/secrets.ts";

const BYTES = 32;
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** A new token of a cookie or a link: 32 random bytes in base64url. */
export function newSecretToken(): string {
  return randomBytes(BYTES).toString("base64url");
}

/** The hash by which the database finds a token. 256 random bits need no slower one. */
export function hashSecretToken(token: string): Buffer {
  return hash("sha256", token, "buffer");
}

/** Whether a text has the format of a token, so that other texts do not reach the database. */
export function isSecretToken(text: string): boolean {
  return TOKEN.test(text);
}

const NETWORK_BYTES = 16;

/** The keyed hash by which the database counts the requests of one network, so that it stores no address. */
export function hashNetwork(secrets_key: SecretsKey, network: string): Buffer {
  const key = Buffer.from(hkdfSync("sha256", secrets_key, "", "findersfee networks", BYTES));
  return createHmac("sha256", key).update(network).digest().subarray(0, NETWORK_BYTES);
}

export type LinkKind = "invitation" | "password_reset" | "email" | "device" | "portal";

/**
 * The token of a link that is mailed: an HMAC of the row's id, so that the worker can write the link although the
 * database has only the token's hash.
 */
export function mailedToken(secrets_key: SecretsKey, kind: LinkKind, id: string): string {
  const key = Buffer.from(hkdfSync("sha256", secrets_key, "", "findersfee mailed links", BYTES));
  return createHmac("sha256", key).update(`${kind}:${id}`).digest("base64url");
}
