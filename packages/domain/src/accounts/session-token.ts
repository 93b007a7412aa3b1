import { hash, randomBytes } from "node:crypto";

const RANDOM_BYTES = 32;
/** 32 bytes in base64url. */
const PATTERN = /^[0-9A-Za-z_-]{43}$/;
const NAME = "findersfee_session";

/** A new token of a session: 32 random bytes in base64url. */
export function newSessionToken(): string {
  return randomBytes(RANDOM_BYTES).toString("base64url");
}

/** Whether a text has the format of a session's token. */
export function isSessionToken(text: string): boolean {
  return PATTERN.test(text);
}

/** The hash by which the database finds a session. */
export function hashSessionToken(token: string): Buffer {
  return hash("sha256", token, "buffer");
}

/**
 * The cookie's name. Browsers accept the prefix only on https, and then no other host and no path of this one can set
 * the cookie (RFC 6265bis, 4.1.3.2).
 */
export function sessionCookieName(public_url: string | null): string {
  return public_url?.startsWith("https:") ? `__Host-${NAME}` : NAME;
}
