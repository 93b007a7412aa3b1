import { type Answer, METHOD_NOT_ALLOWED, TOO_LARGE, withText } from "./answer.ts";
import { handle } from "./handle.ts";
import type { WebhookHandlerOptions } from "./handler-options.ts";
import type { WebhookHeaders } from "./headers.ts";
import { report } from "./report.ts";
import { WebhookVerificationError } from "./verification-error.ts";
import { verifyDelivery } from "./verify.ts";

/** A delivery is a few KiB. */
const MAX_BODY_BYTES = 1024 * 1024;

/** A request, as handlers of each framework show it. */
export interface IncomingDelivery {
  method: string;
  headers: WebhookHeaders;
  /** Reads the raw body, at most so much of it; null: it is larger. */
  readBody: (maxBytes: number) => Promise<string | Uint8Array | null>;
}

/** Verifies a delivery, has its event handled, and gives the answer. Never rejects. */
export async function receive(
  { method, headers, readBody }: IncomingDelivery,
  options: WebhookHandlerOptions,
): Promise<Answer> {
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

async function refuse(error: unknown, options: WebhookHandlerOptions): Promise<Answer> {
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

/** Whether the receiver is set up wrongly, so that the same delivery passes once that is put right. */
function isOurs({ code }: WebhookVerificationError): boolean {
  return code === "invalid_secret" || code === "parsed_body" || code === "body_used";
}
