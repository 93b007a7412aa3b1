import { handle } from "./handle.ts";
import type { WebhookHandlerOptions } from "./handler-options.ts";
import type { WebhookHeaders } from "./headers.ts";
import { report } from "./report.ts";
import { type HandlerResponse, METHOD_NOT_ALLOWED, TOO_LARGE, withText } from "./response.ts";
import { WebhookVerificationError } from "./verification-error.ts";
import { verifyDelivery } from "./verify.ts";

/** Deliveries are a few KiB. */
const MAX_BODY_BYTES = 1024 * 1024;

/** The parts of a request that each framework's handler provides. */
export interface IncomingDelivery {
  method: string;
  headers: WebhookHeaders;
  /** Reads up to the limit of the raw body; null when it is larger. */
  readBody: (maxBytes: number) => Promise<string | Uint8Array | null>;
}

/** Verifies a delivery, handles its event, and returns the response. Never rejects. */
export async function receive(
  { method, headers, readBody }: IncomingDelivery,
  options: WebhookHandlerOptions,
): Promise<HandlerResponse> {
  if (method !== "POST") return METHOD_NOT_ALLOWED;
  try {
    const rawBody = await readBody(options.maxBodyBytes ?? MAX_BODY_BYTES);
    if (rawBody === null) return TOO_LARGE;
    const verified = verifyDelivery({ rawBody, headers, secret: options.secret }, options);
    return await handle(verified, options);
  } catch (error) {
    return await refuse(error, options);
  }
}

async function refuse(error: unknown, options: WebhookHandlerOptions): Promise<HandlerResponse> {
  if (!(error instanceof WebhookVerificationError)) {
    await report(error, null, options);
    return withText(500, "The receiver failed.");
  }
  const reason = `${error.code}: ${error.message}`;
  if (isOurs(error)) {
    await report(error, null, options);
    return withText(500, reason);
  }
  try {
    await options.onRefused?.(error);
  } catch (failure) {
    await report(failure, null, options);
  }
  return withText(400, reason);
}

/** Whether the receiver is misconfigured, so that the same delivery passes after a fix. */
function isOurs({ code }: WebhookVerificationError): boolean {
  return code === "invalid_secret" || code === "parsed_body" || code === "body_used";
}
