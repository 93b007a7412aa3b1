import type { AffiliateState, Agreement } from "@findersfee/contract/affiliates/rows";

/**
 * An affiliate's state, as people see it. The API shows `approved`, `banned` and `left_at`. One who left is banned, too, so
 * that whatever passes over banned affiliates passes over it.
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
