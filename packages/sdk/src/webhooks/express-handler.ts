import type { WebhookHandlerOptions } from "./handler-options.ts";
import { textOrBytes } from "./raw-body.ts";
import { bounded, exceedsLimit, readBounded } from "./read-body.ts";
import { receive } from "./receive.ts";
import type { HandlerResponse } from "./response.ts";
import { WebhookVerificationError } from "./verification-error.ts";

/** Node's IncomingMessage, with the fields that Express and other frameworks add. */
export interface NodeRequest extends AsyncIterable<unknown> {
  method?: string | undefined;
  headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readableDidRead?: boolean;
  readableEnded?: boolean;
  /** The result of a body parser. */
  body?: unknown;
  /** The raw bytes that some platforms keep next to a parsed body. */
  rawBody?: unknown;
}

/** Node's ServerResponse. */
export interface NodeResponse {
  statusCode: number;
  setHeader(name: string, value: string): unknown;
  end(text?: string): unknown;
}

/**
 * A handler for Express 4 and 5 (`app.post("/hooks", expressHandler(…))`), for Next.js API routes without
 * their body parser, and for plain `node:http` (`createServer(expressHandler(…))`). Mount it before
 * `express.json()`; it also works behind `express.raw()`. It responds like `fetchHandler` and never rejects.
 */
export function expressHandler(
  options: WebhookHandlerOptions,
): (request: NodeRequest, response: NodeResponse) => Promise<void> {
  return async (request, response) => {
    const { method = "", headers } = request;
    const readBody = (maxBytes: number) => readRequest(request, maxBytes);
    send(await receive({ method, headers, readBody }, options), response);
  };
}

async function readRequest(request: NodeRequest, maxBytes: number): Promise<string | Uint8Array | null> {
  const raw = textOrBytes(request.rawBody) ?? textOrBytes(request.body);
  if (raw !== null) return bounded(raw, maxBytes);
  if (request.readableDidRead === true || request.readableEnded === true) throw bodyIsGone(request.body);
  const { "content-length": length } = request.headers;
  if (typeof length === "string" && exceedsLimit(length, maxBytes)) return null;
  // Not `for await`: leaving that loop would destroy the request, and the response with it.
  const chunks = request[Symbol.asyncIterator]();
  return await readBounded(() => chunks.next(), maxBytes);
}

function bodyIsGone(body: unknown): WebhookVerificationError {
  const how =
    "Mount the webhook handler before express.json() and other body parsers, or put " +
    'express.raw({ type: "*/*" }) on its route before them.';
  return typeof body === "object" && body !== null
    ? new WebhookVerificationError(
        "parsed_body",
        `The body was parsed before it reached the webhook handler, so its raw bytes are lost. ${how}`,
      )
    : new WebhookVerificationError(
        "body_used",
        `The body was read before it reached the webhook handler. ${how}`,
      );
}

function send({ status, headers, text }: HandlerResponse, response: NodeResponse): void {
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  if (text === null) response.end();
  else response.end(text);
}
