import { type ApiVersion, api_versions } from "@findersfee/samples/stripe/api-version";
import {
  type SampleCheckoutSession,
  sampleCheckoutSession,
} from "@findersfee/samples/stripe/checkout-session";
import { stripeEvent } from "@findersfee/samples/stripe/event";
import { describe, expect, it } from "vitest";
import { parseStripeMessage } from "../../../src/processors/stripe/parse.ts";
import { date, factsOf, only } from "../parsed.ts";
import { NOON } from "./samples.ts";

const CLICK = "0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90";
const OTHER_CLICK = "0199d3a2-6a7e-7c44-9a51-3f2b8c6d1e91";

const sample: SampleCheckoutSession = {
  id: "cs_test_a1Qs",
  created: NOON,
  mode: "payment",
  amount_subtotal: 2000,
  amount_discount: 400,
  amount_tax: 304,
  email: "customer@example.com",
  payment_intent: "pi_3Qs",
};

interface Reporting {
  type?: string;
  fields?: Record<string, unknown>;
}

function parse(
  version: ApiVersion,
  session: Partial<SampleCheckoutSession> = {},
  { type = "checkout.session.completed", fields = {} }: Reporting = {},
) {
  const object = { ...sampleCheckoutSession(version, { ...sample, ...session }), ...fields };
  return parseStripeMessage(stripeEvent({ type, object, api_version: version, created: NOON + 90 }));
}

function kindsOf(...[version, session, reporting]: Parameters<typeof parse>): string[] {
  return factsOf(parse(version, session, reporting)).map(({ kind }) => kind);
}

describe.each(api_versions)("checkouts of %s", (version) => {
  const customer = { customer_id: null, email: "customer@example.com", promo_codes: [], click_ids: [] };
  // Until 2025-01-27.acacia a session contains the amount of discounts without naming them.
  const hidden =
    version === "2024-11-20.acacia"
      ? { hidden_discounts: { object_id: "cs_test_a1Qs", reported_by: ["cs_test_a1Qs:discounts"] } }
      : {};

  it("report a checkout and, if paid at once, a payment", () => {
    expect(factsOf(parse(version))).toEqual([
      {
        kind: "checkout",
        subject: "cs_test_a1Qs",
        at: date(NOON + 90),
        rank: 0,
        references: ["pi_3Qs"],
        belongs_to: [],
        ...customer,
        ...hidden,
        opened_at: date(NOON),
      },
      {
        kind: "payment",
        subject: "pi_3Qs",
        at: date(NOON + 90),
        rank: 0,
        references: [],
        belongs_to: ["cs_test_a1Qs"],
        ...customer,
        paid_at: date(NOON + 90),
        currency: "USD",
        revenue_minor: 1600n,
        paid_minor: 1904n,
        lines: [],
        lines_at: "cs_test_a1Qs",
      },
    ]);
  });

  it("report a separate payment without a payment intent", () => {
    const payment = only(parse(version, { payment_intent: null }), "payment");
    expect(payment).toMatchObject({ subject: "cs_test_a1Qs", references: [], belongs_to: [] });
  });

  it("leave the payment to the invoice", () => {
    const subscribed = {
      mode: "subscription" as const,
      payment_intent: null,
      invoice: "in_1Qs",
      subscription: "sub_1Qs",
      customer: "cus_1Qs",
    };
    const checkout = only(parse(version, subscribed), "checkout");
    expect(checkout).toMatchObject({
      references: ["in_1Qs"],
      belongs_to: ["sub_1Qs"],
      customer_id: "cus_1Qs",
    });
    expect(kindsOf(version, subscribed)).toEqual(["checkout"]);
    // A payment intent that is reported, too, is the invoice's.
    expect(kindsOf(version, { invoice: "in_1Qs" })).toEqual(["checkout", "link"]);
    // The invoice is made after the payment: a session may not name it yet, though there will be one.
    expect(only(parse(version, { invoice_creation: true }), "link")).toMatchObject({
      references: ["pi_3Qs"],
      has_report: true,
    });
  });

  it("report no payment until they are paid", () => {
    expect(kindsOf(version, { payment_status: "unpaid" })).toEqual(["checkout"]);
    const type = "checkout.session.async_payment_succeeded";
    expect(kindsOf(version, {}, { type })).toEqual(["checkout", "payment"]);
    expect(factsOf(parse(version, {}, { type })).map(({ rank }) => rank)).toEqual([1, 1]);
    const nothing = { amount_subtotal: 400, amount_tax: 0 };
    expect(sampleCheckoutSession(version, { ...sample, ...nothing })).toMatchObject({
      payment_status: "no_payment_required",
    });
    expect(kindsOf(version, { ...nothing, mode: "subscription" })).toEqual(["checkout"]);
    expect(kindsOf(version, { ...nothing, invoice_creation: true, payment_intent: null })).toEqual([
      "checkout",
    ]);
    expect(kindsOf(version, { mode: "setup" }, { fields: { amount_total: null, currency: null } })).toEqual([
      "checkout",
    ]);
  });

  it("report a payment of zero if they are free", () => {
    const free = { amount_subtotal: 400, amount_tax: 0, payment_intent: null };
    expect(only(parse(version, free), "payment")).toMatchObject({
      subject: sample.id,
      revenue_minor: 0n,
      paid_minor: 0n,
    });
    // It is paid later.
    const due = { payment_status: "no_payment_required", amount_total: 1_000 };
    expect(kindsOf(version, free, { fields: due })).toEqual(["checkout"]);
  });

  it("carry the click id, from client_reference_id or metadata", () => {
    const ids = (session: Partial<SampleCheckoutSession>) =>
      only(parse(version, session), "checkout").click_ids;
    expect(ids({ client_reference_id: CLICK.toUpperCase() })).toEqual([CLICK]);
    const both = { client_reference_id: CLICK, metadata: { findersfee_click_id: OTHER_CLICK } };
    expect(ids(both)).toEqual([CLICK, OTHER_CLICK]);
    expect(ids({ ...both, metadata: { findersfee_click_id: CLICK } })).toEqual([CLICK]);
    // The merchant's own ids, among them a random UUID: a decision names them if they stand in the click's place.
    for (const client_reference_id of ["user_17", "5b6f0b3c-8a0e-4d4c-9f0f-0e6a1b2c3d4e"]) {
      expect(ids({ client_reference_id, metadata: { findersfee_click_id: "" } })).toEqual([
        client_reference_id,
      ]);
      expect(ids({ client_reference_id, metadata: { findersfee_click_id: CLICK } })).toEqual([CLICK]);
    }
    for (const client_reference_id of [null, "", " ", "a\u0000b"])
      expect(ids({ client_reference_id })).toEqual([]);
    expect(ids({ client_reference_id: "🙂".repeat(65) })).toEqual([`${"🙂".repeat(63)}…`]);
    // Under our name it is meant as a click, so that a decision can say that it is unknown.
    expect(ids({ metadata: { findersfee_click_id: "From a form" } })).toEqual(["From a form"]);
    expect(only(parse(version, both), "payment").click_ids).toEqual([CLICK, OTHER_CLICK]);
  });

  it("carry the promotion code", () => {
    const codes = version === "2026-10-28.endive" ? [{ external_id: "promo_1Qs", code: null }] : [];
    const checkout = only(parse(version, { promotion_code: "promo_1Qs" }), "checkout");
    expect(checkout.promo_codes).toEqual(codes);
    const discounts = [
      { coupon: "TWENTY", promotion_code: null },
      { coupon: null, promotion_code: "promo_1Qs" },
    ];
    const discount = { id: "di_1Qs", promotion_code: { id: "promo_1Qs", code: "JANE20" } };
    const fields = {
      discounts,
      total_details: { amount_tax: 304, breakdown: { discounts: [{ amount: 400, discount }], taxes: [] } },
    };
    for (const kind of ["checkout", "payment"] as const) {
      expect(only(parse(version, {}, { fields }), kind).promo_codes).toEqual([
        { external_id: "promo_1Qs", code: "JANE20" },
      ]);
    }
  });

  it("use expanded objects and the prefilled email", () => {
    const fields = {
      customer: { id: "cus_1Qs", object: "customer" },
      payment_intent: { id: "pi_3Qs", object: "payment_intent" },
      customer_details: null,
      customer_email: "before@example.com",
    };
    expect(only(parse(version, {}, { fields }), "payment")).toMatchObject({
      subject: "pi_3Qs",
      customer_id: "cus_1Qs",
      email: "before@example.com",
    });
  });

  it("count in ISO 4217's minor units", () => {
    const paid = (currency: string) =>
      only(
        parse(version, { currency, amount_subtotal: 2400, amount_discount: 0, amount_tax: 400 }),
        "payment",
      );
    expect(paid("jpy")).toMatchObject({ currency: "JPY", paid_minor: 2800n, revenue_minor: 2400n });
    expect(paid("isk")).toMatchObject({ currency: "ISK", paid_minor: 28n, revenue_minor: 24n });
    expect(paid("mga")).toMatchObject({ currency: "MGA", paid_minor: 280_000n, revenue_minor: 240_000n });
  });

  it.each([
    ["amount_total", { amount_total: null }],
    ["amount_total", { currency: "isk" }],
    ["currency", { currency: null }],
    ["total_details", { total_details: null }],
    ["total_details.amount_tax", { total_details: { amount_discount: 0 } }],
    ["payment_status", { payment_status: "half" }],
    ["mode", { mode: null }],
    ["created", { created: "2026-11-20" }],
    ["created", { created: 1e12 }],
    ["customer", { customer: {} }],
    ["customer_details.email", { customer_details: { email: 1 } }],
    ["discounts[0].promotion_code", { discounts: [{ promotion_code: 3 }] }],
  ])("are dead-lettered for an invalid %s", (path, fields) => {
    const parsed = parse(version, {}, { fields });
    expect(parsed.outcome).toBe("unsupported");
    expect("reason" in parsed && parsed.reason.startsWith(`data.object.${path}: `)).toBe(true);
  });
});
