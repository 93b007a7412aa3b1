import { type ApiVersion, inVersion, type StripeObject } from "./api-version.ts";
import { samplePlan, samplePrice } from "./price.ts";

export interface SampleLine {
  /** Null: a line without a product, such as a fee that a person added. */
  product: string | null;
  price?: string;
  /** Before discounts; with the tax if it is inclusive. Negative for the unused rest of a former plan. */
  amount: number;
  discount?: number;
  tax?: number;
  tax_behavior?: "exclusive" | "inclusive";
  proration?: boolean;
  description?: string;
}

/** The context of a line. */
export interface LineContext {
  invoice: string;
  subscription: string | null;
  currency: string;
  created: number;
  index: number;
  /** The discount that lines' discounts are of. */
  discount: string | null;
}

/** An invoice line (https://docs.stripe.com/api/invoice-line-item/object). Version 2025-03-31.basil reshaped it. */
export function sampleLine(api_version: ApiVersion, line: SampleLine, context: LineContext): StripeObject {
  const { invoice, currency, created, index } = context;
  const discounts = line.discount ? [{ amount: line.discount, discount: context.discount ?? "di_1QsB" }] : [];
  return {
    id: `il_${invoice.slice(3)}${index}`,
    object: "line_item",
    amount: line.amount,
    currency,
    description: line.description ?? "1 × Basic",
    discount_amounts: discounts,
    discountable: line.proration !== true,
    discounts: [],
    invoice,
    livemode: false,
    metadata: {},
    period: { end: created + 30 * 86_400, start: created },
    pretax_credit_amounts: discounts.map((amount) => ({ ...amount, type: "discount" })),
    quantity: 1,
    subscription: context.subscription,
    ...inVersion<() => Record<string, unknown>>(api_version, {
      "2026-10-28.endive": () => currentFields(line, context),
      "2024-11-20.acacia": () => formerFields(line, context),
    })(),
  };
}

function currentFields(line: SampleLine, { invoice, subscription, index }: LineContext) {
  const { product, price = "price_1Basic", proration = false, tax = 0 } = line;
  const item = `ii_${invoice.slice(3)}${index}`;
  const details = { proration, proration_details: { credited_items: null }, subscription };
  const of_item = product === null || proration;
  return {
    parent: {
      invoice_item_details: of_item ? { ...details, invoice_item: item } : null,
      subscription_item_details: of_item
        ? null
        : { ...details, invoice_item: null, subscription_item: `si_${invoice.slice(3)}` },
      type: of_item ? "invoice_item_details" : "subscription_item_details",
    },
    pricing: {
      ...(product === null ? {} : { price_details: { price, product } }),
      type: "price_details",
      unit_amount_decimal: String(line.amount),
    },
    quantity_decimal: "1",
    subtotal: line.amount,
    taxes:
      tax === 0
        ? []
        : [
            {
              amount: tax,
              tax_behavior: line.tax_behavior ?? "exclusive",
              tax_rate_details: { tax_rate: "txr_1QsB" },
              taxability_reason: "standard_rated",
              taxable_amount: taxableOf(line),
              type: "tax_rate_details",
            },
          ],
  };
}

function formerFields(line: SampleLine, context: LineContext) {
  const { invoice, currency, created, index } = context;
  const { product, price = "price_1Basic", proration = false, tax = 0 } = line;
  const of_item = product === null || proration;
  const priced =
    product === null ? null : { id: price, product, unit_amount: Math.abs(line.amount), currency, created };
  return {
    amount_excluding_tax: line.tax_behavior === "inclusive" ? line.amount - tax : line.amount,
    ...(of_item
      ? { invoice_item: `ii_${invoice.slice(3)}${index}` }
      : { subscription_item: `si_${invoice.slice(3)}` }),
    plan: priced === null ? null : samplePlan("2024-11-20.acacia", priced),
    price: priced === null ? null : samplePrice("2024-11-20.acacia", priced),
    proration,
    proration_details: { credited_items: null },
    tax_amounts:
      tax === 0
        ? []
        : [
            {
              amount: tax,
              inclusive: line.tax_behavior === "inclusive",
              tax_rate: "txr_1QsB",
              taxability_reason: "standard_rated",
              taxable_amount: taxableOf(line),
            },
          ],
    tax_rates: [],
    type: of_item ? "invoiceitem" : "subscription",
    unit_amount_excluding_tax: String(line.amount),
  };
}

function taxableOf({ amount, discount = 0, tax = 0, tax_behavior }: SampleLine): number {
  return amount - discount - (tax_behavior === "inclusive" ? tax : 0);
}
