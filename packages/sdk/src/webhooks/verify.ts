import type { WebhookEvent } from "../events.ts";
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
  /** The `webhook-timestamp`: when this attempt was made. */
  timestamp: Date;
}

/** A delivery with a valid signature. */
export interface VerifiedDelivery extends WebhookDelivery {
  /** The body as it was sent: `{type, data}`. */
  event: WebhookEvent;
}

/**
 * Verifies a delivery by the rules of Standard Webhooks, and returns its event, id and timestamp.
 *
 * The endpoint's secret signed the delivery within the last five minutes. A later version of the service may
 * send types that this version of the SDK does not know: `switch` over `event.type` with a `default` that does
 * nothing, and answer with 2xx, or the service retries the delivery for days.
 *
 * @param rawBody the body as it came, never parsed
 * @param headers the request's headers, names in any case
 * @param secret the endpoint's secret, `whsec_…`; several while it is rotated
 * @throws WebhookVerificationError if it is not to be trusted; `code` and message say why
 */
export async function verify(
  rawBody: RawBody,
  headers: WebhookHeaders,
  secret: WebhookSecret,
  options: VerifyOptions = {},
): Promise<VerifiedDelivery> {
  return verifyDelivery({ rawBody, headers, secret }, options);
}

/** As `verify`, but throws instead of rejecting. */
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
  // Bytes are read from the copy that was verified: a thread that shares the others may change them meanwhile.
  const text = typeof raw === "string" ? raw : decode(content.subarray(content.length - raw.length));
  return { event: parseEvent(text), id: signed.id, timestamp };
}

function noMatch(raw: string | Uint8Array, signatures: number): WebhookVerificationError {
  return new WebhookVerificationError(
    "no_match",
    signatures === 0
      ? "webhook-signature holds no signature of version v1."
      : `None of the signatures in webhook-signature is right. ${adviceOnBody(raw)}`,
  );
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function decode(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new WebhookVerificationError("invalid_body", "The body is signed, but no UTF-8.");
  }
}

function parseEvent(text: string): WebhookEvent {
  const value = parseJson(text);
  if (!isEvent(value))
    throw new WebhookVerificationError("invalid_body", "The body is signed, but no JSON object.");
  return value;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whoever holds the secret wrote it, and the service writes what the types say; no schema is needed to trust it. */
function isEvent(value: unknown): value is WebhookEvent {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
