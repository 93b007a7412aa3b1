import type {
  PromoCode,
  PromoCodeRow as PromoCodeListItem,
} from "@findersfee/contract/processors/processors";
import type { AuditedFields } from "@findersfee/database/audit-log/entries";
import type { PromoCodeListRow, PromoCodeRow } from "@findersfee/database/processors/promo-codes";

export function viewPromoCode(row: PromoCodeRow): PromoCode {
  return {
    id: row.id,
    affiliate_id: row.affiliate_id,
    code: row.code,
    external_id: row.external_id,
    linked: row.external_linked,
    state: stateOf(row),
    error: row.reason,
    attempts: row.failures,
    next_attempt_at: row.due_at?.toISOString() ?? null,
  };
}

export function viewPromoCodeRow(row: PromoCodeListRow): PromoCodeListItem {
  return { ...viewPromoCode(row), affiliate_email: row.affiliate_email };
}

function stateOf(row: PromoCodeRow): PromoCode["state"] {
  if (row.coupon === null) return "none";
  if (row.is_own) return "own";
  if (row.due_at !== null) return row.has_key ? "wanted" : "needs_key";
  return row.reason === null ? "made" : "failed";
}

/** The fields in the audit log. */
export function promoCodeFields({ code, external_id, external_linked }: PromoCodeRow): AuditedFields {
  return { code, external_id, linked: external_linked };
}
