import { type SampleDiscount, sampleDiscount } from "@findersfee/samples/stripe/discount";
import { PARTNERS, promotionCodeOf } from "./partners.ts";
import type { Payer } from "./payer.ts";
import type { Timeline } from "./timeline.ts";

/** The evidence in a checkout that links the customer to an affiliate. */
export interface AttributionSources {
  click: string | null;
  /** Created by the merchant, in addition to the checkout's. */
  other_click: string | null;
  discount: SampleDiscount | null;
}

/** The objects that a promotion code discounts. */
export const DISCOUNT = 0.2;

export function attributionSources(timeline: Timeline, { at }: { at: number }): AttributionSources {
  const { random } = timeline;
  const partner = () => random.between(0, PARTNERS - 1);
  const way = random.pick(["click", "click", "click", "code", "code", "both", "clicks", "nobody"]);
  const has_click = way === "click" || way === "both" || way === "clicks";
  return {
    click: has_click ? timeline.click(partner()) : null,
    other_click: way === "clicks" ? timeline.click(partner()) : null,
    discount:
      way === "code" || way === "both"
        ? {
            id: timeline.id("di"),
            start: at,
            coupon: "PARTNERS",
            promotion_code: promotionCodeOf(partner()),
          }
        : null,
  };
}

/** Reports customers' discounts as Stripe does. */
export function reportDiscount(
  timeline: Timeline,
  { api_version, customer }: Payer,
  discount: SampleDiscount,
): void {
  const object = sampleDiscount(api_version, { ...discount, customer });
  timeline.report("customer.discount.created", object, { at: discount.start, api_version });
}
