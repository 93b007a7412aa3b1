import { createHmac, randomBytes } from "node:crypto";

/** Stripe's events, each with a unique id, signed when sent. */
export interface SignedEvents {
  kind: "post-stripe-events";
  organization_id: string;
  secret: string;
  /** An event's text around its id; ASCII. */
  body: { before: string; after: string };
}

/** Requests as Stripe sends them. */
export function signedEvents({ organization_id, secret, body }: SignedEvents): () => string {
  const run = randomBytes(6).toString("hex");
  let sent = 0;
  const head = `POST /processors/stripe/${organization_id} HTTP/1.1\r\nhost: bench\r\ncontent-type: application/json; charset=utf-8\r\nstripe-signature: `;
  return () => {
    const text = `${body.before}evt_${run}${sent++}${body.after}`;
    const timestamp = Math.floor(Date.now() / 1000);
    const signature = createHmac("sha256", secret).update(`${timestamp}.${text}`).digest("hex");
    return `${head}t=${timestamp},v1=${signature}\r\ncontent-length: ${text.length}\r\n\r\n${text}`;
  };
}
