import { type EventType, eventBodySchemas, eventTypes } from "@findersfee/contract/webhooks/events";
import type { FeedEvent } from "./feed.ts";

/** A short summary of an event; empty for an unknown type or shape. */
export function summarize(event: Pick<FeedEvent, "type" | "data">): string {
  const type = eventTypes.find((known) => known === event.type);
  return type === undefined ? "" : FACTS[type](event);
}

type Described = Pick<FeedEvent, "type" | "data">;

const FACTS: Record<EventType, (event: Described) => string> = {
  "affiliate.created": (event) => affiliateFacts("affiliate.created", event),
  "affiliate.approved": (event) => affiliateFacts("affiliate.approved", event),
  "affiliate.tier_changed": (event) => {
    const { data } = eventBodySchemas["affiliate.tier_changed"].safeParse(event).data ?? {};
    if (data === undefined) return "";
    const { email, tier, former_tier } = data;
    return `${email}, from ${former_tier?.name ?? "no tier"} to ${tier.name ?? "no tier"}`;
  },
  "referral.created": (event) => referralFacts("referral.created", event),
  "referral.converted": (event) => referralFacts("referral.converted", event),
  "commission.created": (event) => {
    const { data } = eventBodySchemas["commission.created"].safeParse(event).data ?? {};
    if (data === undefined) return "";
    const { commission_amount, currency, affiliate, referral } = data;
    return `${commission_amount} ${currency} for ${affiliate.email}, from ${referral.email}`;
  },
};

function affiliateFacts(type: "affiliate.created" | "affiliate.approved", event: Described): string {
  const { data } = eventBodySchemas[type].safeParse(event).data ?? {};
  return data === undefined ? "" : `${data.email}, in ${data.campaign.name}`;
}

function referralFacts(type: "referral.created" | "referral.converted", event: Described): string {
  const { data } = eventBodySchemas[type].safeParse(event).data ?? {};
  return data === undefined ? "" : `${data.email}, of ${data.affiliate.email}`;
}
