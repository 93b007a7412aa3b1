import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import pLimit from "p-limit";
import { DomainError, invalidField } from "../errors.ts";

/** scrypt's parameters, as OWASP's Password Storage Cheat Sheet lists them: 32 MiB, about 0.2 s. */
const COST = { N: 2 ** 15, r: 8, p: 3 };
const MAXIMUM_MEMORY = 64 * 1024 * 1024;
const SALT_BYTES = 16;
const HASH_BYTES = 32;
const FORMAT = "scrypt-32768-8-3";

/** Hashes that a process computes at once: each one occupies a thread of Node's pool of four. */
const AT_ONCE = 2;
/** Further ones wait; beyond this number, requests are refused. */
const MAX_WAITING = 50;
const RETRY_AFTER_SECONDS = 2;

const limit = pLimit(AT_ONCE);

/** A password as stored. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const key = await derive(password, salt);
  return [FORMAT, salt.toString("base64url"), key.toString("base64url")].join("$");
}

/** Of nobody: comparing a password with it takes as long as with a stored one. */
const NOBODY = [FORMAT, ...[SALT_BYTES, HASH_BYTES].map((n) => randomBytes(n).toString("base64url"))].join(
  "$",
);

/** Whether the password is the stored one. Null (there is none) takes as long, and is false. */
export async function isPassword(password: string, stored: string | null): Promise<boolean> {
  const [format, salt = "", expected = ""] = (stored ?? NOBODY).split("$");
  if (format !== FORMAT) throw new Error("A password is stored in an unknown format.");
  const key = await derive(password, Buffer.from(salt, "base64url"));
  const is_equal = timingSafeEqual(key, Buffer.from(expected, "base64url"));
  return is_equal && stored !== null;
}

/**
 * Requires that a person may choose this password. Its length is in the contract.
 *
 * @throws DomainError `invalid_request`
 */
export function requireGoodPassword(password: string, { email }: { email: string }): void {
  if (password.trim().toLowerCase() === email)
    throw invalidField("password", "Must not be the email address.");
  if (new Set(password).size < MIN_DIFFERENT) {
    throw invalidField("password", `Must have at least ${MIN_DIFFERENT} different characters.`);
  }
}

const MIN_DIFFERENT = 5;

function derive(password: string, salt: Buffer): Promise<Buffer> {
  if (limit.pendingCount >= MAX_WAITING) {
    throw new DomainError("unavailable", {
      message: "Too many people sign in at once. Try again in a few seconds.",
      retry_after_seconds: RETRY_AFTER_SECONDS,
    });
  }
  // The same text can be typed as different code points (NIST SP 800-63B, 3.1.1.2).
  const text = password.normalize("NFKC");
  const options = { ...COST, maxmem: MAXIMUM_MEMORY };
  return limit(
    () =>
      new Promise<Buffer>((resolve, reject) => {
        scrypt(text, salt, HASH_BYTES, options, (error, key) =>
          error === null ? resolve(key) : reject(error),
        );
      }),
  );
}
