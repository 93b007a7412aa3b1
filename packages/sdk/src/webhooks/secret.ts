import { BASE64, decodeBase64 } from "./base64.ts";
import { WebhookVerificationError } from "./verification-error.ts";

/** The endpoint's secret, or several of them: any may have signed (the receiver's side of a rotation). */
export type WebhookSecret = string | readonly string[];

const PREFIX = "whsec_";

/**
 * The keys that the secrets stand for.
 *
 * @throws WebhookVerificationError `invalid_secret` if one of them is none
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
  if (bytes === null) throw invalidSecret(whatIsWrong(secret, text));
  return bytes;
}

const MISSING =
  "The webhook secret is empty or missing. Is the environment variable set that it is read from?";

const FROM =
  "It is shown when the endpoint is made or its secret rotated: `whsec_` and 44 characters, the last of them `=`.";

function whatIsWrong(secret: string, text: string): string {
  if (/^ff_(sk|pk)_/.test(secret)) return `This is an API key, not the secret of a webhook endpoint. ${FROM}`;
  if (secret.trim() !== secret)
    return `The webhook secret has white space around it, maybe a line break from a file. Remove it. ${FROM}`;
  if (/^["'`].*["'`]$/.test(secret))
    return `The webhook secret is in quotation marks, which are not part of it. ${FROM}`;
  if (/[-_]/.test(text))
    return `The webhook secret has \`-\` or \`_\` in it; it is standard base64, with \`+\` and \`/\`. ${FROM}`;
  if (BASE64.test(text) && text.length % 4 !== 0)
    return `The webhook secret is cut off: base64 has a multiple of 4 characters, this one ${text.length} behind its prefix. Was the \`=\` at the end lost? ${FROM}`;
  return `The webhook secret is not base64. ${FROM}`;
}

function invalidSecret(message: string): WebhookVerificationError {
  return new WebhookVerificationError("invalid_secret", message);
}
