import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";

/**
 * The 32 bytes of the key that encrypts. While SECRETS_KEY changes, `other` is the second key: it decrypts as well, and never
 * encrypts.
 */
export type SecretsKey = Buffer & { readonly other?: Buffer };

/** A key that encrypts, with another one that decrypts as well. */
export function withOtherKey(key: Buffer, other: Buffer): SecretsKey {
  return Object.assign(Buffer.from(key), { other });
}

/** The keys that decrypt: the one that encrypts first. */
export function readingKeys(key: SecretsKey): Buffer[] {
  return key.other === undefined ? [key] : [key, key.other];
}

/** The owner of a sealed secret; the secret cannot be opened for another owner. */
export type SecretOwner =
  | { organization_id: string; endpoint_id: string; purpose?: "headers" }
  | { organization_id: string; processor: string; purpose: "signing" | "api_key" }
  | { organization_id: string; purpose: "signup" | "sign_in_provider" }
  | { user_id: string; purpose: "second_factor" }
  | { purpose: "check" | "single_sign_on" };

const CIPHER = "aes-256-gcm";
/** The first byte of a sealed secret: the version of the encryption format. */
const FORMAT = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEADER_BYTES = 1 + NONCE_BYTES + TAG_BYTES;

/** A new signing secret: `whsec_` and 32 random bytes in base64: docs/webhooks.md, "Verifying without a library". */
export function newSigningSecret(): string {
  return `whsec_${randomBytes(32).toString("base64")}`;
}

/** Encrypts a secret for its owner: format, nonce, tag, ciphertext. */
export function sealSecret(key: SecretsKey, owner: SecretOwner, secret: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(ownerBytes(owner));
  const sealed = Buffer.concat([cipher.update(secret, "utf8"), cipher.final()]);
  return Buffer.concat([Buffer.of(FORMAT), nonce, cipher.getAuthTag(), sealed]);
}

/**
 * Decrypts a sealed secret.
 *
 * @throws Error when it was sealed under another key or for another owner, or was changed
 */
export function openSecret(key: SecretsKey, owner: SecretOwner, sealed: Buffer): string {
  if (key.other === undefined) return openWith(key, owner, sealed);
  // biome-ignore lint/plugin/swallowed-failure: the other key's failure is thrown
  try {
    return openWith(key, owner, sealed);
  } catch {
    return openWith(key.other, owner, sealed);
  }
}

function openWith(key: Buffer, owner: SecretOwner, sealed: Buffer): string {
  if (sealed.length < HEADER_BYTES || sealed[0] !== FORMAT)
    throw new Error("The secret is stored in an unknown format.");
  const nonce = sealed.subarray(1, 1 + NONCE_BYTES);
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
    .setAAD(ownerBytes(owner))
    .setAuthTag(sealed.subarray(1 + NONCE_BYTES, HEADER_BYTES));
  return decipher.update(sealed.subarray(HEADER_BYTES), undefined, "utf8") + decipher.final("utf8");
}

/** Whether a sealed secret can be read. */
export function isReadable(key: SecretsKey, owner: SecretOwner, sealed: Buffer): boolean {
  // biome-ignore lint/plugin/swallowed-failure: it throws for a secret that was sealed with another key, which callers report
  try {
    openSecret(key, owner, sealed);
    return true;
  } catch {
    return false;
  }
}

function ownerBytes(owner: SecretOwner): Buffer {
  if ("user_id" in owner) return Buffer.from(`${owner.user_id}:${owner.purpose}`);
  return Buffer.from(
    "organization_id" in owner ? `${owner.organization_id}:${nameOf(owner)}` : owner.purpose,
  );
}

function nameOf(owner: Extract<SecretOwner, { organization_id: string }>): string {
  if ("endpoint_id" in owner)
    return owner.purpose === undefined ? owner.endpoint_id : `${owner.endpoint_id}:${owner.purpose}`;
  return "processor" in owner ? `${owner.processor}:${owner.purpose}` : owner.purpose;
}
