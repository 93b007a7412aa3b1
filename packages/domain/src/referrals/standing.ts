import type { ReferralWithAffiliateRow } from "@findersfee/database/rows";
import { DomainError, notFound } from "../errors.ts";

/** A referral that still stands. Errors: `not_found`, also for one that turned out to be another's or nobody's. */
export function standingReferral(row: ReferralWithAffiliateRow | null): ReferralWithAffiliateRow {
  if (row === null) throw notFound("referral");
  if (row.superseded_at === null) return row;
  throw new DomainError("not_found", {
    message:
      "This referral no longer stands: its customer's checkouts and payments, as the processor told of them, are another referral's or nobody's.",
  });
}
