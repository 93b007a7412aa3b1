import { createHash } from "node:crypto";
import type { ApiVersion, StripeObject } from "./api-version.ts";

export interface SampleEvent {
  /** Default: a hash of the other fields, so that equal events have equal ids. */
  id?: string;
  type: string;
  object: StripeObject;
  api_version: ApiVersion;
  /** Seconds since 1970. */
  created: number;
  livemode?: boolean;
}

/** An event as Stripe sends it to a webhook endpoint. */
export function stripeEvent(sample: SampleEvent): StripeObject {
  const { type, object, api_version, created, livemode = false } = sample;
  const data = { object: "livemode" in object ? { ...object, livemode } : object };
  const content = { api_version, created, data, livemode, type };
  return {
    id: sample.id ?? `evt_${createHash("sha256").update(JSON.stringify(content)).digest("hex").slice(0, 24)}`,
    object: "event",
    api_version,
    created,
    data,
    livemode,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type,
  };
}
