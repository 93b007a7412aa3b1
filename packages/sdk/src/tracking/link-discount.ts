import type { ClickDiscount } from "../resources/resources.ts";

/** A visitor at the checkout. */
export interface DiscountedVisitor {
  /** The visitor's click, from the cookie `findersfee_click`; null: the visitor followed no affiliate's link. */
  click_id: string | null | undefined;
  /** As `discounts.get` returns it; null: not known, for example because the request failed. */
  discount?: ClickDiscount | null | undefined;
}

/** The parameters of a Checkout session that carry the click and the discount. */
export interface DiscountedSession {
  mode?: string | null | undefined;
  client_reference_id?: string | null | undefined;
  metadata?: Record<string, string | number | null> | "" | null | undefined;
  discounts?: readonly { coupon?: string; promotion_code?: string }[] | "" | null | undefined;
  allow_promotion_codes?: boolean | null | undefined;
}

/** The fields that `withLinkDiscount` adds. */
export interface AddedToSession {
  client_reference_id?: string;
  metadata?: Record<string, string | number | null>;
  discounts?: { promotion_code: string }[];
}

/**
 * Adds a visitor's click and discount by link to the parameters of a Stripe Checkout session. Your own values stay: with a
 * `client_reference_id` of yours, the click goes into `metadata`, and with `discounts` of yours, no promotion code is added. Where one
 * is added, `allow_promotion_codes` is left out, because Stripe takes only one of both.
 */
export function withLinkDiscount<Session extends DiscountedSession>(
  session: Session,
  { click_id, discount }: DiscountedVisitor,
): Session & AddedToSession {
  const clicked = { ...session, ...clickOf(session, click_id) };
  const promotion_code = discount?.discount?.promotion_code ?? null;
  const has_own = (session.discounts ?? "").length > 0;
  // A session that only sets up a payment method takes no discount.
  if (promotion_code === null || has_own || session.mode === "setup") return clicked;
  const { allow_promotion_codes: _, ...rest } = clicked;
  return { ...rest, discounts: [{ promotion_code }] } as typeof clicked;
}

function clickOf(session: DiscountedSession, click_id: DiscountedVisitor["click_id"]): AddedToSession {
  if (!click_id) return {};
  if (!session.client_reference_id) return { client_reference_id: click_id };
  if (session.client_reference_id === click_id) return {};
  return { metadata: { findersfee_click_id: click_id, ...(session.metadata || {}) } };
}

/**
 * The address of a Stripe Payment Link with a visitor's click and discount by link. Values in the address stay. The Payment Link must
 * allow promotion codes.
 *
 * @throws TypeError for an invalid address
 */
export function paymentLink(url: string, { click_id, discount }: DiscountedVisitor): string {
  const address = new URL(url);
  const add = (name: string, value: string | null | undefined) => {
    if (value && !address.searchParams.get(name)) address.searchParams.set(name, value);
  };
  add("client_reference_id", click_id);
  add("prefilled_promo_code", discount?.discount?.code);
  return address.href;
}

/**
 * The attributes of Stripe's elements `stripe-pricing-table` and `stripe-buy-button` for a visitor. They take a click, and no promotion
 * code: let them allow promotion codes, and show the visitor the code.
 */
export function stripeElementAttributes({ click_id }: Pick<DiscountedVisitor, "click_id">): {
  "client-reference-id"?: string;
} {
  return click_id ? { "client-reference-id": click_id } : {};
}
