import type { AffiliateState } from "@findersfee/contract/affiliate-rows";

/** An affiliate's state, as people see it. The API shows only `approved` and `banned`. */
export function stateOf({
  approved,
  banned,
  declined,
}: {
  approved: boolean;
  banned: boolean;
  declined: boolean;
}): AffiliateState {
  if (banned) return "banned";
  if (declined) return "declined";
  return approved ? "active" : "waiting";
}
