import { type CommissionAmounts, netAmounts } from "../facts/refunds.ts";
import type { Correction } from "./history.ts";

/**
 * Returns the net commission of a payment at a time, including manual corrections until then. Corrected amounts already
 * account for earlier refunds. Null: the commission is void.
 */
export function netCommission(
  { revenue_minor, commission_minor, paid_minor }: CommissionAmounts & { paid_minor: bigint },
  {
    correction,
    moment,
    reversed_minor,
  }: {
    correction: Correction | null;
    /** Null: now. */
    moment: Date | null;
    reversed_minor: bigint;
  },
): CommissionAmounts | null {
  const plain = netAmounts({ revenue_minor, commission_minor }, { paid_minor, reversed_minor });
  if (correction === null || (moment !== null && moment < correction.corrected_at)) return plain;
  if (correction.voided === true) return null;
  const since = {
    paid_minor: paid_minor - correction.reversed_minor,
    reversed_minor: reversed_minor - correction.reversed_minor,
  };
  const corrected = netAmounts(
    {
      revenue_minor: correction.revenue_minor ?? revenue_minor,
      commission_minor: correction.commission_minor ?? commission_minor,
    },
    since,
  );
  if (corrected === null || (plain === null && correction.voided === null)) return null;
  return {
    revenue_minor: correction.revenue_minor === null ? (plain?.revenue_minor ?? 0n) : corrected.revenue_minor,
    commission_minor:
      correction.commission_minor === null ? (plain?.commission_minor ?? 0n) : corrected.commission_minor,
  };
}
