import { type ApiVersion, inVersion, listOf, type StripeObject } from "./api-version.ts";
import { type SampleDiscount, sampleDiscount } from "./discount.ts";
import { type SampleLine, sampleLine } from "./invoice-line.ts";

export interface SampleInvoice {
  id: string;
  created: number;
  paid_at?: number;
  currency?: string;
  customer: string | null;
  customer_email?: string | null;
  lines: SampleLine[];
  subscription?: string | null;
  /** A field until 2025-02-24.acacia; since then, a field of the `invoice_payment`. */
  payment_intent?: string | null;
  charge?: string | null;
  /** The customer's balance before the invoice: a positive amount is a debt, a negative one a credit. */
  starting_balance?: number;
  discount?: SampleDiscount | null;
  billing_reason?: string;
  metadata?: Record<string, string>;
}

const DEFAULTS = {
  account_country: "US",
  account_name: "Example",
  account_tax_ids: null,
  application: null,
  attempt_count: 1,
  attempted: true,
  auto_advance: false,
  automatically_finalizes_at: null,
  collection_method: "charge_automatically",
  custom_fields: null,
  customer_address: null,
  customer_name: null,
  customer_phone: null,
  customer_shipping: null,
  customer_tax_exempt: "none",
  customer_tax_ids: [],
  default_payment_method: null,
  default_source: null,
  default_tax_rates: [],
  description: null,
  due_date: null,
  footer: null,
  from_invoice: null,
  hosted_invoice_url: "https://invoice.stripe.com/i/example",
  invoice_pdf: "https://pay.stripe.com/invoice/example/pdf",
  issuer: { type: "self" },
  last_finalization_error: null,
  latest_revision: null,
  livemode: false,
  next_payment_attempt: null,
  on_behalf_of: null,
  payment_settings: { default_mandate: null, payment_method_options: null, payment_method_types: null },
  post_payment_credit_notes_amount: 0,
  pre_payment_credit_notes_amount: 0,
  receipt_number: null,
  rendering: null,
  shipping_cost: null,
  shipping_details: null,
  statement_descriptor: null,
  test_clock: null,
};

/** The invoice's totals, computed from its lines as Stripe does. */
function totalsOf({ lines, starting_balance = 0 }: SampleInvoice) {
  const sum = (amountOf: (line: SampleLine) => number) =>
    lines.reduce((total, line) => total + amountOf(line), 0);
  const subtotal = sum(({ amount }) => amount);
  const discount = sum((line) => line.discount ?? 0);
  const inclusive = sum(({ tax = 0, tax_behavior }) => (tax_behavior === "inclusive" ? tax : 0));
  const exclusive = sum(({ tax = 0, tax_behavior }) => (tax_behavior === "inclusive" ? 0 : tax));
  const total = subtotal - discount + exclusive;
  const amount_due = Math.max(0, total + starting_balance);
  return { subtotal, discount, inclusive, exclusive, total, amount_due };
}

/** A paid invoice (https://docs.stripe.com/api/invoices/object). Version 2025-03-31.basil reshaped it. */
export function sampleInvoice(api_version: ApiVersion, sample: SampleInvoice): StripeObject {
  const { id, created, paid_at = created, currency = "usd", starting_balance = 0 } = sample;
  const { subtotal, discount, inclusive, exclusive, total, amount_due } = totalsOf(sample);
  const discounts = discount === 0 ? [] : [{ amount: discount, discount: sample.discount?.id ?? "di_1QsB" }];
  const shared = { invoice: id, subscription: sample.subscription ?? null, currency, created };
  return {
    id,
    object: "invoice",
    ...DEFAULTS,
    amount_due,
    amount_paid: amount_due,
    amount_remaining: 0,
    amount_shipping: 0,
    automatic_tax: automaticTaxOf(api_version),
    billing_reason: sample.billing_reason ?? "subscription_cycle",
    created,
    currency,
    customer: sample.customer,
    customer_email: sample.customer_email ?? null,
    discounts: sample.discount ? [sample.discount.id] : [],
    effective_at: created,
    ending_balance: starting_balance + total - amount_due,
    lines: listOf(
      sample.lines.map((line, index) =>
        sampleLine(api_version, line, { ...shared, index, discount: sample.discount?.id ?? null }),
      ),
      `/v1/invoices/${id}/lines`,
    ),
    metadata: sample.metadata ?? {},
    number: "A1B2C3D4-0001",
    period_end: created,
    period_start: created,
    starting_balance,
    status: "paid",
    status_transitions: { finalized_at: created, marked_uncollectible_at: null, paid_at, voided_at: null },
    subtotal,
    subtotal_excluding_tax: subtotal - inclusive,
    total,
    total_discount_amounts: discounts,
    total_excluding_tax: total - inclusive - exclusive,
    total_pretax_credit_amounts: discounts.map((amount) => ({ ...amount, type: "discount" })),
    webhooks_delivered_at: created,
    ...inVersion<() => Record<string, unknown>>(api_version, {
      "2026-10-28.endive": () => endiveFields(sample),
      "2024-11-20.acacia": () => acaciaFields(sample),
    })(),
  };
}

function automaticTaxOf(api_version: ApiVersion) {
  const automatic_tax = { disabled_reason: null, enabled: false, liability: null, status: null };
  return inVersion<Record<string, unknown>>(api_version, {
    "2026-10-28.endive": { ...automatic_tax, provider: null },
    "2024-11-20.acacia": automatic_tax,
  });
}

/** The sum of each kind of tax. */
function taxesOf(sample: SampleInvoice) {
  const { inclusive, exclusive, total } = totalsOf(sample);
  const taxable_amount = total - inclusive - exclusive;
  return [
    ...(inclusive === 0 ? [] : [{ amount: inclusive, is_inclusive: true, taxable_amount }]),
    ...(exclusive === 0 ? [] : [{ amount: exclusive, is_inclusive: false, taxable_amount }]),
  ];
}

function endiveFields(sample: SampleInvoice) {
  const { subscription = null } = sample;
  return {
    amount_overpaid: 0,
    customer_account: null,
    parent:
      subscription === null
        ? null
        : {
            quote_details: null,
            subscription_details: { metadata: {}, subscription },
            type: "subscription_details",
          },
    total_taxes: taxesOf(sample).map(({ amount, is_inclusive, taxable_amount }) => ({
      amount,
      tax_behavior: is_inclusive ? "inclusive" : "exclusive",
      tax_rate_details: { tax_rate: "txr_1QsB" },
      taxability_reason: "standard_rated",
      taxable_amount,
      type: "tax_rate_details",
    })),
  };
}

function acaciaFields(sample: SampleInvoice) {
  const { subscription = null } = sample;
  const taxes = taxesOf(sample);
  return {
    application_fee_amount: null,
    charge: sample.charge ?? null,
    discount: sample.discount ? sampleDiscount("2024-11-20.acacia", sample.discount) : null,
    paid: true,
    paid_out_of_band: false,
    payment_intent: sample.payment_intent ?? null,
    quote: null,
    subscription,
    subscription_details: { metadata: subscription === null ? null : {} },
    tax: taxes.length === 0 ? null : taxes.reduce((sum, { amount }) => sum + amount, 0),
    total_tax_amounts: taxes.map(({ amount, is_inclusive, taxable_amount }) => ({
      amount,
      inclusive: is_inclusive,
      tax_rate: "txr_1QsB",
      taxability_reason: "standard_rated",
      taxable_amount,
    })),
    transfer_data: null,
  };
}
