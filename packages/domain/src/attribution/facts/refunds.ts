import { divideRounded } from "../../money.ts";
import { inPaymentCurrency } from "./payment-currency.ts";
import type { AmountsFact, DisputeFact, PaymentMade, RefundedTotal, RefundFact } from "./payment-fact.ts";

/** What says that parts of one payment went back. */
export interface Reversals {
  refunds: readonly RefundFact[];
  disputes: readonly DisputeFact[];
  totals: readonly RefundedTotal[];
  /** What the payment is in other currencies. */
  amounts: readonly AmountsFact[];
}

/**
 * How much of a payment is gone at a moment, minor units, at most all of it. Refunds are counted by their
 * ids; where only a sum is reported, what it has beyond them. A dispute takes until it is won. What is in another
 * currency is converted.
 */
export function reversedAmountAt(
  payment: Pick<PaymentMade, "paid_minor" | "currency" | "presented">,
  { refunds, disputes, totals, amounts }: Reversals,
  moment: Date | null,
): bigint {
  const { paid_minor } = payment;
  const minorOf = (part: RefundFact | DisputeFact | RefundedTotal) =>
    inPaymentCurrency(part, { payment, amounts });
  const is_gone = ({ since, until }: RefundFact | DisputeFact) =>
    moment === null ? until === null : since <= moment && (until === null || until > moment);
  const sum = (parts: readonly (RefundFact | DisputeFact)[]) =>
    parts.reduce((total, part) => total + minorOf(part), 0n);
  const gone_refunds = refunds.filter(is_gone);
  let beyond = 0n;
  for (const total of totals) {
    if (moment !== null && total.at > moment) continue;
    const of_it = refunds.filter(({ references }) => references.includes(total.subject));
    // What failed later was part of the sum that was reported.
    const failed = of_it.filter(
      ({ since, until }) => until !== null && since <= total.at && until > total.at,
    );
    const still_gone = minorOf(total) - sum(failed.filter((refund) => !is_gone(refund)));
    const known = sum(of_it.filter(is_gone));
    if (still_gone > known) beyond += still_gone - known;
  }
  // Refunds that name none of the charges are in one of the sums, too.
  const unnamed = sum(
    gone_refunds.filter(({ references }) => !totals.some(({ subject }) => references.includes(subject))),
  );
  const refunded = sum(gone_refunds) + (beyond > unnamed ? beyond - unnamed : 0n);
  const gone = refunded + sum(disputes.filter(is_gone));
  if (gone <= 0n) return 0n;
  return gone < paid_minor ? gone : paid_minor;
}

/** Amounts of a commission. */
export interface CommissionAmounts {
  revenue_minor: bigint;
  commission_minor: bigint;
}

/**
 * What is left of a commission when so much of its payment is gone: in proportion, each amount rounded half
 * away from zero. Null: nothing of it, it is void.
 */
export function netAmounts(
  { revenue_minor, commission_minor }: CommissionAmounts,
  { paid_minor, reversed_minor }: { paid_minor: bigint; reversed_minor: bigint },
): CommissionAmounts | null {
  if (reversed_minor <= 0n) return { revenue_minor, commission_minor };
  if (reversed_minor >= paid_minor) return null;
  const left = (amount: bigint) => divideRounded(amount * (paid_minor - reversed_minor), paid_minor);
  const rest = { revenue_minor: left(revenue_minor), commission_minor: left(commission_minor) };
  return rest.revenue_minor > 0n && rest.commission_minor > 0n ? rest : null;
}
