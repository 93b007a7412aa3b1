import { divideRounded } from "../../money.ts";
import { inPaymentCurrency } from "./payment-currency.ts";
import type { AmountsFact, DisputeFact, PaymentMade, RefundedTotal, RefundFact } from "./payment-fact.ts";

/** The facts that reverse parts of one payment. */
export interface Reversals {
  refunds: readonly RefundFact[];
  disputes: readonly DisputeFact[];
  totals: readonly RefundedTotal[];
  /** The payment's amounts in other currencies. */
  amounts: readonly AmountsFact[];
}

/**
 * The reversed amount of a payment at a time, in minor units, at most all of it. Refunds are counted by id; a reported
 * sum adds the part that exceeds them. A dispute counts until it is won. Amounts in other currencies are converted.
 */
export function reversedAmountAt(
  payment: Pick<PaymentMade, "paid_minor" | "currency" | "presented">,
  { refunds, disputes, totals, amounts }: Reversals,
  moment: Date | null,
): bigint {
  if (refunds.length === 0 && disputes.length === 0 && totals.length === 0) return 0n;
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
    // The reported sum included refunds that failed later.
    const failed = of_it.filter(
      ({ since, until }) => until !== null && since <= total.at && until > total.at,
    );
    const still_gone = minorOf(total) - sum(failed.filter((refund) => !is_gone(refund)));
    const known = sum(of_it.filter(is_gone));
    if (still_gone > known) beyond += still_gone - known;
  }
  // The sums also include refunds that name none of the charges.
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
 * The rest of an amount after a part of its payment was reversed; zero if the payment is reversed as a whole.
 */
export function netAmount(
  amount: bigint,
  { paid_minor, reversed_minor }: { paid_minor: bigint; reversed_minor: bigint },
): bigint {
  if (reversed_minor <= 0n) return amount;
  if (reversed_minor >= paid_minor) return 0n;
  return divideRounded(amount * (paid_minor - reversed_minor), paid_minor);
}

/**
 * Reduces a commission in proportion to the reversed part of its payment. Each amount is rounded half away from zero.
 * Null: nothing remains, the commission is void.
 */
export function netAmounts(
  { revenue_minor, commission_minor }: CommissionAmounts,
  { paid_minor, reversed_minor }: { paid_minor: bigint; reversed_minor: bigint },
): CommissionAmounts | null {
  if (reversed_minor <= 0n) return { revenue_minor, commission_minor };
  if (reversed_minor >= paid_minor) return null;
  const left = (amount: bigint) => netAmount(amount, { paid_minor, reversed_minor });
  const rest = { revenue_minor: left(revenue_minor), commission_minor: left(commission_minor) };
  return rest.revenue_minor > 0n && rest.commission_minor > 0n ? rest : null;
}
