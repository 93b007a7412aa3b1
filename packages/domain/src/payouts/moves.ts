import type { PayoutMove } from "@findersfee/contract/payouts";
import type { PayoutRow } from "@findersfee/database/rows";

/** What a payout may become from where it stands. What is paid, failed or canceled stays so. */
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
