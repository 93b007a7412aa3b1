import type { ProcessorName } from "@findersfee/contract/processors";
import { invalidField } from "../../errors.ts";
import { newSigningSecret } from "../../webhooks/secrets.ts";

/** The secret that was said. Stripe makes its own; for others we make one. Errors: `invalid_request`. */
export function signingSecretOf(name: ProcessorName, said: string | undefined): string {
  if (said !== undefined) {
    if (name === "generic") requireBase64(said);
    return said;
  }
  if (name === "generic") return newSigningSecret();
  throw invalidField(
    "signing_secret",
    "Required: Stripe shows it under Developers, Webhooks, at the endpoint, as its signing secret.",
  );
}

/** Stripe signs with the secret's text, we with the bytes that it stands for. */
function requireBase64(secret: string): void {
  const text = secret.slice("whsec_".length);
  if (Buffer.from(text, "base64").toString("base64") === text) return;
  throw invalidField("signing_secret", "Must be whsec_ and the secret in base64.");
}

/** Throws `invalid_request` for accounts that the processor does not have. */
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
  if (name === "generic") throw invalidField("api_key", "Is for Stripe only.");
  if (api_key.includes("_live_") === livemode) return;
  throw invalidField(
    "api_key",
    livemode
      ? "Is a key of test mode: send a live one, or connect in test mode."
      : "Is a live key: send one of test mode, or connect in live mode.",
  );
}
