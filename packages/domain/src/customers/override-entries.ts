import type { OverrideStory } from "@findersfee/contract/attribution/override-rows";
import type { TimelineEntry } from "@findersfee/contract/customers/referral-rows";
import { NO_ENTRY } from "./fact-entry.ts";

/** A person's decision about the customer in the timeline, and its later changes. */
export function overrideEntries({ type, affiliate, changes, ...override }: OverrideStory): TimelineEntry[] {
  const { created_by: actor, created_by_name: actor_name, created_at: at, reason } = override;
  return [{ change: "made" as const, at, actor, actor_name, reason }, ...changes].map(({ at, ...act }) => ({
    ...NO_ENTRY,
    kind: "override",
    occurred_at: at,
    received_at: at,
    affiliate,
    override: { type, ...act },
  }));
}
