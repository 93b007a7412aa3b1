import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import { DomainError, invalidField } from "../../errors.ts";
import { isCommonPassword, type PasswordOwner } from "./common-passwords.ts";
import { FairQueue, type Waiting } from "./fair-queue.ts";

/** The parameters of scrypt, which a stored hash begins with. */
export interface PasswordCost {
  N: number;
  r: number;
  p: number;
}

/** As OWASP's Password Storage Cheat Sheet lists them: 32 MiB, about 0.2 s. */
export const PASSWORD_COST: PasswordCost = { N: 2 ** 15, r: 8, p: 3 };
const MAXIMUM_MEMORY = 64 * 1024 * 1024;
const SALT_BYTES = 16;
const HASH_BYTES = 32;
const FORMAT = /^scrypt-(\d{1,6})-(\d{1,2})-(\d{1,2})$/;

let cost = PASSWORD_COST;

/** Sets the cost of new hashes of this process. Only tests do: they make hundreds. */
export function setPasswordCost(other: PasswordCost): void {
  cost = other;
}

/** A hash occupies a thread of Node's pool of four. A network may be an office. The API answers within 15 seconds. */
const LIMITS = { at_once: 2, of_share: 8, of_all: 50, milliseconds: 12_000 };
const RETRY_AFTER_SECONDS = 2;

const queue = new FairQueue(LIMITS, busy);

function busy(): DomainError {
  return new DomainError("unavailable", {
    message: "Too many people sign in at once. Nothing was changed. Try again in a few seconds.",
    retry_after_seconds: RETRY_AFTER_SECONDS,
  });
}

/**
 * Throws the queue's error if nobody waits for the result anymore. The last step of a change that follows a
 * hash: a request that was given up changes nothing.
 */
export function requireWaiting(waiting: Waiting): void {
  if (!waiting.isWaiting()) throw busy();
}

/** A password as stored. */
export async function hashPassword(password: string, waiting: Waiting): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const key = await derive(password, { salt, cost, waiting });
  return storedOf(cost, salt, key);
}

function storedOf({ N, r, p }: PasswordCost, salt: Buffer, key: Buffer): string {
  return [`scrypt-${N}-${r}-${p}`, salt.toString("base64url"), key.toString("base64url")].join("$");
}

/** Of nobody: comparing a password with it takes as long as with a stored one. */
const ofNobody = () => storedOf(cost, randomBytes(SALT_BYTES), randomBytes(HASH_BYTES));

/** Whether the password is the stored one. Null (there is none) takes as long, and is false. */
export async function isPassword(
  password: string,
  stored: string | null,
  waiting: Waiting,
): Promise<boolean> {
  const [format = "", salt = "", expected = ""] = (stored ?? ofNobody()).split("$");
  const [, N, r, p] = FORMAT.exec(format)?.map(Number) ?? [];
  if (N === undefined || r === undefined || p === undefined)
    throw new Error("A password is stored in an unknown format.");
  const used = { salt: Buffer.from(salt, "base64url"), cost: { N, r, p }, waiting };
  const key = await derive(password, used);
  const is_equal = timingSafeEqual(key, Buffer.from(expected, "base64url"));
  return is_equal && stored !== null;
}

/**
 * Requires that a person may choose this password. Its length is in the contract.
 *
 * @throws DomainError `invalid_request`
 */
export async function requireGoodPassword(password: string, owner: PasswordOwner): Promise<void> {
  if (password.trim().toLowerCase() === owner.email)
    throw invalidField("password", "Must not be the email address.");
  if (new Set(password).size < MIN_DIFFERENT) {
    throw invalidField("password", `Must have at least ${MIN_DIFFERENT} different characters.`);
  }
  if (await isCommonPassword(password, owner)) throw invalidField("password", COMMON);
}

const COMMON =
  "Is one of the passwords that are guessed first: a common one, or a name with digits. Choose another, such as four words that do not belong together.";

const MIN_DIFFERENT = 5;

function derive(
  password: string,
  { salt, cost: { N, r, p }, waiting }: { salt: Buffer; cost: PasswordCost; waiting: Waiting },
): Promise<Buffer> {
  // The same text can be typed as different code points (NIST SP 800-63B, 3.1.1.2).
  const text = password.normalize("NFKC");
  const options = { N, r, p, maxmem: MAXIMUM_MEMORY };
  return queue.run(
    waiting,
    () =>
      new Promise<Buffer>((resolve, reject) => {
        scrypt(text, salt, HASH_BYTES, options, (error, key) =>
          error === null ? resolve(key) : reject(error),
        );
      }),
  );
}
