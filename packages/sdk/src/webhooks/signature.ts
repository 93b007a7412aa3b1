import { decodeBase64 } from "./base64.ts";
import type { SigningKey } from "./secret.ts";

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
): Uint8Array<ArrayBuffer> {
  if (typeof body === "string") return encoder.encode(`${id}.${timestamp}.${body}`);
  const start = encoder.encode(`${id}.${timestamp}.`);
  const content = new Uint8Array(start.length + body.length);
  content.set(start);
  content.set(body, start.length);
  return content;
}

/** The signatures of version 1 in a `webhook-signature`; other versions are passed over. */
export function readSignatures(header: string): Uint8Array<ArrayBuffer>[] {
  return header.split(" ", MOST_SIGNATURES).flatMap((one) => {
    if (!one.startsWith(VERSION) || one.length !== VERSION.length + LENGTH) return [];
    return decodeBase64(one.slice(VERSION.length)) ?? [];
  });
}

/** Whether one of the keys made one of the signatures; WebCrypto compares in constant time. */
export async function isSigned(
  content: Uint8Array<ArrayBuffer>,
  { signatures, keys }: { signatures: Uint8Array<ArrayBuffer>[]; keys: SigningKey[] },
): Promise<boolean> {
  for (const key of keys)
    for (const signature of signatures)
      if (await crypto.subtle.verify("HMAC", key, signature, content)) return true;
  return false;
}
