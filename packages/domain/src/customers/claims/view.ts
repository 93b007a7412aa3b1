import type { ClaimRow } from "@findersfee/contract/customers/claims";
import type { PortalClaim } from "@findersfee/contract/portal/claims";
import type { ClaimListRow, ClaimRow as Row } from "@findersfee/database/customers/claims";

/** A claim as its affiliate sees it. */
export function viewOwnClaim(row: Row): PortalClaim {
  const { id, email, paid_on, note, state, answer, commission_id } = row;
  return {
    id,
    email,
    paid_on,
    note,
    state,
    answer,
    commission_id,
    created_at: row.created_at.toISOString(),
    decided_at: row.decided_at?.toISOString() ?? null,
  };
}

export function viewClaim(row: ClaimListRow): ClaimRow {
  const { affiliate_id: id, affiliate_email: email, first_name, last_name } = row;
  return {
    ...viewOwnClaim(row),
    payment_known: row.payment_known,
    affiliate: { id, email, first_name, last_name },
  };
}
