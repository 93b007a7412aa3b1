import type { ApiVersion } from "@findersfee/samples/stripe/api-version";
import type { SampleLine } from "@findersfee/samples/stripe/invoice-line";
import type { Random } from "./random.ts";

/** Whoever pays, as Stripe knows them. */
export interface Payer {
  api_version: ApiVersion;
  /** Null: a guest. */
  customer: string | null;
  email: string;
  /** As Stripe writes it. */
  currency: string;
  tax: "exclusive" | "inclusive" | "none";
}

export const products = ["prod_a", "prod_b", "prod_c"] as const;

/** An amount as Stripe writes it: whole yen, and fils of which the last digit is 0. */
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

/** A share of an amount, of digits that the currency has. */
export function shareOf(amount: number, share: number, { currency }: Payer): number {
  const unit = currency === "kwd" ? 10 : 1;
  return Math.round((amount * share) / unit) * unit;
}

const TAX = 0.19;

/** A line with what is taken off for a promotion code, and the tax on it. */
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
