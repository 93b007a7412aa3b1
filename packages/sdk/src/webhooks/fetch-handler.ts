import type { WebRequest, WebResponse } from "../environment.ts";
import type { WebhookHandlerOptions } from "./handler-options.ts";
import { exceedsLimit, readBounded } from "./read-body.ts";
import { receive } from "./receive.ts";
import { WebhookVerificationError } from "./verification-error.ts";

/**
 * A handler for frameworks that use `Request` and `Response`: Next.js route handlers (`export const POST =
 * fetchHandler(…)`), Hono (`app.post("/hooks", (c) => handler(c.req.raw))`), workers, Bun, Deno. It never
 * rejects: it responds with 204 when the event was handled or skipped, 400 with the reason when verification
 * fails, 405, 413, 500 when `onEvent` failed, and 503 while another copy is being handled.
 */
export function fetchHandler(options: WebhookHandlerOptions): (request: WebRequest) => Promise<WebResponse> {
  return async (request) => {
    const { method, headers } = request;
    const readBody = (maxBytes: number) => readRequest(request, maxBytes);
    const answer = await receive({ method, headers, readBody }, options);
    return new Response(answer.text, { status: answer.status, headers: answer.headers });
  };
}

async function readRequest(request: WebRequest, maxBytes: number): Promise<Uint8Array | null> {
  if (request.bodyUsed || request.body?.locked)
    throw new WebhookVerificationError(
      "body_used",
      "The request's body was read before it reached this handler. Pass the request to the handler first, or " +
        "pass a request.clone() made before the body was read (middleware that parses bodies must skip this path).",
    );
  if (exceedsLimit(request.headers.get("content-length"), maxBytes)) return null;
  if (request.body === null) return new Uint8Array();
  const reader = request.body.getReader();
  const body = await readBounded(() => reader.read(), maxBytes);
  // biome-ignore lint/plugin/swallowed-failure: the body is rejected as too large either way
  if (body === null) void reader.cancel().catch(() => {});
  return body;
}
