import type { AttributedReferralRow } from "@findersfee/database/attribution/customers";
import type { LeadRow } from "@findersfee/database/attribution/leads";
import type { ReferralRow } from "@findersfee/database/rows";
import type { CustomerOverrides } from "../decide/outcome.ts";

/** A lead that happened, unless its referral already has one of the kind. */
export type NewLead = Pick<LeadRow, "kind" | "reference" | "occurred_at">;

/** A referral with leads that may change. */
export interface TouchedReferral {
  referral: ReferralRow &
    Pick<AttributedReferralRow, "affiliate_id" | "attributed_by" | "moved_from" | "replaced_at">;
  /** When it began to count. */
  since: Date;
  /** It has no leads yet. */
  is_new: boolean;
  new_leads: NewLead[];
  /** Null: no person decided about the customer. */
  overrides: CustomerOverrides | null;
  /** For the ledger. */
  cause: string;
}
