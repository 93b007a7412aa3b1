import { textOrBytes } from "./raw-body.ts";
import { WebhookVerificationError } from "./verification-error.ts";

/** The next chunk of a stream, as iterators and stream readers return it. */
type NextChunk = () => Promise<{ done?: boolean | undefined; value?: unknown }>;

const encoder = new TextEncoder();

/** Whether a request announces a body over the limit. */
export function exceedsLimit(contentLength: string | null | undefined, maxBytes: number): boolean {
  return Number(contentLength ?? 0) > maxBytes;
}

/**
 * Reads a stream to its end and joins the bytes; null once there are more than `maxBytes`.
 *
 * @throws WebhookVerificationError `invalid_body` if the stream ends early
 */
export async function readBounded(next: NextChunk, maxBytes: number): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await next().catch(breakOff);
    if (done === true) return join(chunks, length);
    const chunk = toBytes(value);
    length += chunk.length;
    if (length > maxBytes) return null;
    chunks.push(chunk);
  }
}

function toBytes(chunk: unknown): Uint8Array {
  const raw = textOrBytes(chunk);
  if (raw === null) throw new TypeError("the request's stream yields neither bytes nor text");
  return typeof raw === "string" ? encoder.encode(raw) : raw;
}

function join(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const [first] = chunks;
  if (first !== undefined && chunks.length === 1) return first;
  const whole = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    whole.set(chunk, offset);
    offset += chunk.length;
  }
  return whole;
}

function breakOff(): never {
  throw new WebhookVerificationError("invalid_body", "The body ended early.");
}

/** Null for a body over the limit that was already read. */
export function bounded(raw: string | Uint8Array, maxBytes: number): string | Uint8Array | null {
  return raw.length > maxBytes ? null : raw;
}
