import { BASE64, decodeBase64 } from "./base64.ts";
import { WebhookVerificationError } from "./verification-error.ts";

/** The endpoint's secret, or several during a rotation: a delivery is signed with any of them. */
export type WebhookSecret = string | readonly string[];

const PREFIX = "whsec_";

/**
 * Decodes the secrets into keys.
 *
 * @throws WebhookVerificationError `invalid_secret` if a secret is invalid
 */
export function signingKeys(secret: WebhookSecret): Uint8Array[] {
  const secrets = typeof secret === "string" ? [secret] : secret;
  if (!Array.isArray(secrets) || secrets.length === 0) throw invalidSecret(MISSING);
  return secrets.map(decodeSecret);
}

function decodeSecret(secret: string): Uint8Array {
  if (typeof secret !== "string" || secret === "" || secret === PREFIX) throw invalidSecret(MISSING);
  const text = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret;
  const bytes = decodeBase64(text);
  if (bytes === null) throw invalidSecret(describeProblem(secret, text));
  return bytes;
}

const MISSING = "The webhook secret is empty or missing. Check that its environment variable is set.";

const FROM =
  "The service shows it when you create the endpoint or rotate its secret: `whsec_` and 44 characters, the last of them `=`.";

function describeProblem(secret: string, text: string): string {
  if (/^ff_(sk|pk)_/.test(secret)) return `This is an API key, not the secret of a webhook endpoint. ${FROM}`;
  if (secret.trim() !== secret)
    return `The webhook secret has leading or trailing whitespace, such as a line break from a file. Remove it. ${FROM}`;
  if (/^["'`].*["'`]$/.test(secret))
    return `The webhook secret is in quotation marks, which are not part of it. ${FROM}`;
  if (/[-_]/.test(text))
    return `The webhook secret contains \`-\` or \`_\`; it must be standard base64, with \`+\` and \`/\`. ${FROM}`;
  if (BASE64.test(text) && text.length % 4 !== 0)
    return `The webhook secret is truncated: base64 has a multiple of 4 characters, this one has ${text.length} after its prefix. Check for a missing \`=\` at the end. ${FROM}`;
  return `The webhook secret is not base64. ${FROM}`;
}

function invalidSecret(message: string): WebhookVerificationError {
  return new WebhookVerificationError("invalid_secret", message);
}
