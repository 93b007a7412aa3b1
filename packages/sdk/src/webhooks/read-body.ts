import { textOrBytes } from "./raw-body.ts";
import { WebhookVerificationError } from "./verification-error.ts";

/** The next piece of a stream: what iterators and stream readers give alike. */
type NextChunk = () => Promise<{ done?: boolean | undefined; value?: unknown }>;

const encoder = new TextEncoder();

/** Whether a request announces a larger body than is taken. */
export function announcesMore(contentLength: string | null | undefined, maxBytes: number): boolean {
  return Number(contentLength ?? 0) > maxBytes;
}

/**
 * Reads a stream to its end and joins the bytes; null as soon as there are more than `maxBytes`.
 *
 * @throws WebhookVerificationError `invalid_body` if the stream breaks off
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
  if (raw === null) throw new TypeError("the request's stream gives neither bytes nor text");
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
  throw new WebhookVerificationError("invalid_body", "The body broke off before its end.");
}

/** Null for a body that was read already and is larger than it may be. */
export function bounded(raw: string | Uint8Array, maxBytes: number): string | Uint8Array | null {
  return raw.length > maxBytes ? null : raw;
}
