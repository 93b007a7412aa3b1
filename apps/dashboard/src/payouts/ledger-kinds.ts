import type { LedgerEntry } from "@findersfee/contract/ledger/entries";

export const ledger_kinds: Record<LedgerEntry["kind"], string> = {
  earned: "Earned",
  reduced: "Reduced",
  restored: "Restored",
  voided: "Voided",
  reversed: "Reversed",
  adjusted: "Adjusted",
  withdrawn: "Adjustment withdrawn",
  put_into_payout: "Added to payout",
  taken_out: "Removed from payout",
  paid: "Paid",
  returned: "Returned",
};
