import { type ApiVersion, api_versions, type StripeObject } from "@findersfee/samples/stripe/api-version";
import { stripeEvent } from "@findersfee/samples/stripe/event";
import { type SampleInvoice, sampleInvoice } from "@findersfee/samples/stripe/invoice";
import { describe, expect, it } from "vitest";
import type { PaymentMade } from "../../../src/attribution/facts/payment-fact.ts";
import { parseStripeMessage } from "../../../src/processors/stripe/parse.ts";
import { date, factsOf, only } from "../parsed.ts";
import { NOON } from "./samples.ts";

const basic = { product: "prod_Basic", amount: 2000 };

const sample = {
  id: "in_1Qs",
  created: NOON,
  paid_at: NOON + 5,
  customer: "cus_1Qs",
  customer_email: "customer@example.com",
  subscription: "sub_1Qs",
  payment_intent: "pi_3Qs",
  charge: "ch_3Qs",
  lines: [basic],
};

/** The facts in the event of an invoice with some fields replaced. */
function parse(version: ApiVersion, invoice: Partial<SampleInvoice>, fields: Record<string, unknown> = {}) {
  const object: StripeObject = { ...sampleInvoice(version, { ...sample, ...invoice }), ...fields };
  return parseStripeMessage(
    stripeEvent({ type: "invoice.paid", object, api_version: version, created: NOON + 60 }),
  );
}

function paymentOf(
  version: ApiVersion,
  invoice: Partial<SampleInvoice>,
  fields?: Record<string, unknown>,
): PaymentMade {
  return only(parse(version, invoice, fields), "payment");
}

describe.each(api_versions)("invoices of %s", (version) => {
  it("report the minimum age of a renewed subscription", () => {
    const period_start = Date.UTC(2025, 11, 1) / 1000;
    const paid = (billing_reason: string) => paymentOf(version, {}, { billing_reason, period_start });
    expect(paid("subscription_cycle").subscribed_since).toEqual(new Date("2025-12-01"));
    expect(paid("subscription_create")).not.toHaveProperty("subscribed_since");
  });

  it("report a change of a running subscription", () => {
    expect(paymentOf(version, {}, { billing_reason: "subscription_update" }).is_proration).toBe(true);
    expect(paymentOf(version, {}, { billing_reason: "subscription_cycle" })).not.toHaveProperty(
      "is_proration",
    );
  });

  it("report payments", () => {
    expect(paymentOf(version, {})).toEqual({
      kind: "payment",
      subject: "in_1Qs",
      at: date(NOON + 60),
      rank: 0,
      // Since 2025-03-31.basil an invoice does not name its payment; `invoice_payment.paid` does.
      references: version === "2024-11-20.acacia" ? ["pi_3Qs", "ch_3Qs"] : [],
      belongs_to: ["sub_1Qs"],
      customer_id: "cus_1Qs",
      email: "customer@example.com",
      promo_codes: [],
      click_ids: [],
      ...(version === "2024-11-20.acacia" ? {} : { names_no_charge: true }),
      subscribed_since: date(NOON),
      paid_at: date(NOON + 5),
      currency: "USD",
      revenue_minor: 2000n,
      paid_minor: 2000n,
      lines: [{ product_id: "prod_Basic", amount_minor: 2000n, interval: "month" }],
    });
  });

  it("report the same as invoice.payment_succeeded", () => {
    const object = sampleInvoice(version, sample);
    const [paid, succeeded] = ["invoice.paid", "invoice.payment_succeeded"].map((type) =>
      factsOf(parseStripeMessage(stripeEvent({ type, object, api_version: version, created: NOON }))),
    );
    expect(succeeded).toEqual(paid);
  });

  it("exclude added and included tax", () => {
    const lines = [
      { product: "prod_Basic", amount: 2000, tax: 380 },
      { product: "prod_Extra", amount: 1190, tax: 190, tax_behavior: "inclusive" as const },
    ];
    const fields = [{}, { total_excluding_tax: null }, { total_excluding_tax: undefined }];
    for (const payment of fields.map((field) => paymentOf(version, { lines }, field))) {
      expect(payment).toMatchObject({ paid_minor: 3570n, revenue_minor: 3000n });
      expect(payment.lines).toEqual([
        { product_id: "prod_Basic", amount_minor: 2000n, interval: "month" },
        { product_id: "prod_Extra", amount_minor: 1000n, interval: "month" },
      ]);
    }
  });

  it("apply discounts, and report the promotion code", () => {
    const discount = { id: "di_1Qs", start: NOON, coupon: "TWENTY", promotion_code: "promo_1Qs" };
    const payment = paymentOf(version, { lines: [{ ...basic, discount: 400, tax: 304 }], discount });
    expect(payment).toMatchObject({ paid_minor: 1904n, revenue_minor: 1600n });
    expect(payment.lines).toEqual([{ product_id: "prod_Basic", amount_minor: 1600n, interval: "month" }]);
    const codes = version === "2024-11-20.acacia" ? [{ external_id: "promo_1Qs", code: null }] : [];
    expect(payment.promo_codes).toEqual(codes);
  });

  it("count the paid amount without credit", () => {
    const lines = [{ ...basic, tax: 380 }];
    const payment = paymentOf(version, { lines, starting_balance: -1190 });
    expect(payment).toMatchObject({ paid_minor: 1190n, revenue_minor: 1000n });
    expect(payment.lines).toEqual([{ product_id: "prod_Basic", amount_minor: 1000n, interval: "month" }]);
    const all_credit = paymentOf(version, { lines, starting_balance: -5000 });
    expect(all_credit).toMatchObject({ paid_minor: 0n, revenue_minor: 0n });
  });

  it("include an older debt", () => {
    expect(paymentOf(version, { starting_balance: 30 })).toMatchObject({ revenue_minor: 2030n });
    const nothing_else = { lines: [{ ...basic, amount: 0 }], starting_balance: 30 };
    expect(paymentOf(version, nothing_else)).toMatchObject({ revenue_minor: 30n, lines: [] });
  });

  it("keep the remainder of a former plan negative", () => {
    const lines = [
      { product: "prod_Basic", amount: -1000, tax: -190, proration: true },
      { product: "prod_Pro", amount: 2500, tax: 475, proration: true },
      { product: "prod_Pro", amount: 500, tax: 95 },
    ];
    const payment = paymentOf(version, { lines });
    expect(payment).toMatchObject({ paid_minor: 2380n, revenue_minor: 2000n });
    expect(payment.lines).toEqual([
      // Newer invoices do not state the former plan's interval, only the rest of its period.
      { product_id: "prod_Basic", amount_minor: -1000n, ...(version < "2025" && { interval: "month" }) },
      { product_id: "prod_Pro", amount_minor: 3000n, interval: "month" },
    ]);
  });

  it("report payments of zero for amounts of zero and below", () => {
    const nothing = { revenue_minor: 0n, paid_minor: 0n, lines: [] };
    expect(paymentOf(version, { lines: [{ ...basic, amount: 0 }] })).toMatchObject(nothing);
    expect(paymentOf(version, { lines: [{ ...basic, amount: -700, proration: true }] })).toMatchObject(
      nothing,
    );
  });

  it.each([
    ["day", 1],
    ["week", 7],
    ["month", 28],
    ["month", 92],
    ["year", 365],
  ] as const)("report lines that are billed by the %s", (interval, days) => {
    const parent = {
      type: "subscription_item_details",
      subscription_item_details: { proration: false, subscription: "sub_1" },
    };
    const by_version =
      version < "2025"
        ? { price: { product: "prod_Basic", recurring: { interval }, type: "recurring" } }
        : { parent, period: { start: 1_790_000_000, end: 1_790_000_000 + days * 86_400 } };
    const { lines } = paymentOf(version, {}, { lines: { data: [{ amount: 2000, ...by_version }] } });
    expect(lines).toMatchObject([{ interval }]);
  });

  it("report lines that are paid once", () => {
    const parent = {
      type: "invoice_item_details",
      invoice_item_details: { proration: false, subscription: null },
    };
    const by_version =
      version < "2025" ? { price: { product: "prod_Basic", recurring: null, type: "one_time" } } : { parent };
    const { lines } = paymentOf(version, {}, { lines: { data: [{ amount: 2000, ...by_version }] } });
    expect(lines).toMatchObject([{ interval: "one_time" }]);
  });

  it("report their metadata, that of the invoice first, without our own and without long values", () => {
    const data = [{ amount: 2000, metadata: { plan: "basic", team: "a", findersfee_click_id: "1" } }];
    const metadata = { plan: "pro", notes: "x".repeat(101) };
    expect(paymentOf(version, {}, { metadata, lines: { data } }).metadata).toEqual({
      plan: "pro",
      team: "a",
    });
  });

  it("report no products if lines are missing", () => {
    const lines = sampleInvoice(version, sample).lines;
    const truncated = { lines: { ...(typeof lines === "object" ? lines : {}), has_more: true } };
    expect(paymentOf(version, {}, truncated)).toMatchObject({ revenue_minor: 2000n, lines: [] });
  });

  it("distribute remainders without losing a unit", () => {
    const lines = ["prod_A", "prod_B", null].map((product) => ({ product, amount: 100, tax: 33 }));
    // 200 of 399 were paid: 150.376 of them are no tax.
    const payment = paymentOf(version, { lines, starting_balance: -199 });
    expect(payment.revenue_minor).toBe(150n);
    expect(payment.lines.map(({ amount_minor }) => amount_minor)).toEqual([50n, 50n, 50n]);
  });

  describe("that were marked as paid", () => {
    /** Since 2025-03-31.basil, an invoice does not say it. */
    const outside = {
      amount_paid: 0,
      amount_remaining: 2000,
      ...(version === "2024-11-20.acacia" ? { paid_out_of_band: true } : {}),
    };

    it("report what was due", () => {
      expect(paymentOf(version, {}, outside)).toMatchObject({ paid_minor: 2000n, revenue_minor: 2000n });
    });

    it("report what was due after a credit note", () => {
      const lines = [{ ...basic, tax: 380 }];
      const credited = { ...outside, amount_due: 1785, pre_payment_credit_notes_amount: 595 };
      const payment = paymentOf(version, { lines }, credited);
      expect(payment).toMatchObject({ paid_minor: 1785n, revenue_minor: 1500n });
      expect(payment.lines).toEqual([{ product_id: "prod_Basic", amount_minor: 1500n, interval: "month" }]);
      expect(paymentOf(version, { lines }, { ...credited, amount_due: 2380 }).paid_minor).toBe(1785n);
      const by_balance = { ...credited, amount_due: 595 };
      expect(paymentOf(version, { lines, starting_balance: -1190 }, by_balance).paid_minor).toBe(595n);
    });

    it("report nothing if a credit note covers all", () => {
      const credited = { ...outside, pre_payment_credit_notes_amount: 2000 };
      for (const amount_due of [0, 2000])
        expect(paymentOf(version, {}, { ...credited, amount_due }).paid_minor).toBe(0n);
    });

    it("report what was paid in Stripe and outside", () => {
      const parts = { ...outside, amount_paid: 500, amount_remaining: 1500 };
      const expected = { paid_minor: 2000n, charged_minor: 500n };
      expect(paymentOf(version, {}, parts)).toMatchObject(expected);
      const all_included = { ...outside, amount_paid: 2000, amount_remaining: 0 };
      expect(paymentOf(version, {}, all_included)).toEqual(paymentOf(version, {}));
      const credited = { ...parts, amount_due: 1700, pre_payment_credit_notes_amount: 300 };
      expect(paymentOf(version, {}, credited)).toMatchObject({ ...expected, paid_minor: 1700n });
    });

    it("do not report what was forgiven", () => {
      const forgiven = { ...outside, amount_paid: 500 };
      const said =
        version === "2024-11-20.acacia" ? { paid_out_of_band: false } : { amount_paid_off_stripe: 0 };
      const payment = paymentOf(version, {}, { ...forgiven, ...said });
      expect(payment.paid_minor).toBe(500n);
      expect(payment).not.toHaveProperty("charged_minor");
    });
  });

  it("report shipping without a product", () => {
    const shipping = {
      shipping_cost: { amount_subtotal: 500, amount_tax: 95, amount_total: 595, shipping_rate: null },
      total: 2595,
      total_excluding_tax: 2500,
      amount_paid: 2595,
    };
    expect(paymentOf(version, {}, shipping).lines).toEqual([
      { product_id: "prod_Basic", amount_minor: 2000n, interval: "month" },
      { product_id: null, amount_minor: 500n },
    ]);
  });

  it("read click ids from the metadata", () => {
    const click_id = "0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90";
    const metadata = { findersfee_click_id: click_id.toUpperCase() };
    expect(paymentOf(version, { metadata }).click_ids).toEqual([click_id]);
    const details = { subscription: "sub_1Qs", metadata };
    const nested = {
      subscription_details: details,
      parent: { type: "subscription_details", subscription_details: details },
    };
    expect(paymentOf(version, {}, nested)).toMatchObject({ click_ids: [click_id], belongs_to: ["sub_1Qs"] });
  });

  it("read click ids of the subscription from the metadata of lines", () => {
    const click_id = "0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90";
    const lines = { data: [{ amount: 2000, metadata: { findersfee_click_id: click_id } }] };
    expect(paymentOf(version, {}, { lines }).click_ids).toEqual([click_id]);
  });

  it.each([
    ["amount_paid", null],
    ["amount_paid", "2000"],
    ["amount_paid", 20.5],
    ["currency", null],
    ["currency", "us"],
    ["total", undefined],
    ["id", ""],
    ["id", "in_\u0000"],
    ["lines", undefined],
    ["customer", 5],
  ])("are dead-lettered if %s is %j", (name, value) => {
    const parsed = parse(version, {}, { [name]: value });
    expect(parsed.outcome).toBe("unsupported");
    expect("reason" in parsed && parsed.reason).toMatch(new RegExp(`^data\\.object\\.${name}: `));
  });

  it("are dead-lettered if a line is invalid", () => {
    const lines = { data: [{ amount: 1 }, { amount: null }] };
    expect(parse(version, {}, { lines })).toEqual({
      outcome: "unsupported",
      reason: "data.object.lines.data[1].amount: Required: a number.",
    });
  });

  it("are dead-lettered if the tax is unknown", () => {
    const fields = ["total_excluding_tax", "total_taxes", "total_tax_amounts", "tax"];
    const without = Object.fromEntries(fields.map((name) => [name, undefined]));
    expect(parse(version, {}, without)).toMatchObject({ outcome: "unsupported" });
  });

  it("ignore unrelated fields", () => {
    const odd = { number: 7, metadata: [], account_name: {}, period_end: "never", livemode: null };
    expect(paymentOf(version, {}, odd)).toEqual(paymentOf(version, {}));
  });
});

describe("payments of an invoice", () => {
  it("are listed if they are expanded", () => {
    const data = [
      { payment: { type: "payment_intent", payment_intent: { id: "pi_3Qs", object: "payment_intent" } } },
      { payment: { type: "charge", charge: "ch_3Qs" } },
    ];
    expect(paymentOf("2026-10-28.endive", {}, { payments: { data } }).references).toEqual([
      "pi_3Qs",
      "ch_3Qs",
    ]);
  });
});
