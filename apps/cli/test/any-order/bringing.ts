import { type SampleDiscount, sampleDiscount } from "@findersfee/samples/stripe/discount";
import type { Chronicle } from "./chronicle.ts";
import { PARTNERS, promotionCodeOf } from "./partners.ts";
import type { Payer } from "./payer.ts";

/** By what a checkout tells who brought the customer. */
export interface Brought {
  click: string | null;
  /** Of the merchant's own making, beside the checkout's. */
  other_click: string | null;
  discount: SampleDiscount | null;
}

/** Of what a promotion code takes off. */
export const DISCOUNT = 0.2;

export function bring(chronicle: Chronicle, { at }: { at: number }): Brought {
  const { random } = chronicle;
  const partner = () => random.between(0, PARTNERS - 1);
  const way = random.pick(["click", "click", "click", "code", "code", "both", "clicks", "nobody"]);
  const has_click = way === "click" || way === "both" || way === "clicks";
  return {
    click: has_click ? chronicle.click(partner()) : null,
    other_click: way === "clicks" ? chronicle.click(partner()) : null,
    discount:
      way === "code" || way === "both"
        ? {
            id: chronicle.id("di"),
            start: at,
            coupon: "PARTNERS",
            promotion_code: promotionCodeOf(partner()),
          }
        : null,
  };
}

/** Stripe tells of discounts that customers are given. */
export function tellDiscount(
  chronicle: Chronicle,
  { api_version, customer }: Payer,
  discount: SampleDiscount,
): void {
  const object = sampleDiscount(api_version, { ...discount, customer });
  chronicle.tell("customer.discount.created", object, { at: discount.start, api_version });
}
