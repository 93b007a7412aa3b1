import { createHmac, hkdfSync } from "node:crypto";
import type { SecretsKey } from "../../secrets/secrets.ts";

const KEY_BYTES = 32;

/**
 * The token of a row of `portal_tokens`: an HMAC of its id. So a repeated request gets the same token although the database
 * stores only its hash, and stored answers for Idempotency-Keys have none.
 */
export function portalToken(secrets_key: SecretsKey, id: string): string {
  const key = Buffer.from(hkdfSync("sha256", secrets_key, "", "findersfee portal tokens", KEY_BYTES));
  return createHmac("sha256", key).update(id).digest("base64url");
}
