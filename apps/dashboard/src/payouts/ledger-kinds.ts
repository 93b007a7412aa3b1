import type { LedgerEntry } from "@findersfee/contract/ledger/entries";

export const ledger_kinds: Record<LedgerEntry["kind"], string> = {
  earned: "Earned",
  reduced: "Reduced",
  restored: "Restored",
  voided: "Voided",
  reversed: "Reversed",
  adjusted: "Adjusted",
  withdrawn: "Adjustment withdrawn",
  put_into_payout: "Added to a payout",
  taken_out: "Removed from a payout",
  paid: "Paid",
  returned: "Returned",
};
