import { timingSafeEqual } from "node:crypto";
import { signatureKey, signWebhook } from "../../webhooks/deliveries/signature.ts";
import { type SignatureProblem, TOLERANCE_SECONDS } from "../stripe/signature.ts";

/** The signature headers of a message, the same as in our own webhooks. */
export interface SignatureHeaders {
  id: string;
  timestamp: string;
  signature: string;
}

/** Null when one of the header's signatures matches one of the secrets and the timestamp is fresh. */
export function genericSignatureProblem(
  body: string,
  { id, timestamp, signature }: SignatureHeaders,
  { secrets, now_seconds }: { secrets: readonly string[]; now_seconds: number },
): SignatureProblem | null {
  if (id === "" || signature === "" || !/^[0-9]{1,11}$/.test(timestamp)) return "missing";
  const content = { id, timestamp: Number(timestamp), body };
  const expected = secrets.map((secret) => Buffer.from(signWebhook(content, [signatureKey(secret)])));
  const given = signature.split(" ").map((text) => Buffer.from(text));
  const matches = given.some((candidate) => expected.some((valid) => isEqual(candidate, valid)));
  if (!matches) return "mismatch";
  return Math.abs(now_seconds - content.timestamp) > TOLERANCE_SECONDS ? "stale" : null;
}

function isEqual(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}
