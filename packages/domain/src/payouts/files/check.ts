import type { RunPayoutRow } from "@findersfee/database/payouts/files";
import { readAmount } from "../../csv/amount.ts";
import type { Result } from "./format.ts";

/**
 * Why a line belongs to no payout of the run; null: it does. A provider's report often has other payments, too, so that such lines
 * are skipped.
 */
export function foreignOf(result: Result, payouts: readonly RunPayoutRow[]): string | null {
  if (result.misplaced !== null) return result.misplaced;
  if (payouts.length > 0) return null;
  return result.reference === ""
    ? "The payout's reference is missing."
    : `No payout of this run has the reference ${quote(result.reference)}.`;
}

/**
 * Why a line cannot be the result of the payouts with its reference; null: it is one. Every field of the result is compared
 * with the payout, so that a wrong file or line pays nobody. A provider that pays multiples of `step_minor` may have been sent the
 * rounded amount.
 */
export function problemOf(
  result: Result,
  [payout, other]: readonly RunPayoutRow[],
  step_minor = 1n,
): string | null {
  if (payout === undefined) return null;
  if (other !== undefined) {
    return `Two payouts of this run have the reference ${quote(result.reference)}; move them manually.`;
  }
  if (result.currency.toUpperCase() !== payout.currency) {
    return `The currency is ${quote(result.currency)}, but the payout's is ${payout.currency}.`;
  }
  const amount_minor = readAmount(result.amount, payout.currency);
  const expected_minor = result.is_debit ? -payout.amount_minor : payout.amount_minor;
  if (amount_minor === null || !isRounded(amount_minor, { expected_minor, step_minor })) {
    return `The amount ${quote(result.amount)} differs from the payout's.`;
  }
  return result.outcome === null ? `The status ${quote(result.status)} is unknown.` : null;
}

function isRounded(
  amount_minor: bigint,
  { expected_minor, step_minor }: { expected_minor: bigint; step_minor: bigint },
): boolean {
  if (amount_minor === expected_minor) return true;
  const difference = amount_minor - expected_minor;
  return (
    amount_minor !== 0n &&
    amount_minor % step_minor === 0n &&
    difference < step_minor &&
    difference > -step_minor
  );
}

const MAX_QUOTE_LENGTH = 80;

function quote(text: string): string {
  return `"${text.length > MAX_QUOTE_LENGTH ? `${text.slice(0, MAX_QUOTE_LENGTH)}…` : text}"`;
}
