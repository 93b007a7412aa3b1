import { createHmac } from "node:crypto";

const PREFIX = "whsec_";

/** The bytes of a secret: base64 after its prefix: docs/webhooks.md, "Verifying without a library". */
export function signatureKey(secret: string): Buffer {
  return Buffer.from(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret, "base64");
}

/** The header `webhook-signature`: one signature per key over `<id>.<timestamp>.<body>`. */
export function signWebhook(
  { id, timestamp, body }: { id: string; timestamp: number; body: string },
  keys: readonly Buffer[],
): string {
  const content = `${id}.${timestamp}.${body}`;
  return keys.map((key) => `v1,${createHmac("sha256", key).update(content).digest("base64")}`).join(" ");
}
