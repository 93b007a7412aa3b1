import type { UpdateAffiliate } from "@findersfee/contract/affiliates";
import type { Issue } from "@findersfee/contract/errors";
import type { AffiliateRow } from "@findersfee/database/rows";

export const AFFILIATE_ERASED = "The affiliate was erased and cannot be restored; create a new affiliate.";

/** Fields that an erased affiliate keeps as its erasure left them. Only `approved`, which earns it nothing, can change. */
const KEPT_FIELDS = [
  "email",
  "first_name",
  "last_name",
  "payout_email",
  "details",
  "banned",
  "new_paid_referral_notifications",
] as const satisfies readonly (keyof UpdateAffiliate & keyof AffiliateRow)[];

/**
 * The issues of an update of an erased affiliate: fields with other values than it has, so that a whole object can be
 * sent back, and any code, even its own: its links and promo codes have been replaced.
 */
export function erasedIssues(row: AffiliateRow, input: UpdateAffiliate): Issue[] {
  const changed = KEPT_FIELDS.filter((name) => input[name] !== undefined && input[name] !== row[name]);
  const codes = (["ref_code", "promo_code"] as const).filter((name) => input[name] !== undefined);
  return [...changed, ...codes].map((path) => ({ path, message: AFFILIATE_ERASED }));
}
