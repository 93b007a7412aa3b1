import { hash, randomBytes } from "node:crypto";

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const RANDOM_BYTES = 32;
/** As many base62 digits as the largest 32 bytes take. */
const LENGTH = 43;

const PREFIXES = { secret: "ff_sk_", publishable: "ff_pk_", staff: "ff_st_" } as const;

const PATTERN = new RegExp(`^ff_(sk|pk|st)_[0-9A-Za-z]{${LENGTH}}$`);

export type ApiKeyKind = keyof typeof PREFIXES;

/** A new API key: its prefix and 32 bytes of randomness in base62. */
export function newToken(kind: ApiKeyKind): string {
  return PREFIXES[kind] + base62(randomBytes(RANDOM_BYTES));
}

/** Whether a text can be an API key at all. */
export function isToken(text: string): boolean {
  return PATTERN.test(text);
}

/** Whether a key is for pages, where everybody can read it. */
export function isPublishable(token: string): boolean {
  return token.startsWith(PREFIXES.publishable);
}

/** What the database knows a key by. */
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
