import { type Conversion, readLeadOutcome } from "@findersfee/contract/tracking/conversions";
import type { LeadRow } from "@findersfee/database/attribution/leads";

/** A lead as the API shows it, which a conversion is, too. */
export function viewLead(row: LeadRow): Conversion {
  return {
    id: row.id,
    kind: row.kind,
    reference: row.reference,
    occurred_at: row.occurred_at.toISOString(),
    created_at: row.created_at.toISOString(),
    referral_id: row.referral_id,
    affiliate_id: row.affiliate_id,
    outcome: readLeadOutcome(row.outcome),
    commission_id: row.commission_id,
  };
}
