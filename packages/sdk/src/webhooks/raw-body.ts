import { WebhookVerificationError } from "./verification-error.ts";

/** The body as it came: bytes, or their text if they were decoded as UTF-8 in one piece. */
export type RawBody = string | Uint8Array | ArrayBuffer;

const HOW =
  "Pass the raw body, as it came. " +
  'Express: put express.raw({ type: "*/*" }) on this route, before any express.json(), and pass request.body. ' +
  'Fastify: add a content-type parser with { parseAs: "buffer" } and pass request.body. ' +
  "Next.js route handlers, Hono, workers: pass await request.text(). " +
  "Or take expressHandler, fastifyPlugin or fetchHandler, which do this.";

/**
 * Text or bytes of what was given as a body.
 *
 * @throws WebhookVerificationError `parsed_body` or `invalid_body`, which say how to get the raw body
 */
export function readRawBody(body: unknown): string | Uint8Array {
  const raw = textOrBytes(body);
  if (raw === null) throw wrongBody(body);
  if (raw.length === 0)
    throw new WebhookVerificationError(
      "invalid_body",
      `The body is empty. Was it read before, by a body parser? ${HOW}`,
    );
  return raw;
}

/** Null for anything that is neither. */
export function textOrBytes(body: unknown): string | Uint8Array | null {
  if (typeof body === "string") return body;
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
  return isArrayBuffer(body) ? new Uint8Array(body) : null;
}

/** Also one of another realm. */
function isArrayBuffer(body: unknown): body is ArrayBuffer {
  return Object.prototype.toString.call(body) === "[object ArrayBuffer]";
}

function wrongBody(body: unknown): WebhookVerificationError {
  if (body === undefined || body === null)
    return new WebhookVerificationError("invalid_body", `The body is ${body}. ${HOW}`);
  if (typeof body === "object" && ("getReader" in body || "arrayBuffer" in body || "then" in body))
    return new WebhookVerificationError(
      "invalid_body",
      `This is a request, a stream or a promise, not a body that was read. ${HOW}`,
    );
  return new WebhookVerificationError(
    "parsed_body",
    `The body was parsed: its bytes are gone, and written again it would have another signature. ${HOW}`,
  );
}

/** What can be told of a body that no signature fits. */
export function adviceOnBody(raw: string | Uint8Array): string {
  if (raw === "[object Object]") return `The body is "[object Object]": it was parsed. ${HOW}`;
  if (typeof raw === "string" && raw.includes("\ufffd"))
    return "The body holds the character U+FFFD: its bytes were decoded piece by piece, or not as UTF-8. Join the bytes first, or pass them.";
  return (
    "Either the secret is not that of this endpoint (after a rotation the old one signs for 24 hours more), " +
    `or the body is not as it came: parsed and written again it has another signature. ${HOW}`
  );
}
