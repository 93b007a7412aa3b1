import type { PayoutMove } from "@findersfee/contract/payouts/payouts";
import type { PayoutRow } from "@findersfee/database/rows";

/**
 * The states that follow each state of a payout. Paid, failed and canceled are final; the database refuses to leave them,
 * too (guard `payout_final`).
 */
const NEXT: Record<PayoutRow["status"], readonly PayoutMove[]> = {
  pending: ["processing", "failed", "canceled"],
  processing: ["paid", "failed", "canceled"],
  paid: [],
  failed: [],
  canceled: [],
};

export function mayMove(from: PayoutRow["status"], to: PayoutMove): boolean {
  return NEXT[from].includes(to);
}
