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
