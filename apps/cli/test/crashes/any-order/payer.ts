import type { ApiVersion } from "@findersfee/samples/stripe/api-version";
import type { SampleLine } from "@findersfee/samples/stripe/invoice-line";
import type { Random } from "./random.ts";

/** A customer, as Stripe represents them. */
export interface Payer {
  api_version: ApiVersion;
  /** Null for a guest. */
  customer: string | null;
  email: string;
  /** In Stripe's format. */
  currency: string;
  tax: "exclusive" | "inclusive" | "none";
}

export const products = ["prod_a", "prod_b", "prod_c"] as const;

/** An amount in Stripe's units: whole yen, and fils with a last digit of 0. */
export function someAmount({ currency }: Payer, random: Random): number {
  switch (currency) {
    case "jpy":
      return random.pick([1_980, 500, 30_001, 7]);
    case "kwd":
      return random.pick([15_990, 4_010, 10, 123_450]);
    default:
      return random.pick([4_999, 10_000, 2_000, 333, 3]);
  }
}

/** A share of an amount, in the currency's precision. */
export function shareOf(amount: number, share: number, { currency }: Payer): number {
  const unit = currency === "kwd" ? 10 : 1;
  return Math.round((amount * share) / unit) * unit;
}

const TAX = 0.19;

/** An invoice line with the discount of a promotion code and its tax. */
export function line(
  payer: Payer,
  { product, amount, discount = 0, proration = false }: Omit<SampleLine, "tax" | "tax_behavior">,
): SampleLine {
  const taxed = amount - discount;
  const base = { product, amount, discount, proration };
  switch (payer.tax) {
    case "none":
      return base;
    case "exclusive":
      return { ...base, tax: shareOf(taxed, TAX, payer), tax_behavior: "exclusive" };
    case "inclusive":
      return { ...base, tax: shareOf(taxed, TAX / (1 + TAX), payer), tax_behavior: "inclusive" };
  }
}
