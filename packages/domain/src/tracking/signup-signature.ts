import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { invalidField } from "../errors.ts";
import { base62 } from "../identity/api-keys/token.ts";

const SECRET_BYTES = 32;

/** The signed data of a request. */
export interface SignedSignup {
  click_id: string;
  email: string;
}

/** A new secret for signing sign-ups: `ff_ss_` and 32 random bytes in base62. */
export function newSignupSecret(): string {
  return `ff_ss_${base62(randomBytes(SECRET_BYTES))}`;
}

/**
 * Checks a signature: `<expires>.<hex>`, where `expires` is a Unix time in seconds and the rest the HMAC-SHA256 of
 * `<expires>.<click_id>.<email>` with the secret.
 *
 * @throws DomainError `invalid_request` for a malformed, expired or wrong signature
 */
export function requireSignature(
  signature: string,
  { signup, secrets, now }: { signup: SignedSignup; secrets: readonly string[]; now: Date },
): void {
  const [, expires = "", digest = ""] = /^([0-9]{1,12})\.([0-9a-f]{64})$/.exec(signature) ?? [];
  if (digest === "") throw invalidField("signature", "Must be `<expires>.<64 hex digits>`.");
  const given = Buffer.from(digest, "hex");
  const content = `${expires}.${signup.click_id}.${signup.email}`;
  const is_genuine = secrets.some((secret) =>
    timingSafeEqual(createHmac("sha256", secret).update(content).digest(), given),
  );
  if (!is_genuine) {
    throw invalidField(
      "signature",
      "Does not match. Sign exactly the click_id and email that you send, with the organization's sign-up secret.",
    );
  }
  if (Number(expires) * 1000 <= now.getTime()) {
    throw invalidField("signature", "Has expired. Sign the sign-up again.");
  }
}
