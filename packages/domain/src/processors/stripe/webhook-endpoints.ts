import { parseUrl } from "@findersfee/contract/parse-url";
import { required_event_types } from "@findersfee/contract/processors/stripe-events";

/** A Stripe webhook endpoint (https://docs.stripe.com/api/webhook_endpoints/object), with the fields used here. */
export interface WebhookEndpoint {
  url: string;
  /** `enabled` or `disabled`. */
  status: string;
  enabled_events: readonly string[];
}

/** The required event types that no endpoint sends to `path`, or an error if they cannot be determined. */
export function missingEvents(
  endpoints: readonly WebhookEndpoint[],
  path: string,
): { missing_events: string[] } | { error: string } {
  const own = endpoints.filter(({ url }) => pathOf(url).endsWith(path));
  const enabled = own.filter(({ status }) => status === "enabled");
  if (own.length === 0) {
    return {
      error: `Stripe has no webhook endpoint with an address that ends in ${path}: add one under Developers, Webhooks.`,
    };
  }
  if (enabled.length === 0) {
    return { error: `The webhook endpoint ${own[0]?.url} is disabled at Stripe: enable it there.` };
  }
  const sent = new Set(enabled.flatMap(({ enabled_events }) => enabled_events));
  // The wildcard excludes only types that must be selected individually; none of these is required.
  if (sent.has("*")) return { missing_events: [] };
  return { missing_events: required_event_types.filter((type) => !sent.has(type)) };
}

function pathOf(url: string): string {
  return parseUrl(url)?.pathname.replace(/\/$/, "") ?? "";
}
