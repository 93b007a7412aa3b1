import type { PayoutMove } from "@findersfee/contract/payouts/payouts";
import type { PayoutRow } from "@findersfee/database/rows";

/**
 * The states that follow each state of a payout. Failed and canceled are final, and paid is, unless the money comes back; the
 * database refuses other moves, too (guard `payout_final`).
 */
const NEXT: Record<PayoutRow["status"], readonly PayoutMove[]> = {
  pending: ["processing", "failed", "canceled"],
  processing: ["paid", "failed", "canceled"],
  paid: ["failed"],
  failed: [],
  canceled: [],
};

export function mayMove(from: PayoutRow["status"], to: PayoutMove): boolean {
  return NEXT[from].includes(to);
}
