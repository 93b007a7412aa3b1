import type { AffiliateState, Agreement } from "@findersfee/contract/affiliates/rows";

/**
 * An affiliate's state, as people see it. The API shows `approved`, `banned` and `left_at`. An affiliate who
 * left is also banned, so code that skips banned affiliates skips it.
 */
export function stateOf({
  approved,
  banned,
  declined,
  left,
}: {
  approved: boolean;
  banned: boolean;
  declined: boolean;
  left: boolean;
}): AffiliateState {
  if (banned) return left ? "left" : "banned";
  if (declined) return "declined";
  return approved ? "active" : "waiting";
}

/** Whether the person agreed to be the affiliate; null: it was erased. */
export function agreementOf({
  agreed,
  disowned,
  erased,
}: {
  agreed: boolean;
  disowned: boolean;
  erased: boolean;
}): Agreement | null {
  if (erased) return null;
  if (agreed) return "agreed";
  return disowned ? "disowned" : "open";
}
