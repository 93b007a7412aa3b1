import { areSomeOf, isId, isOneOf, LIST_FIELDS, searchReader } from "../../lists/search.ts";

export const STATUSES = ["active", "trialing", "past_due", "canceled", "signed_up"] as const;

/** The list's parameters in the address. */
export const readReferralSearch = searchReader({
  ...LIST_FIELDS,
  status: areSomeOf(STATUSES),
  affiliate: isId,
});

/** The order of the timeline. */
export const readTimelineSearch = searchReader({ by: isOneOf(["received"]) });
