import { type Payment, type Rate, type Terms, unitOf } from "./history.ts";

/*
 * Amounts by "Commission amounts" and "Refunds and disputes" of docs/concepts.md. All are in minor units.
 */

/** Exact amounts are in millionths: a percentage has at most four decimals. */
const EXACT = 1_000_000n;

export interface Earning {
  outcome: string;
  amount: number;
}

/** Divides and rounds half away from zero. */
function divide(amount: bigint, by: bigint): number {
  const doubled = 2n * (amount < 0n ? -amount : amount);
  const rounded = (doubled + by) / (2n * by);
  return Number(amount < 0n ? -rounded : rounded);
}

/** What remains of an amount after a part of its payment was reversed. */
export function reduce(amount: number, { paid, reversed }: { paid: number; reversed: number }): number {
  if (paid <= 0) return amount;
  return divide(BigInt(amount) * BigInt(Math.max(0, paid - reversed)), BigInt(paid));
}

interface Part {
  rate: Rate;
  amount: number;
}

/** The rates that apply to a payment. Without lines, all of it gets the campaign's rate. */
function partsOf({ revenue, lines }: Payment, terms: Terms, is_first: boolean): Part[] {
  if (is_first && terms.first_payment !== null) return [{ rate: terms.first_payment, amount: revenue }];
  if (lines.length === 0) return [{ rate: terms.rate, amount: revenue }];
  const sums = new Map<string | null, number>();
  for (const { product, amount } of lines) {
    const key = product !== null && product in terms.products ? product : null;
    sums.set(key, (sums.get(key) ?? 0) + amount);
  }
  return [...sums].map(([product, amount]) => ({
    rate: product === null ? terms.rate : (terms.products[product] ?? terms.rate),
    amount,
  }));
}

/** What a payment of a referral earns. */
export function earn(
  payment: Payment,
  { terms, is_first, currency }: { terms: Terms; is_first: boolean; currency: string },
): Earning {
  const parts = partsOf(payment, terms, is_first);
  const fixed = parts.filter(({ rate, amount }) => rate.type === "fixed" && amount > 0);
  if (fixed.length > 0 && payment.currency !== currency) {
    return { outcome: "fixed_amount_other_currency", amount: 0 };
  }
  const exact = parts.reduce((sum, part) => sum + exactAmountOf(part, currency), 0n);
  const limit = BigInt(payment.revenue) * EXACT;
  const is_capped = terms.commission_cap && fixed.length > 0 && exact > limit;
  const amount = divide(is_capped ? limit : exact, EXACT);
  if (amount === 0) return { outcome: "commission_is_zero", amount: 0 };
  if (amount < 0) return { outcome: "commission_is_negative", amount: 0 };
  return { outcome: "commission", amount };
}

function exactAmountOf({ rate, amount }: Part, currency: string): bigint {
  if (rate.type === "percentage") return BigInt(amount) * BigInt(Math.round(rate.amount * 10_000));
  return amount <= 0 ? 0n : BigInt(Math.round(rate.amount * unitOf(currency))) * EXACT;
}
