import type { UpdateAffiliate } from "@findersfee/contract/affiliates/affiliates";
import { profile_fields } from "@findersfee/contract/affiliates/fields";
import type { Issue } from "@findersfee/contract/errors";
import type { AffiliateRow } from "@findersfee/database/rows";

export const AFFILIATE_ERASED = "The affiliate was erased and cannot be restored; create a new affiliate.";

/** Fields of an erased affiliate that cannot change: all but `approved`, which earns it nothing. */
const KEPT_FIELDS = [...profile_fields, "banned", "new_paid_referral_notifications"] as const;

/**
 * The issues of an update of an erased affiliate: fields with new values, so that clients can send the whole object
 * back, and any code, even its own, because its links and promo codes were replaced.
 */
export function erasedIssues(row: AffiliateRow, input: UpdateAffiliate): Issue[] {
  const changed = KEPT_FIELDS.filter((name) => input[name] !== undefined && input[name] !== row[name]);
  const codes = (["ref_code", "promo_code"] as const).filter((name) => input[name] !== undefined);
  return [...changed, ...codes].map((path) => ({ path, message: AFFILIATE_ERASED }));
}
