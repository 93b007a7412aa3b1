import { type CommissionAmounts, netAmount, netAmounts } from "../facts/refunds.ts";
import type { Correction, ManualCommission, ReversedPayment } from "./history.ts";

/** What remains of a manual commission at a time (null: now), after the refunds of its payment, if it has one. */
export function manualLeft(
  commission: ManualCommission,
  payment: ReversedPayment | undefined,
  moment: Date | null,
): CommissionAmounts | null {
  const { voided, voided_at } = commission.correction ?? {};
  if (voided === true && (moment === null || (voided_at && voided_at <= moment))) return null;
  if (payment === undefined) return commission;
  // Refunds that its amounts take into account are refunds of a smaller payment.
  const { included_minor } = commission;
  return netAmounts(commission, {
    paid_minor: payment.paid_minor - included_minor,
    reversed_minor: payment.reversedAt(moment) - included_minor,
  });
}

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
  if (correction === null) return plain;
  const was_set = (at: Date | null) => at !== null && (moment === null || at <= moment);
  const voided = was_set(correction.voided_at) ? correction.voided : null;
  if (voided === true) return null;
  if (!was_set(correction.amounts_at)) return plain;
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
  const is_gone = reversed_minor > 0n && reversed_minor >= paid_minor;
  if (corrected === null || (is_gone && voided === null)) return null;
  // The payment's earnings may round to zero while the corrected amount does not.
  const all = { paid_minor, reversed_minor };
  const revenue = correction.revenue_minor === null ? netAmount(revenue_minor, all) : corrected.revenue_minor;
  const commission =
    correction.commission_minor === null ? netAmount(commission_minor, all) : corrected.commission_minor;
  return revenue > 0n && commission > 0n ? { revenue_minor: revenue, commission_minor: commission } : null;
}
