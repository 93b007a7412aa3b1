import type { BillingInterval } from "@findersfee/contract/campaigns/rules";
import { z } from "zod";
import type { HiddenDiscounts, PaymentMade, ProductsFact } from "../../attribution/facts/payment-fact.ts";
import { addUp, divideByProduct } from "../../attribution/facts/products.ts";
import { read, refuse } from "../unsupported.ts";
import {
  amount,
  anything,
  billing,
  clickIdsOf,
  countryOf,
  currency,
  email,
  id,
  idsOf,
  intervalOf,
  metadataOf,
  minorUnits,
  netAmount,
  OBJECT,
  optionalDiscount,
  optionalReference,
  promoCodesOf,
  type StripeEvent,
  time,
  unexpandedDiscounts,
} from "./fields.ts";

const amounts = z.array(z.object({ amount })).nullish();

const product = z.object({ product: optionalReference });

/** https://docs.stripe.com/api/invoice-line-item/object */
const lineSchema = z.object({
  amount,
  discount_amounts: amounts,
  discounts: z.array(optionalDiscount).nullish(),
  // On a subscription's line, the subscription's metadata.
  metadata: anything,
  // These repeat the discounts; the others are granted credit.
  pretax_credit_amounts: z.array(z.object({ amount, type: z.string() })).nullish(),
  // Prices have no interval since 2025-03-31.basil, so a subscription's line has the length of its period.
  parent: anything,
  period: anything,
  proration: anything,
  subscription: anything,
  type: anything,
  // From 2025-03-31.basil on.
  pricing: z.object({ price_details: product.nullish() }).nullish(),
  taxes: z.array(z.object({ amount, tax_behavior: z.string() })).nullish(),
  // Until 2025-02-24.acacia.
  price: product.extend(billing).nullish(),
  tax_amounts: z.array(z.object({ amount, inclusive: z.boolean() })).nullish(),
});

type Line = z.output<typeof lineSchema>;

/** An event contains the first lines of an invoice, and whether there are more. */
export const linesSchema = z.object({ data: z.array(lineSchema), has_more: z.boolean().nullish() });

const taxes = z.array(z.object({ amount })).nullish();

const subscriptionDetails = z.object({ subscription: optionalReference, metadata: anything }).nullish();

/** https://docs.stripe.com/api/invoices/object */
const invoiceSchema = z.object({
  id,
  currency,
  customer: optionalReference,
  customer_email: email,
  customer_address: anything,
  amount_due: amount.nullish(),
  amount_paid: amount,
  // Only some invoices have it; Stripe's documents do not say whether `amount_paid` includes it.
  amount_paid_off_stripe: amount.nullish(),
  billing_reason: anything,
  period_start: time.nullish(),
  total: amount,
  total_excluding_tax: amount.nullish(),
  status: anything,
  status_transitions: z.object({ paid_at: time.nullish() }).nullish(),
  starting_balance: amount.nullish(),
  ending_balance: amount.nullish(),
  pre_payment_credit_notes_amount: amount.nullish(),
  discounts: z.array(optionalDiscount).nullish(),
  lines: linesSchema,
  shipping_cost: z.object({ amount_tax: amount, amount_total: amount }).nullish(),
  metadata: anything,
  payments: z
    .object({
      data: z.array(
        z.object({ payment: z.object({ charge: optionalReference, payment_intent: optionalReference }) }),
      ),
    })
    .nullish(),
  // From 2025-03-31.basil on.
  parent: z.object({ subscription_details: subscriptionDetails }).nullish(),
  total_taxes: taxes,
  // Until 2025-02-24.acacia.
  charge: optionalReference,
  discount: optionalDiscount,
  paid_out_of_band: anything,
  payment_intent: optionalReference,
  subscription: optionalReference,
  subscription_details: subscriptionDetails,
  tax: amount.nullish(),
  total_tax_amounts: taxes,
});

type Invoice = z.output<typeof invoiceSchema>;

/** Since 2025-03-31.basil, an invoice names its discounts only by id. */
const hiddenSchema = z.object({
  discount: z.object({ id }).nullish(),
  discounts: unexpandedDiscounts,
  lines: z.object({ data: z.array(z.object({ discounts: unexpandedDiscounts })) }),
});

/**
 * An invoice's payment. Only money received counts: an amount paid from the customer's credit was paid, or granted,
 * earlier. So an invoice that credit covers in full, or a negative one, is a payment of zero. Older debts that were
 * paid with it count.
 */
export function readInvoice({ at, object }: StripeEvent): PaymentMade[] {
  const invoice = read(invoiceSchema, object, OBJECT);
  const { currency, total, lines } = invoice;
  const inMinor = (amount: number) => minorUnits({ amount, currency, path: `${OBJECT}.amount_paid` });
  const paid_minor = inMinor(paidOf(invoice));
  const charged_minor = inMinor(invoice.amount_paid);
  const total_excluding_tax = totalExcludingTaxOf(invoice);
  const revenue_minor = netAmount(paid_minor, { total, total_excluding_tax });
  const relations = relationsOf(invoice);
  return [
    {
      kind: "payment",
      subject: invoice.id,
      at,
      rank: 0,
      ...relations,
      ...customerOf(invoice),
      hidden_discounts: hiddenDiscountsOf(object, invoice.id),
      ...(relations.references.length === 0 && paid_minor > 0n ? { names_no_charge: true as const } : {}),
      ...(charged_minor > 0n && charged_minor < paid_minor ? { charged_minor } : {}),
      paid_at: invoice.status_transitions?.paid_at ?? at,
      ...(invoice.billing_reason === "subscription_update" ? { is_proration: true as const } : {}),
      ...(invoice.billing_reason === "subscription_cycle" && invoice.period_start
        ? { subscribed_since: invoice.period_start }
        : {}),
      currency,
      revenue_minor,
      paid_minor,
      ...productsOf(invoice, revenue_minor),
      ...metadataOf(
        invoice.metadata,
        invoice.subscription_details?.metadata,
        invoice.parent?.subscription_details?.metadata,
        ...lines.data.map((line) => line.metadata),
      ),
    },
  ];
}

/**
 * The amount paid in Stripe and outside. An invoice that is marked as paid has no amount due any more, and
 * `amount_paid` may have only the part that was paid in Stripe. Since 2025-03-31.basil, invoices have no
 * `paid_out_of_band`.
 */
function paidOf(invoice: Invoice): number {
  const { amount_paid, amount_paid_off_stripe, paid_out_of_band, status } = invoice;
  // Stripe can also forgive the rest of an invoice.
  if (status !== "paid" || paid_out_of_band === false) return amount_paid;
  const due = dueOf(invoice);
  const known = typeof amount_paid_off_stripe === "number" ? amount_paid + amount_paid_off_stripe : due;
  return Math.max(amount_paid, Math.min(known, due));
}

/**
 * The amount due after the customer's balance and the credit notes from before the payment. Stripe documents that these
 * reduce `amount_due`; an `amount_due` that they did not reduce is not paid in full.
 */
function dueOf(invoice: Invoice): number {
  const { total, starting_balance, ending_balance, pre_payment_credit_notes_amount } = invoice;
  const by_balance = (starting_balance ?? 0) - (ending_balance ?? 0);
  const owed = total + by_balance - (pre_payment_credit_notes_amount ?? 0);
  return Math.max(0, Math.min(invoice.amount_due ?? 0, owed));
}

function totalExcludingTaxOf(invoice: Invoice): number {
  if (typeof invoice.total_excluding_tax === "number") return invoice.total_excluding_tax;
  const by_rate = invoice.total_taxes ?? invoice.total_tax_amounts;
  if (by_rate) return invoice.total - by_rate.reduce((sum, { amount }) => sum + amount, 0);
  if (typeof invoice.tax === "number") return invoice.total - invoice.tax;
  const { total_excluding_tax, total_taxes, total_tax_amounts, tax } = invoice;
  // Null means no tax. Without any of the fields, the tax is unknown.
  if ([total_excluding_tax, total_taxes, total_tax_amounts, tax].includes(null)) return invoice.total;
  return refuse(`${OBJECT}.total_excluding_tax`, "Required if no other field contains the tax.");
}

/** An event contains the first ten lines. */
function productsOf(invoice: Invoice, revenue_minor: bigint): Pick<PaymentMade, "lines" | "lines_at"> {
  const { id, lines } = invoice;
  if (lines.has_more === true) return { lines: [], lines_at: id };
  return {
    lines: divideByProduct(revenue_minor, weightsByProduct({ lines, shipping: shippingOf(invoice) })),
  };
}

function hiddenDiscountsOf(object: unknown, object_id: string): HiddenDiscounts | undefined {
  const { discount, discounts, lines } = read(hiddenSchema, object, OBJECT);
  const ids = new Set([...discounts, ...lines.data.flatMap((line) => line.discounts)]);
  if (discount) ids.delete(discount.id);
  return ids.size === 0 ? undefined : { object_id, reported_by: [...ids] };
}

/** Without its tax, which may be included in its price. */
function shippingOf({ shipping_cost }: Pick<Invoice, "shipping_cost">): number {
  return shipping_cost ? shipping_cost.amount_total - shipping_cost.amount_tax : 0;
}

function relationsOf(invoice: Invoice) {
  const payments = (invoice.payments?.data ?? []).map(({ payment }) => payment);
  return {
    references: idsOf(
      invoice.payment_intent,
      invoice.charge,
      ...payments.flatMap(({ payment_intent, charge }) => [payment_intent, charge]),
    ),
    belongs_to: idsOf(invoice.subscription, invoice.parent?.subscription_details?.subscription),
  };
}

function customerOf(invoice: Invoice) {
  const { discount, discounts, lines } = invoice;
  const of_lines = lines.data.flatMap((line) => line.discounts ?? []);
  return {
    customer_id: invoice.customer,
    email: invoice.customer_email,
    ...countryOf(invoice.customer_address),
    promo_codes: promoCodesOf([discount, ...(discounts ?? []), ...of_lines]),
    click_ids: clickIdsOf({
      metadata: [
        invoice.metadata,
        invoice.subscription_details?.metadata,
        invoice.parent?.subscription_details?.metadata,
        ...lines.data.map((line) => line.metadata),
      ],
    }),
  };
}

/** Amounts in any unit: only their proportions count. */
interface Priced {
  lines: z.output<typeof linesSchema>;
  /** Shipping cost without tax; it belongs to no product. */
  shipping: number;
}

/**
 * The sums of an invoice's lines by product, without discounts and tax, in the order of the lines. The unused time of a
 * former plan is a negative line.
 */
export function weightsByProduct({ lines, shipping }: Priced): ProductsFact["weights"] {
  const weights = lines.data.map((line) => ({
    product_id: productOf(line),
    weight: BigInt(netOf(line)),
    ...intervalOfLine(line),
  }));
  if (shipping !== 0) weights.push({ product_id: null, weight: BigInt(shipping) });
  return addUp(weights);
}

/** Prorations are invoice items of a subscription. */
const ofInvoiceItem = z.object({
  type: z.literal("invoice_item_details"),
  invoice_item_details: z.object({ proration: z.literal(false), subscription: z.null().optional() }),
});
/** The period of a proration is a part of the subscription's. */
const ofSubscription = z.object({
  type: z.literal("subscription_item_details"),
  subscription_item_details: z.object({ proration: z.literal(false) }),
});
const periodSchema = z.object({ start: z.int(), end: z.int() });

/** The same until 2025-02-24.acacia. */
const formerInvoiceItem = z.object({
  type: z.literal("invoiceitem"),
  proration: z.literal(false),
  subscription: z.null().optional(),
});

/** How a line is billed, by its price or else the length of its subscription's period. */
function intervalOfLine(line: Line): { interval?: BillingInterval } {
  const { price, parent, period } = line;
  const by_price = intervalOf(price);
  if (by_price.interval !== undefined) return by_price;
  if (ofInvoiceItem.safeParse(parent).success || formerInvoiceItem.safeParse(line).success)
    return { interval: "one_time" };
  const { data } = periodSchema.safeParse(period);
  if (data === undefined || !ofSubscription.safeParse(parent).success) return {};
  const days = (data.end - data.start) / DAY_SECONDS;
  const found = PERIODS.find(({ from }) => days >= from);
  return found === undefined ? {} : { interval: found.interval };
}

const DAY_SECONDS = 24 * 60 * 60;

/** The least days of each period; summer time takes an hour of some. */
const PERIODS = [
  { from: 364, interval: "year" },
  { from: 27.9, interval: "month" },
  { from: 6.9, interval: "week" },
  { from: 0.9, interval: "day" },
] as const;

function productOf({ pricing, price }: Line): string | null {
  return pricing?.price_details?.product ?? price?.product ?? null;
}

function netOf(line: Line): number {
  const credits = (line.pretax_credit_amounts ?? []).filter(({ type }) => type !== "discount");
  const included = [
    ...(line.taxes ?? []).filter(({ tax_behavior }) => tax_behavior === "inclusive"),
    ...(line.tax_amounts ?? []).filter(({ inclusive }) => inclusive),
  ];
  const taken_off = [...(line.discount_amounts ?? []), ...credits, ...included];
  return line.amount - taken_off.reduce((sum, part) => sum + part.amount, 0);
}
