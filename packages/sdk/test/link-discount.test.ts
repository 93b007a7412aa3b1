import { describe, expect, it } from "vitest";
import {
  type DiscountedVisitor,
  paymentLink,
  stripeElementAttributes,
  withLinkDiscount,
} from "../src/index.ts";

const CLICK = "0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90";
const VISITOR: DiscountedVisitor = {
  click_id: CLICK,
  discount: {
    affiliate: { name: null, code: "jane" },
    discount: { promotion_code: "promo_jane", code: "JANE 20", description: null },
    reason: null,
  },
};
const NOT_READY: DiscountedVisitor = {
  click_id: CLICK,
  discount: { affiliate: { name: null, code: "jane" }, discount: null, reason: "not_ready" },
};
const SESSION = {
  mode: "subscription",
  line_items: [{ price: "price_1", quantity: 1 }],
  allow_promotion_codes: true,
} as const;

describe("withLinkDiscount", () => {
  it("adds the click and the promotion code, and no field for other codes", () => {
    const session = withLinkDiscount(SESSION, VISITOR);
    expect(session).toEqual({
      mode: "subscription",
      line_items: SESSION.line_items,
      client_reference_id: CLICK,
      discounts: [{ promotion_code: "promo_jane" }],
    });
    expect(session).not.toHaveProperty("allow_promotion_codes");
    expect(SESSION.allow_promotion_codes).toBe(true);
  });

  it.each<[string, DiscountedVisitor]>([
    ["that is not ready", NOT_READY],
    ["that is unknown", { click_id: CLICK }],
    [
      "at another processor",
      {
        click_id: CLICK,
        discount: {
          affiliate: null,
          discount: { promotion_code: null, code: "A", description: null },
          reason: null,
        },
      },
    ],
  ])("lets customers type codes without a discount, or with one %s", (_, visitor) => {
    expect(withLinkDiscount(SESSION, visitor)).toEqual({ ...SESSION, client_reference_id: CLICK });
  });

  it("changes nothing for visitors without a link", () => {
    expect(withLinkDiscount(SESSION, { click_id: undefined })).toEqual(SESSION);
  });

  it.each([{ discounts: [{ coupon: "SUMMER" }] }, { mode: "setup" }])(
    "adds no promotion code to %j",
    (own) => {
      const session = { ...own, allow_promotion_codes: false };
      expect(withLinkDiscount(session, VISITOR)).toEqual({ ...session, client_reference_id: CLICK });
    },
  );

  it("replaces empty discounts", () => {
    const discounts = [{ promotion_code: "promo_jane" }];
    for (const empty of [[], "", null, undefined] as const)
      expect(withLinkDiscount({ discounts: empty }, VISITOR)).toMatchObject({ discounts });
  });

  it("puts the click into the metadata beside your own reference", () => {
    const own = { client_reference_id: "user_1", metadata: { plan: "pro" } };
    expect(withLinkDiscount(own, VISITOR)).toMatchObject({
      client_reference_id: "user_1",
      metadata: { plan: "pro", findersfee_click_id: CLICK },
    });
    expect(withLinkDiscount({ client_reference_id: CLICK }, VISITOR)).not.toHaveProperty("metadata");
  });
});

describe("paymentLink", () => {
  it("adds the click and the promo code", () => {
    expect(paymentLink("https://buy.stripe.com/abc?locale=de", VISITOR)).toBe(
      `https://buy.stripe.com/abc?locale=de&client_reference_id=${CLICK}&prefilled_promo_code=JANE+20`,
    );
    expect(paymentLink("https://buy.stripe.com/abc", NOT_READY)).toBe(
      `https://buy.stripe.com/abc?client_reference_id=${CLICK}`,
    );
    expect(paymentLink("https://buy.stripe.com/abc", { click_id: null })).toBe("https://buy.stripe.com/abc");
  });

  it("keeps what the address has", () => {
    const own = "https://buy.stripe.com/abc?client_reference_id=user_1&prefilled_promo_code=SUMMER";
    expect(paymentLink(own, VISITOR)).toBe(own);
  });

  it("rejects an invalid address", () => {
    expect(() => paymentLink("buy", VISITOR)).toThrow(TypeError);
  });
});

it("gives Stripe's elements the click", () => {
  expect(stripeElementAttributes(VISITOR)).toEqual({ "client-reference-id": CLICK });
  expect(stripeElementAttributes({ click_id: null })).toEqual({});
});
