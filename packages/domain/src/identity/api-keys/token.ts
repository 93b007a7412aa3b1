import { hash, randomBytes } from "node:crypto";

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const RANDOM_BYTES = 32;
/** Base62 digits of the largest 32-byte number. */
const LENGTH = 43;

const PREFIXES = { secret: "ff_sk_", publishable: "ff_pk_" } as const;

const PATTERN = new RegExp(`^ff_(sk|pk)_[0-9A-Za-z]{${LENGTH}}$`);

export type ApiKeyKind = keyof typeof PREFIXES;

/** A new API key: its prefix and 32 random bytes in base62. */
export function newToken(kind: ApiKeyKind): string {
  return PREFIXES[kind] + base62(randomBytes(RANDOM_BYTES));
}

/** Whether a text has the format of an API key. */
export function isToken(text: string): boolean {
  return PATTERN.test(text);
}

/** Whether a key is publishable: pages contain it, where anyone can read it. */
export function isPublishable(token: string): boolean {
  return token.startsWith(PREFIXES.publishable);
}

/** The hash by which the database finds a key. */
export function hashToken(token: string): Buffer {
  return hash("sha256", token, "buffer");
}

/** 32 bytes as a base62 number with leading zeros. */
export function base62(bytes: Uint8Array): string {
  let rest = BigInt(`0x${Buffer.from(bytes).toString("hex")}`);
  let digits = "";
  while (digits.length < LENGTH) {
    digits = DIGITS.charAt(Number(rest % 62n)) + digits;
    rest /= 62n;
  }
  return digits;
}
