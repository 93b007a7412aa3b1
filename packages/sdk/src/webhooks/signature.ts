import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { decodeBase64 } from "./base64.ts";

const VERSION = "v1,";
/** HMAC-SHA256 in base64. */
const LENGTH = 44;
/** A rotation makes two; what is behind these is not looked at. */
const MOST_SIGNATURES = 16;

const encoder = new TextEncoder();

/** What is signed: `<id>.<timestamp>.<body>`. */
export function signedContent(
  { id, timestamp }: { id: string; timestamp: string },
  body: string | Uint8Array,
): Uint8Array {
  if (typeof body === "string") return encoder.encode(`${id}.${timestamp}.${body}`);
  const start = encoder.encode(`${id}.${timestamp}.`);
  const content = new Uint8Array(start.length + body.length);
  content.set(start);
  content.set(body, start.length);
  return content;
}

/** The signatures of version 1 in a `webhook-signature`; other versions are passed over. */
export function readSignatures(header: string): Uint8Array[] {
  return header.split(" ", MOST_SIGNATURES).flatMap((one) => {
    if (!one.startsWith(VERSION) || one.length !== VERSION.length + LENGTH) return [];
    return decodeBase64(one.slice(VERSION.length)) ?? [];
  });
}

/**
 * Whether one of the keys made one of the signatures. The hash is computed here and now: WebCrypto has another
 * thread do it, and for a delivery's few KiB the way there and back takes longer than the work.
 */
export function isSigned(
  content: Uint8Array,
  { signatures, keys }: { signatures: readonly Uint8Array[]; keys: readonly Uint8Array[] },
): boolean {
  let signed = false;
  for (const key of keys) {
    const expected = hmac(sha256, key, content);
    // To stop at the first that fits would tell which one it was.
    for (const signature of signatures) signed = isSame(expected, signature) || signed;
  }
  return signed;
}

/** Takes as long wherever two of one length differ: else a signature could be guessed byte by byte. */
function isSame(one: Uint8Array, other: Uint8Array): boolean {
  if (one.length !== other.length) return false;
  return one.reduce((difference, byte, index) => difference | (byte ^ (other[index] ?? 0)), 0) === 0;
}
