import { required_event_types } from "./event-types.ts";

/** A webhook endpoint of Stripe's (https://docs.stripe.com/api/webhook_endpoints/object), as far as it matters here. */
export interface WebhookEndpoint {
  url: string;
  /** `enabled` or `disabled`. */
  status: string;
  enabled_events: readonly string[];
}

/** The required event types that no endpoint sends to `path`; or why that cannot be said. */
export function missingEvents(
  endpoints: readonly WebhookEndpoint[],
  path: string,
): { missing_events: string[] } | { error: string } {
  const own = endpoints.filter(({ url }) => pathOf(url).endsWith(path));
  const enabled = own.filter(({ status }) => status === "enabled");
  if (own.length === 0) {
    return {
      error: `Stripe has no webhook endpoint whose address ends in ${path}: add one under Developers, Webhooks.`,
    };
  }
  if (enabled.length === 0) {
    return { error: `The webhook endpoint ${own[0]?.url} is disabled at Stripe: enable it there.` };
  }
  const sent = new Set(enabled.flatMap(({ enabled_events }) => enabled_events));
  // All but those that must be selected one by one, of which none is required.
  if (sent.has("*")) return { missing_events: [] };
  return { missing_events: required_event_types.filter((type) => !sent.has(type)) };
}

function pathOf(url: string): string {
  return URL.canParse(url) ? new URL(url).pathname.replace(/\/$/, "") : "";
}
