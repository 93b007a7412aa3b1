import type { EventType } from "@findersfee/contract/webhooks/events";

const ALL: Record<EventType, true> = {
  "affiliate.created": true,
  "affiliate.approved": true,
  "affiliate.tier_changed": true,
  "referral.created": true,
  "referral.converted": true,
  "commission.created": true,
};

/** The event types, without the contract's schemas, which would be a fifth of the page. */
export const EVENT_TYPES = Object.keys(ALL) as EventType[];
