import { currencyDecimals, isCurrency } from "@findersfee/contract/currencies";
import { divideRounded } from "../../money.ts";
import { refuse } from "../unsupported.ts";

/*
 * Stripe's integers are not always ISO 4217's minor units. Stripe documents its currencies at
 * https://docs.stripe.com/currencies, under "Zero-decimal currencies", "Three-decimal currencies" and
 * "Special cases". All other currencies have two decimals.
 *
 *              ISO 4217   Stripe   an amount of 500 is   so 500 becomes
 *   USD, …            2        2                  5.00   500
 *   JPY, …            0        0                   500   500
 *   KWD, …            3        3                 0.500   500   (the last digit is always 0 at Stripe)
 *   MGA               2        0                   500   50000
 *   ISK, UGX          0        2                     5   5     (always whole hundreds: "To charge 5 UGX,
 *                                                               provide an amount value of 500")
 *
 * HUF and TWD, also listed as special cases, have two decimals in charges as in ISO 4217; only payouts of
 * them are of whole units. Stripe lists UGX among the currencies without decimals, too; the special case is
 * the later word, and an amount of it that is no whole hundred is parked instead of taken for a hundredth.
 */

const WITHOUT_DECIMALS = new Set("BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF".split(" "));

const WITH_THREE_DECIMALS = new Set("BHD JOD KWD OMR TND".split(" "));

function stripeDecimals(currency: string): number {
  if (WITHOUT_DECIMALS.has(currency)) return 0;
  return WITH_THREE_DECIMALS.has(currency) ? 3 : 2;
}

/** An amount in Stripe's unit, with its currency, and its path in the event. */
export interface StripeAmount {
  amount: number;
  /** ISO 4217, capital letters. */
  currency: string;
  path: string;
}

/** Converts an amount of Stripe to ISO 4217's minor units. Rejects one that cannot be converted exactly. */
export function minorUnits({ amount, currency, path }: StripeAmount): bigint {
  if (!isCurrency(currency)) return refuse(path, `${currency} is no currency of ISO 4217.`);
  const [ours, theirs] = [currencyDecimals(currency), stripeDecimals(currency)];
  // Stripe does not document its unit for the other three-decimal currencies.
  if (ours === 3 && theirs !== 3) return refuse(path, `Stripe does not document its unit of ${currency}.`);
  if (ours >= theirs) return BigInt(amount) * 10n ** BigInt(ours - theirs);
  const divisor = 10n ** BigInt(theirs - ours);
  if (BigInt(amount) % divisor !== 0n) {
    return refuse(path, `${amount} is no whole amount of ${currency}, which Stripe writes in hundredths.`);
  }
  return BigInt(amount) / divisor;
}

/** Amounts in the same currency and unit. */
interface Totals {
  /** The total, with tax. */
  total: number;
  total_excluding_tax: number;
}

/**
 * The part of a paid amount without tax, if tax has the same share as in the total: rounded half away from zero. A
 * payment for a total of zero (only a former debt) has an unknown tax.
 */
export function netAmount(paid_minor: bigint, { total, total_excluding_tax }: Totals): bigint {
  if (total === 0) return paid_minor;
  const sign = total < 0 ? -1n : 1n;
  return divideRounded(sign * paid_minor * BigInt(total_excluding_tax), sign * BigInt(total));
}
