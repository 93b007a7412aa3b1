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

/**
 * The rates that apply to a payment. Without lines, all of it gets the campaign's rate. The first payment's rate replaces
 * all others but those of 0.
 */
function partsOf({ revenue, lines }: Payment, terms: Terms, is_first: boolean): Part[] {
  const first = is_first ? terms.first_payment : null;
  const rate = first ?? terms.rate;
  const own = Object.entries(terms.products).filter(([, product]) => first === null || product.amount === 0);
  const products = own.flatMap(([product, product_rate]): Part[] => {
    const amounts = lines.filter((line) => line.product === product).map(({ amount }) => amount);
    return amounts.length === 0 ? [] : [{ rate: product_rate, amount: sumOf(amounts) }];
  });
  const rest = revenue - sumOf(products.map(({ amount }) => amount));
  return rest === 0 ? products : [...products, { rate, amount: rest }];
}

function sumOf(amounts: readonly number[]): number {
  return amounts.reduce((sum, amount) => sum + amount, 0);
}

/** What a payment of a referral earns. */
export function earn(
  payment: Payment,
  { terms, is_first, currency }: { terms: Terms; is_first: boolean; currency: string },
): Earning {
  const parts = partsOf(payment, terms, is_first);
  // A fixed amount is for something paid for, not for a discount or a credited product.
  const counted = parts.filter(({ rate, amount }) => rate.type === "percentage" || amount > 0);
  if (counted.length > 0 && counted.every(({ rate }) => rate.amount === 0))
    return { outcome: "product_excluded", amount: 0 };
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

/** The part of a paid amount that a refund or a dispute covers. */
export function partOf(paid: number, percent: number): number {
  return Math.round((paid * percent) / 100);
}
