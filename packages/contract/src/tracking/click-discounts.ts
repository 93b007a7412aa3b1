import { z } from "zod";
import { idInput } from "../fields.ts";

const affiliate = z
  .object({
    name: z.string().nullable().meta({
      description:
        "The affiliate's name; null: the campaign's `link_discount` does not show it, or the affiliate has given none.",
      example: "Jane Doe",
    }),
    code: z
      .string()
      .meta({ description: "The code of the link that the visitor followed.", example: "jane" }),
  })
  .meta({ id: "ClickAffiliate" });

const discount = z
  .object({
    promotion_code: z.string().nullable().meta({
      description:
        "ID of the promotion code at Stripe, for `discounts` of a Checkout session; null: the promo code is at another processor.",
      example: "promo_1RVkV2",
    }),
    code: z
      .string()
      .meta({ description: "The affiliate's promo code, as customers type it.", example: "JANE20" }),
    description: z.string().nullable().meta({
      description: "The description of the campaign's `link_discount`.",
      example: "20% off your first year",
    }),
  })
  .meta({ id: "ClickDiscountCode" });

/** Why the visitor of a click gets no discount. */
const missingReasons = ["unknown_click", "no_link_discount", "not_ready"] as const;

export const clickDiscountSchema = z
  .object({
    affiliate: affiliate
      .nullable()
      .meta({ description: "The click's affiliate; null: the click does not count." }),
    discount: discount.nullable().meta({ description: "The discount that the visitor gets; null: none." }),
    reason: z.enum(missingReasons).nullable().meta({
      description:
        "Why there is no discount; null: there is one. `unknown_click`: no click that counts has the id. `no_link_discount`: the campaign gives none by link. `not_ready`: the promo code does not exist at the payment processor yet, or gives another coupon than the campaign's.",
      example: null,
    }),
  })
  .meta({ id: "ClickDiscount" });

export type ClickDiscount = z.infer<typeof clickDiscountSchema>;

export const getClickDiscountInput = z.strictObject({
  click_id: idInput.meta({ description: "The visitor's click, from the cookie `findersfee_click`." }),
});

export type GetClickDiscount = z.infer<typeof getClickDiscountInput>;
