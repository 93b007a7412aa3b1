import type { RunPayoutRow } from "@findersfee/database/payout-files";
import { mayMove } from "../ledger/payout-states.ts";
import { readAmount } from "./amount.ts";
import type { Result } from "./format.ts";

/**
 * Why a result cannot be taken for the payouts of the run that have its reference; null: it can. What a result says
 * is compared with the payout in all that it says, so that a wrong file, or a wrong line, pays nobody.
 */
export function refusalOf(result: Result, payouts: readonly RunPayoutRow[]): string | null {
  if (result.misplaced !== null) return result.misplaced;
  const [payout, other] = payouts;
  if (payout === undefined) {
    return result.reference === ""
      ? "There is no reference of a payout."
      : `No payout of this run has the reference ${quote(result.reference)}.`;
  }
  if (other !== undefined) {
    return `Two payouts of this run have the reference ${quote(result.reference)}; move them by hand.`;
  }
  if (result.currency.toUpperCase() !== payout.currency) {
    return `The currency is ${quote(result.currency)}, and the payout's ${payout.currency}.`;
  }
  const amount_minor = readAmount(result.amount, payout.currency);
  if (amount_minor !== (result.is_debit ? -payout.amount_minor : payout.amount_minor)) {
    return `The amount is ${quote(result.amount)}, and not the payout's.`;
  }
  if (result.outcome === null) return `Nobody knows the status ${quote(result.status)}.`;
  return immovable(payout.status);
}

/** Why a payout can no longer be paid or fail; null: it can. */
export function immovable(status: RunPayoutRow["status"]): string | null {
  return mayMove(status, "failed") ? null : `The payout is ${status} already.`;
}

const LONGEST_QUOTE = 80;

function quote(text: string): string {
  return `"${text.length > LONGEST_QUOTE ? `${text.slice(0, LONGEST_QUOTE)}…` : text}"`;
}
