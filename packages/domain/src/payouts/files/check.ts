import type { RunPayoutRow } from "@findersfee/database/payouts/files";
import { readAmount } from "../../csv/amount.ts";
import { mayMove } from "../../ledger/payout-states.ts";
import type { Result } from "./format.ts";

/**
 * Why a result cannot be applied to the payouts of the run with its reference; null: it can. Every field of the result
 * is compared with the payout, so that a wrong file or line pays nobody.
 */
export function problemOf(result: Result, payouts: readonly RunPayoutRow[]): string | null {
  if (result.misplaced !== null) return result.misplaced;
  const [payout, other] = payouts;
  if (payout === undefined) {
    return result.reference === ""
      ? "The payout's reference is missing."
      : `No payout of this run has the reference ${quote(result.reference)}.`;
  }
  if (other !== undefined) {
    return `Two payouts of this run have the reference ${quote(result.reference)}; move them manually.`;
  }
  if (result.currency.toUpperCase() !== payout.currency) {
    return `The currency is ${quote(result.currency)}, but the payout's is ${payout.currency}.`;
  }
  const amount_minor = readAmount(result.amount, payout.currency);
  if (amount_minor !== (result.is_debit ? -payout.amount_minor : payout.amount_minor)) {
    return `The amount ${quote(result.amount)} differs from the payout's.`;
  }
  if (result.outcome === null) return `The status ${quote(result.status)} is unknown.`;
  return immovable(payout.status);
}

/** Why a payout can no longer be paid or fail; null: it can. */
export function immovable(status: RunPayoutRow["status"]): string | null {
  return mayMove(status, "failed") ? null : `The payout is already ${status}.`;
}

const MAX_QUOTE_LENGTH = 80;

function quote(text: string): string {
  return `"${text.length > MAX_QUOTE_LENGTH ? `${text.slice(0, MAX_QUOTE_LENGTH)}…` : text}"`;
}
