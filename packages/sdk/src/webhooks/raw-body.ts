import { WebhookVerificationError } from "./verification-error.ts";

/** The raw body: bytes, or their text if decoded as UTF-8 in one piece. */
export type RawBody = string | Uint8Array | ArrayBuffer;

const HOW =
  "Pass the raw body, unchanged. " +
  'Express: put express.raw({ type: "*/*" }) on this route, before any express.json(), and pass request.body. ' +
  'Fastify: add a content-type parser with { parseAs: "buffer" } and pass request.body. ' +
  "Next.js route handlers, Hono, workers: pass await request.text(). " +
  "Or use expressHandler, fastifyPlugin or fetchHandler, which do this.";

/**
 * Reads text or bytes from a body argument.
 *
 * @throws WebhookVerificationError `parsed_body` or `invalid_body`, with instructions for getting the raw body
 */
export function readRawBody(body: unknown): string | Uint8Array {
  const raw = textOrBytes(body);
  if (raw === null) throw wrongBody(body);
  if (raw.length === 0)
    throw new WebhookVerificationError(
      "invalid_body",
      `The body is empty. Did a body parser read it first? ${HOW}`,
    );
  return raw;
}

/** Null for any other type. */
export function textOrBytes(body: unknown): string | Uint8Array | null {
  if (typeof body === "string") return body;
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
  return isArrayBuffer(body) ? new Uint8Array(body) : null;
}

/** Also matches bytes from another realm. */
function isArrayBuffer(body: unknown): body is ArrayBuffer {
  return Object.prototype.toString.call(body) === "[object ArrayBuffer]";
}

function wrongBody(body: unknown): WebhookVerificationError {
  if (body === undefined || body === null)
    return new WebhookVerificationError("invalid_body", `The body is ${body}. ${HOW}`);
  if (typeof body === "object" && ("getReader" in body || "arrayBuffer" in body || "then" in body))
    return new WebhookVerificationError(
      "invalid_body",
      `This is a request, a stream or a promise, not a body. ${HOW}`,
    );
  return new WebhookVerificationError(
    "parsed_body",
    `The body was parsed, so its raw bytes are lost; serialized again it would have another signature. ${HOW}`,
  );
}

/** Advice for a body that matches no signature. */
export function adviceOnBody(raw: string | Uint8Array): string {
  if (raw === "[object Object]") return `The body is "[object Object]": it was parsed. ${HOW}`;
  if (typeof raw === "string" && raw.includes("\ufffd"))
    return "The body contains the character U+FFFD: its bytes were decoded piece by piece, or not as UTF-8. Join the bytes before decoding, or pass the bytes.";
  return (
    "Either the secret is not that of this endpoint (after a rotation the old one stays valid for 24 hours), " +
    `or the body was changed: parsed and serialized again it has another signature. ${HOW}`
  );
}
