import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { decodeBase64 } from "./base64.ts";

const VERSION = "v1,";
/** HMAC-SHA256 in base64. */
const LENGTH = 44;
/** A rotation produces two; signatures beyond this number are ignored. */
const MAX_SIGNATURES = 16;

const encoder = new TextEncoder();

/** The signed content: `<id>.<timestamp>.<body>`. */
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

/** The version 1 signatures in `webhook-signature`; other versions are skipped. */
export function readSignatures(header: string): Uint8Array[] {
  return header.split(" ", MAX_SIGNATURES).flatMap((signature) => {
    if (!signature.startsWith(VERSION) || signature.length !== VERSION.length + LENGTH) return [];
    return decodeBase64(signature.slice(VERSION.length)) ?? [];
  });
}

/**
 * Whether any key made any of the signatures. Computes the hash synchronously: WebCrypto runs on another
 * thread, and for a delivery of a few KiB the round trip takes longer than the work.
 */
export function isSigned(
  content: Uint8Array,
  { signatures, keys }: { signatures: readonly Uint8Array[]; keys: readonly Uint8Array[] },
): boolean {
  let signed = false;
  for (const key of keys) {
    const expected = hmac(sha256, key, content);
    // Checks all: stopping at the first match would reveal its position.
    for (const signature of signatures) signed = isSame(expected, signature) || signed;
  }
  return signed;
}

/** Compares in constant time; otherwise a signature could be guessed byte by byte. */
function isSame(one: Uint8Array, other: Uint8Array): boolean {
  if (one.length !== other.length) return false;
  return one.reduce((difference, byte, index) => difference | (byte ^ (other[index] ?? 0)), 0) === 0;
}
