import { type ApiVersion, api_versions, type StripeObject } from "@findersfee/samples/stripe/api-version";
import { sampleCustomer } from "@findersfee/samples/stripe/customer";
import { sampleDiscount, samplePromotionCode } from "@findersfee/samples/stripe/discount";
import { stripeEvent } from "@findersfee/samples/stripe/event";
import { sampleSubscription } from "@findersfee/samples/stripe/subscription";
import { describe, expect, it } from "vitest";
import { parseStripeMessage } from "../../../src/processors/stripe/parse.ts";
import { readPromotionCode } from "../../../src/processors/stripe/promotion-code.ts";
import { date, factsOf, only } from "../parsed.ts";
import { NOON } from "./samples.ts";

const LATER = NOON + 3600;

function eventOf(version: ApiVersion, type: string, object: StripeObject): StripeObject {
  return stripeEvent({ type, object, api_version: version, created: LATER });
}

function parseEvent(version: ApiVersion, type: string, object: StripeObject) {
  return parseStripeMessage(eventOf(version, type, object));
}

const discount = { id: "di_1Qs", start: NOON, coupon: "TWENTY", promotion_code: "promo_1Qs" };

describe.each(api_versions)("customers of %s", (version) => {
  const customer = sampleCustomer(version, { id: "cus_1Qs", created: NOON, email: "Customer@Example.com" });

  it("are reported with their current fields", () => {
    expect(factsOf(parseEvent(version, "customer.created", customer))).toEqual([
      {
        kind: "customer",
        subject: "cus_1Qs",
        at: date(LATER),
        rank: 0,
        references: [],
        belongs_to: [],
        customer_id: "cus_1Qs",
        email: "Customer@Example.com",
        promo_codes: [],
        click_ids: [],
        created_at: date(NOON),
      },
    ]);
  });

  it("carry a click id and a promotion code", () => {
    const click_id = "0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90";
    const object = sampleCustomer(version, {
      id: "cus_1Qs",
      created: NOON,
      email: null,
      discount,
      metadata: { findersfee_click_id: click_id },
    });
    expect(only(parseEvent(version, "customer.updated", object), "customer")).toMatchObject({
      rank: 1,
      email: null,
      click_ids: [click_id],
      promo_codes: [{ external_id: "promo_1Qs", code: null }],
    });
  });

  it("that were deleted may have only an id", () => {
    const object = { id: "cus_1Qs", object: "customer", deleted: true };
    expect(only(parseEvent(version, "customer.deleted", object), "customer")).toMatchObject({
      rank: 2,
      email: null,
      created_at: date(LATER),
    });
    expect(only(parseEvent(version, "customer.deleted", customer), "customer").created_at).toEqual(
      date(NOON),
    );
    expect(parseEvent(version, "customer.updated", object)).toEqual({
      outcome: "unsupported",
      reason: "data.object.created: Required.",
    });
  });

  it("have emails without white space around them", () => {
    const emailOf = (email: string) =>
      only(parseEvent(version, "customer.created", { ...customer, email }), "customer").email;
    expect(emailOf(" j\u00f6rg@m\u00fcller.example ")).toBe("j\u00f6rg@m\u00fcller.example");
    expect(emailOf("  ")).toBeNull();
  });

  it("without an email have none", () => {
    expect(
      only(parseEvent(version, "customer.created", { ...customer, email: "" }), "customer").email,
    ).toBeNull();
    expect(parseEvent(version, "customer.created", { ...customer, email: 7 })).toMatchObject({
      reason: expect.stringMatching(/^data\.object\.email: /),
    });
  });
});

describe.each(api_versions)("discounts of %s", (version) => {
  it("by a promotion code attribute the customer", () => {
    const object = sampleDiscount(version, { ...discount, customer: "cus_1Qs", subscription: "sub_1Qs" });
    expect(factsOf(parseEvent(version, "customer.discount.created", object))).toEqual([
      {
        kind: "checkout",
        subject: "di_1Qs",
        at: date(LATER),
        rank: 0,
        references: [],
        belongs_to: ["sub_1Qs"],
        customer_id: "cus_1Qs",
        email: null,
        promo_codes: [{ external_id: "promo_1Qs", code: null }],
        click_ids: [],
        opened_at: date(NOON),
        is_discount: true,
      },
    ]);
  });

  it("by a coupon alone report nothing", () => {
    const object = sampleDiscount(version, { ...discount, promotion_code: null });
    expect(parseEvent(version, "customer.discount.created", object)).toMatchObject({ outcome: "skipped" });
  });
});

describe.each(api_versions)("subscriptions of %s", (version) => {
  const price = { id: "price_1Basic", product: "prod_Basic", unit_amount: 2000 };
  const parseStatus = (status: string, type = "customer.subscription.updated", fields = {}) => {
    const object = sampleSubscription(version, {
      id: "sub_1Qs",
      created: NOON,
      customer: "cus_1Qs",
      status,
      price,
    });
    return parseEvent(version, type, { ...object, ...fields });
  };

  it.each([
    ["incomplete", null, 0],
    ["trialing", "trialing", 1],
    ["active", "active", 2],
    ["past_due", "past_due", 3],
    ["unpaid", "past_due", 3],
    ["paused", "past_due", 3],
    ["incomplete_expired", "canceled", 4],
    ["canceled", "canceled", 4],
  ])("that are %s have the status %s", (status, ours, rank) => {
    expect(factsOf(parseStatus(status))).toEqual([
      {
        kind: "subscription",
        subject: "sub_1Qs",
        at: date(LATER),
        rank,
        references: [],
        belongs_to: [],
        since: date(NOON),
        customer_id: "cus_1Qs",
        status: ours,
      },
    ]);
  });

  it("that were deleted are canceled", () => {
    const deleted = only(parseStatus("active", "customer.subscription.deleted"), "subscription");
    expect(deleted).toMatchObject({ status: "canceled", rank: 4 });
  });

  it("are dead-lettered if their status or customer is invalid", () => {
    expect(parseStatus("resting")).toMatchObject({
      reason: expect.stringMatching(/^data\.object\.status: /),
    });
    expect(parseStatus("active", undefined, { customer: null })).toMatchObject({
      reason: expect.stringMatching(/^data\.object\.customer: /),
    });
  });
});

describe.each(api_versions)("promotion codes of %s", (version) => {
  const sample = { id: "promo_1Qs", created: NOON, code: "JANE20", coupon: "TWENTY" };

  it("report no customers; their affiliates are read separately", () => {
    const event = eventOf(version, "promotion_code.created", samplePromotionCode(version, sample));
    expect(parseStripeMessage(event)).toEqual({ outcome: "facts", facts: [] });
    expect(readPromotionCode(event)).toEqual({
      external_id: "promo_1Qs",
      code: "JANE20",
      active: true,
      coupon_id: "TWENTY",
    });
    const inactive = samplePromotionCode(version, { ...sample, active: false });
    expect(readPromotionCode(eventOf(version, "promotion_code.updated", inactive))).toMatchObject({
      active: false,
    });
  });

  it("are dead-lettered if they are invalid", () => {
    const event = eventOf(version, "promotion_code.created", {
      ...samplePromotionCode(version, sample),
      code: null,
    });
    expect(parseStripeMessage(event)).toMatchObject({
      reason: expect.stringMatching(/^data\.object\.code: /),
    });
    expect(readPromotionCode(event)).toBeNull();
  });

  it("are reported by their own events only", () => {
    const event = eventOf(version, "coupon.created", samplePromotionCode(version, sample));
    expect(readPromotionCode(event)).toBeNull();
    expect(readPromotionCode("promotion_code.created")).toBeNull();
  });
});
