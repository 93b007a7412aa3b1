import type { ProcessorName } from "@findersfee/contract/processors/processors";
import { invalidField } from "../../errors.ts";
import { newSigningSecret } from "../../secrets/secrets.ts";

/**
 * The given secret. Stripe generates its own; for other processors, we generate a missing one. Errors:
 * `invalid_request`.
 */
export function signingSecretOf(name: ProcessorName, secret: string | undefined): string {
  if (secret !== undefined) {
    if (name === "generic") requireBase64(secret);
    return secret;
  }
  if (name === "generic") return newSigningSecret();
  throw invalidField(
    "signing_secret",
    "Required: Stripe shows it under Developers, Webhooks, at the endpoint, as its signing secret.",
  );
}

/** Stripe signs with the secret's text, we with its decoded bytes. */
function requireBase64(secret: string): void {
  const text = secret.slice("whsec_".length);
  if (Buffer.from(text, "base64").toString("base64") === text) return;
  throw invalidField("signing_secret", "Must be whsec_ and the secret in base64.");
}

/** Throws `invalid_request` for accounts that the processor does not support. */
export function requireAccountsFit(name: ProcessorName, connected_accounts: readonly string[]): void {
  if (name === "generic" && connected_accounts.length > 0) {
    throw invalidField("connected_accounts", "Only Stripe has connected accounts.");
  }
}

/** Throws `invalid_request` for an API key that the connection cannot use. */
export function requireApiKeyFits(
  name: ProcessorName,
  { api_key, livemode }: { api_key: string | null; livemode: boolean },
): void {
  if (api_key === null) return;
  if (name === "generic") throw invalidField("api_key", "Only Stripe connections have an API key.");
  if (api_key.includes("_live_") === livemode) return;
  throw invalidField(
    "api_key",
    livemode
      ? "Is a test-mode key: send a live key, or connect in test mode."
      : "Is a live key: send a test-mode key, or connect in live mode.",
  );
}
