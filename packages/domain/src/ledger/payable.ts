/*
 * The rule for payable amounts: the due commissions of an affiliate in a currency, if they amount to enough. A
 * commission is due from the time that `dueAt` in packages/database/src/ledger/due.ts gives. That rule is in SQL,
 * because whole balances are summed by it.
 */

/**
 * Whether a payout run pays an amount, in minor units. It never pays zero, even without a minimum, and never collects a
 * negative amount: later commissions are added to it.
 */
export function isPayable(due_minor: bigint, minimum_minor: bigint): boolean {
  return due_minor > 0n && due_minor >= minimum_minor;
}

/**
 * The part that a payout run has in an amount: `included` is paid by it. Amounts are those at the run, in minor units. The
 * preview of a run divides its payees in the same way (`CAPTURE` in packages/database/src/payouts/previews.ts).
 */
export function payableOutcome(
  { due_minor, held_minor, is_withheld }: { due_minor: bigint; held_minor: bigint; is_withheld: boolean },
  minimum_minor: bigint,
): "included" | "below_minimum" | "negative" | "held" | "withheld" | "nothing" {
  if (due_minor === 0n) return held_minor === 0n ? "nothing" : "held";
  if (due_minor < 0n) return "negative";
  if (is_withheld) return "withheld";
  return isPayable(due_minor, minimum_minor) ? "included" : "below_minimum";
}
