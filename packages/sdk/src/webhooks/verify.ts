import type { WebhookEvent } from "../resources/events.ts";
import { readHeaders, type WebhookHeaders } from "./headers.ts";
import { adviceOnBody, type RawBody, readRawBody } from "./raw-body.ts";
import { signingKeys, type WebhookSecret } from "./secret.ts";
import { isSigned, readSignatures, signedContent } from "./signature.ts";
import { readTimestamp, type Tolerance } from "./timestamp.ts";
import { WebhookVerificationError } from "./verification-error.ts";

export type VerifyOptions = Tolerance;

/** A delivery's id and time. */
export interface WebhookDelivery {
  /** The `webhook-id`: the event's id, the same on every attempt. Deduplicate by it. */
  id: string;
  /** The `webhook-timestamp`: the time of this attempt. */
  timestamp: Date;
}

/** A delivery with a valid signature. */
export interface VerifiedDelivery extends WebhookDelivery {
  /** The body: `{type, data}`. */
  event: WebhookEvent;
}

/**
 * Verifies a delivery by the rules of Standard Webhooks, and returns its event, id and timestamp.
 *
 * A verified delivery was signed with the endpoint's secret within the last five minutes. A later version of
 * the service may send types that this version of the SDK does not know: `switch` over `event.type` with a
 * `default` that does nothing, and respond with 2xx, or the service retries the delivery for days.
 *
 * @param rawBody the raw body, never parsed
 * @param headers the request's headers, with names in any case
 * @param secret the endpoint's secret, `whsec_…`; several during a rotation
 * @throws WebhookVerificationError if verification fails; `code` and message explain why
 */
export async function verify(
  rawBody: RawBody,
  headers: WebhookHeaders,
  secret: WebhookSecret,
  options: VerifyOptions = {},
): Promise<VerifiedDelivery> {
  return verifyDelivery({ rawBody, headers, secret }, options);
}

/** Like `verify`, but throws instead of rejecting. */
export function verifyDelivery(
  { rawBody, headers, secret }: { rawBody: unknown; headers: WebhookHeaders; secret: WebhookSecret },
  options: VerifyOptions,
): VerifiedDelivery {
  const keys = signingKeys(secret);
  const raw = readRawBody(rawBody);
  const signed = readHeaders(headers);
  const timestamp = readTimestamp(signed.timestamp, options);
  const signatures = readSignatures(signed.signature);
  const content = signedContent(signed, raw);
  if (!isSigned(content, { signatures, keys })) throw noMatch(raw, signatures.length);
  // Decodes the verified copy: another thread may change a shared buffer in the meantime.
  const text = typeof raw === "string" ? raw : decode(content.subarray(content.length - raw.length));
  return { event: parseEvent(text), id: signed.id, timestamp };
}

function noMatch(raw: string | Uint8Array, signatures: number): WebhookVerificationError {
  return new WebhookVerificationError(
    "no_match",
    signatures === 0
      ? "webhook-signature contains no well-formed v1 signature."
      : `No signature in webhook-signature matches. ${adviceOnBody(raw)}`,
  );
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function decode(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new WebhookVerificationError("invalid_body", "The body is signed but not valid UTF-8.");
  }
}

function parseEvent(text: string): WebhookEvent {
  const value = parseJson(text);
  if (!isEvent(value))
    throw new WebhookVerificationError("invalid_body", "The body is signed but not a JSON object.");
  return value;
}

function parseJson(text: string): unknown {
  // biome-ignore lint/plugin/swallowed-failure: throws only for text that is not JSON, which callers report
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * A valid signature proves that the service wrote the body, and the service follows the types; no schema
 * check is needed.
 */
function isEvent(value: unknown): value is WebhookEvent {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
