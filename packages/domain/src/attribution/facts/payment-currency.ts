import { divideRounded } from "../../money.ts";
import type {
  AmountsFact,
  DisputeFact,
  Money,
  PaymentMade,
  RefundedTotal,
  RefundFact,
} from "./payment-fact.ts";

type Part = RefundFact | DisputeFact | RefundedTotal;

interface Whole {
  payment: Pick<PaymentMade, "paid_minor" | "currency" | "presented">;
  /** The payment's amounts in other currencies. */
  amounts: readonly AmountsFact[];
}

/** Exchange rates move between a payment and its dispute: from 95 % on, the balance lost all of it. */
const WHOLE_PERCENT = 95n;

/**
 * Converts a refunded or disputed amount to minor units of the payment's currency: by the ratio of the payment's
 * amounts in the two currencies, else by the ratio of the changes of the organization's balance. An amount that cannot
 * be converted counts as the whole payment, because disputes nearly always cover all of it, and no commission may
 * remain on refunded money.
 */
export function inPaymentCurrency(part: Part, { payment, amounts }: Whole): bigint {
  return convert(part, { payment, amounts }) ?? payment.paid_minor;
}

/** Whether the currency of a refund or dispute cannot be converted. */
export function isUnconverted(part: Part, whole: Whole): boolean {
  return convert(part, whole) === null;
}

function convert(part: Part, { payment, amounts }: Whole): bigint | null {
  const { currency = payment.currency, amount_minor } = part;
  const { paid_minor } = payment;
  if (currency === payment.currency) return amount_minor;
  const known = [
    ...(payment.presented ? [payment.presented] : []),
    ...amounts.flatMap((item) => item.amounts),
  ];
  const whole = inCurrency(known, currency);
  if (whole !== undefined) return divideRounded(amount_minor * paid_minor, whole);
  const withdrawn = (part.kind === "dispute" ? part.withdrawn : undefined) ?? { currency, amount_minor };
  const settled = inCurrency(
    amounts.flatMap((item) => item.settled ?? []),
    withdrawn.currency,
  );
  if (settled === undefined) return null;
  if (withdrawn.amount_minor * 100n >= settled * WHOLE_PERCENT) return paid_minor;
  return divideRounded(withdrawn.amount_minor * paid_minor, settled);
}

/** The payment's amount in a currency, if it is known and positive. */
function inCurrency(known: readonly Money[], currency: string): bigint | undefined {
  return known.find((item) => item.currency === currency && item.amount_minor > 0n)?.amount_minor;
}
