import { processor_message_types } from "@findersfee/contract/processors/messages";
import { assert, constantFrom, jsonValue, property } from "fast-check";
import { describe, expect, it } from "vitest";
import { parseGenericMessage } from "../../../src/processors/generic/parse.ts";
import { factsOf, only } from "../parsed.ts";

const OCCURRED = "2026-11-20T09:30:00.000Z";
const occurred = new Date(OCCURRED);
const before = "2026-11-19T10:30:00+01:00";
const CLICK = "0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90";

function report(type: string, data: Record<string, unknown>) {
  return parseGenericMessage({ id: "msg_1", type, occurred_at: OCCURRED, data });
}

const payment = { payment_id: "inv_1", currency: "USD", revenue_amount: 100 };
const refund = { refund_id: "re_1", payment_id: "inv_1", currency: "USD", amount: 59.5 };
const dispute = { dispute_id: "dp_1", payment_id: "inv_1", currency: "USD", amount: 119, opened_at: before };
const nobody = { customer_id: null, email: null, promo_codes: [], click_ids: [] };

describe("parseGenericMessage", () => {
  it.each([
    [" kim@example.com\n", "kim@example.com"],
    ["  ", null],
    ["", null],
    ["a.b.@mail.example", "a.b.@mail.example"],
  ])("removes white space around the email %j", (email, expected) => {
    for (const fact of [
      only(report("payment", { ...payment, email }), "payment"),
      only(report("checkout", { checkout_id: "cs_1", email }), "checkout"),
    ]) {
      expect(fact.email).toBe(expected);
    }
  });

  it("reads a payment", () => {
    expect(factsOf(report("payment", payment))).toEqual([
      {
        kind: "payment",
        subject: "inv_1",
        at: occurred,
        rank: 0,
        references: [],
        belongs_to: [],
        ...nobody,
        paid_at: occurred,
        currency: "USD",
        revenue_minor: 10_000n,
        paid_minor: 10_000n,
        lines: [],
      },
    ]);
    const all = {
      ...payment,
      paid_at: before,
      paid_amount: 119,
      line_items: [
        { product_id: "prod_1", amount: 150.25 },
        { product_id: null, amount: -50.25 },
      ],
      customer_id: "cus_1",
      email: "customer@example.com",
      promo_codes: [{ code: "JANE20" }, { external_id: "promo_1" }],
      click_ids: [CLICK.toUpperCase()],
      references: ["ch_1"],
      belongs_to: ["sub_1"],
    };
    expect(only(report("payment", all), "payment")).toMatchObject({
      references: ["ch_1"],
      belongs_to: ["sub_1"],
      customer_id: "cus_1",
      email: "customer@example.com",
      promo_codes: [
        { code: "JANE20", external_id: null },
        { code: null, external_id: "promo_1" },
      ],
      click_ids: [CLICK],
      paid_at: new Date("2026-11-19T09:30:00.000Z"),
      paid_minor: 11_900n,
      lines: [
        { product_id: "prod_1", amount_minor: 15_025n },
        { product_id: null, amount_minor: -5025n },
      ],
    });
  });

  it("reads amounts exactly, in the currency's minor unit", () => {
    const paid = (currency: string, revenue_amount: number) =>
      only(report("payment", { ...payment, currency, revenue_amount }), "payment").revenue_minor;
    expect([paid("JPY", 100), paid("KWD", 1.005), paid("ISK", 5), paid("USD", 0)]).toEqual([
      100n,
      1005n,
      5n,
      0n,
    ]);
  });

  it("reads a customer and a checkout", () => {
    expect(factsOf(report("customer", { customer_id: "cus_1" }))).toEqual([
      {
        kind: "customer",
        subject: "cus_1",
        at: occurred,
        rank: 0,
        references: [],
        belongs_to: [],
        ...nobody,
        customer_id: "cus_1",
        created_at: occurred,
      },
    ]);
    const checkout = {
      checkout_id: "order_1",
      opened_at: before,
      email: "a@example.com",
      references: ["inv_1"],
    };
    expect(factsOf(report("checkout", checkout))).toEqual([
      {
        kind: "checkout",
        subject: "order_1",
        at: occurred,
        rank: 0,
        references: ["inv_1"],
        belongs_to: [],
        ...nobody,
        email: "a@example.com",
        opened_at: new Date(before),
      },
    ]);
  });

  it("reads a refund and its failure", () => {
    expect(factsOf(report("refund", { ...refund, references: ["ch_1", "inv_1"] }))).toEqual([
      {
        kind: "refund",
        subject: "re_1",
        at: occurred,
        rank: 0,
        references: ["inv_1", "ch_1"],
        belongs_to: [],
        amount_minor: 5950n,
        currency: "USD",
        since: occurred,
        until: null,
      },
    ]);
    const failed = { ...refund, refunded_at: before, status: "failed" };
    expect(only(report("refund", failed), "refund")).toMatchObject({
      rank: 1,
      since: new Date(before),
      until: occurred,
    });
  });

  it.each([
    ["inquiry", 0, new Date(before)],
    ["open", 1, null],
    ["lost", 2, null],
    ["won", 3, occurred],
  ])("reads a dispute that is %s", (status, rank, until) => {
    expect(only(report("dispute", { ...dispute, status }), "dispute")).toMatchObject({
      rank,
      amount_minor: 11_900n,
      references: ["inv_1"],
      since: new Date(before),
      until,
    });
  });

  it("reads a subscription", () => {
    const data = { subscription_id: "sub_1", customer_id: "cus_1", status: "trialing" };
    expect(factsOf(report("subscription", data))).toEqual([
      {
        kind: "subscription",
        subject: "sub_1",
        at: occurred,
        rank: 1,
        references: [],
        belongs_to: [],
        customer_id: "cus_1",
        status: "trialing",
      },
    ]);
  });

  it("skips other types", () => {
    expect(report("invoice", {})).toMatchObject({ outcome: "skipped" });
  });

  it.each([
    [
      "payment",
      { ...payment, revenue_amount: 1.005 },
      "data.revenue_amount: Must have at most 2 decimals, as USD has.",
    ],
    ["payment", { ...payment, revenue_amount: -1 }, "data.revenue_amount: Must be at least 0."],
    [
      "payment",
      { ...payment, revenue_amount: "100" },
      "data.revenue_amount: Must be a number, not a string.",
    ],
    ["payment", { ...payment, paid_amount: 99 }, "data.revenue_amount: Must be at most the amount paid."],
    ["payment", { ...payment, amount: 1 }, "data.amount: Unknown field."],
    ["payment", { ...payment, currency: "usd" }, /^data\.currency: Must be an ISO 4217/],
    [
      "payment",
      { ...payment, line_items: [{ product_id: "prod_1", amount: 99.99 }] },
      "data.line_items: Must add up to the payment's revenue.",
    ],
    [
      "payment",
      { ...payment, line_items: [{ product_id: "prod_1", amount: 0.001 }] },
      /^data\.line_items\[0\]\.amount: Must have at most 2 decimals/,
    ],
    ["payment", { ...payment, promo_codes: [{}] }, "data.promo_codes[0]: Must have a code, an id, or both."],
    ["payment", { ...payment, click_ids: ["1"] }, "data.click_ids[0]: Must be a UUID."],
    ["payment", { ...payment, paid_at: "yesterday" }, /^data\.paid_at: Must be an ISO 8601/],
    ["refund", { ...refund, payment_id: undefined }, "data.payment_id: Required."],
    ["dispute", dispute, "data.status: Required."],
    ["customer", { customer_id: null }, "data.customer_id: Required: a string."],
    ["subscription", { subscription_id: "sub_1", status: "unpaid" }, /^data\.status: Must be one of active/],
  ])("dead-letters a %s that is %j", (type, data, reason) => {
    const parsed = report(type, data);
    expect(parsed).toEqual({
      outcome: "unsupported",
      reason: typeof reason === "string" ? reason : expect.stringMatching(reason),
    });
  });

  it("returns reasons that can be stored for any field names", () => {
    const parsed = report("payment", { ...payment, [`a\u0000\ud800${"b".repeat(9000)}`]: 1 });
    const reason = "reason" in parsed ? parsed.reason : "";
    expect(reason).toMatch(/^data\.a\ufffdb{100}/);
    expect(reason.length).toBe(500);
  });

  it("reads the id from the header", () => {
    const { outcome } = parseGenericMessage({ type: "payment", occurred_at: OCCURRED, data: payment });
    expect(outcome).toBe("facts");
  });

  it("throws for invalid JSON", () => {
    assert(
      property(jsonValue({ maxDepth: 4 }), constantFrom(...processor_message_types), (value, type) => {
        for (const message of [value, { type }, { id: "1", type, occurred_at: OCCURRED, data: value }]) {
          expect(["facts", "skipped", "unsupported"]).toContain(parseGenericMessage(message).outcome);
        }
      }),
    );
  });
});
