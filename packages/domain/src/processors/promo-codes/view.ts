import type { PromoCode } from "@findersfee/contract/processors";
import type { PromoCodeRow } from "@findersfee/database/promo-codes";

export function viewPromoCode(row: PromoCodeRow): PromoCode {
  return {
    id: row.id,
    affiliate_id: row.affiliate_id,
    code: row.code,
    external_id: row.external_id,
    linked: row.external_linked,
    state: stateOf(row),
    error: row.external_error,
    attempts: row.external_attempts,
    next_attempt_at: row.external_due_at?.toISOString() ?? null,
  };
}

function stateOf(row: PromoCodeRow): PromoCode["state"] {
  if (row.coupon === null) return "none";
  if (row.external_due_at !== null) return "wanted";
  return row.external_error === null ? "made" : "failed";
}
