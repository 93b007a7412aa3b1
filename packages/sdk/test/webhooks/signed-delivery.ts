import { randomUUID } from "node:crypto";
import { newSigningSecret } from "@findersfee/domain/secrets/secrets";
import { signatureKey, signWebhook } from "@findersfee/domain/webhooks/deliveries/signature";

export const SECRET = newSigningSecret();

/** An event as the service serializes it, with non-ASCII text. */
export const BODY = JSON.stringify({
  type: "commission.created",
  data: { id: "0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90", commission_amount: 30.5, note: "naïve – ✓ 🦊" },
});

export interface SignedDelivery {
  body: string;
  headers: Record<string, string>;
}

/** A delivery as the service sends it, signed with one or several secrets. */
export function signedDelivery({
  body = BODY,
  secrets = [SECRET],
  id = randomUUID(),
  timestamp = Math.floor(Date.now() / 1000),
}: Partial<{ body: string; secrets: string[]; id: string; timestamp: number }> = {}): SignedDelivery {
  return {
    body,
    headers: {
      "content-type": "application/json; charset=utf-8",
      "webhook-id": id,
      "webhook-timestamp": String(timestamp),
      "webhook-signature": signWebhook({ id, timestamp, body }, secrets.map(signatureKey)),
    },
  };
}
