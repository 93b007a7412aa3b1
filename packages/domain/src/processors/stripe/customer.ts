import { z } from "zod";
import type { CheckoutFact, CustomerFact } from "../../attribution/facts/payment-fact.ts";
import { read } from "../unsupported.ts";
import {
  anything,
  clickIdsOf,
  discount,
  email,
  id,
  idsOf,
  OBJECT,
  optionalDiscount,
  optionalReference,
  promoCodesOf,
  type Reader,
  type StripeEvent,
  time,
} from "./fields.ts";

/** https://docs.stripe.com/api/customers/object */
const customerSchema = z.object({
  id,
  email,
  discount: optionalDiscount,
  metadata: anything,
});

const createdSchema = z.object({ created: time });

const DELETED = "customer.deleted";

const ranks = new Map([
  ["customer.created", 0],
  ["customer.updated", 1],
  [DELETED, 2],
]);

/** The current state of a customer; a deleted one may have only its id. */
export function readCustomer({ type, at, object }: StripeEvent): CustomerFact[] {
  const customer = read(customerSchema, object, OBJECT);
  const schema = type === DELETED ? createdSchema.partial() : createdSchema;
  return [
    {
      kind: "customer",
      subject: customer.id,
      at,
      rank: ranks.get(type) ?? 0,
      references: [],
      belongs_to: [],
      customer_id: customer.id,
      email: customer.email,
      promo_codes: promoCodesOf([customer.discount]),
      click_ids: clickIdsOf({ metadata: [customer.metadata] }),
      created_at: read(schema, object, OBJECT).created ?? at,
    },
  ];
}

/** https://docs.stripe.com/api/discounts/object */
const redeemedSchema = z.object({
  id,
  checkout_session: optionalReference,
  customer: optionalReference,
  invoice: optionalReference,
  start: time,
  subscription: optionalReference,
});

/**
 * A promotion code that was used in Stripe's checkout, or given to a customer or a subscription without one. Like a
 * checkout, it is evidence for attribution.
 */
export const readDiscount: Reader = ({ at, object }) => {
  const used = read(discount, object, OBJECT);
  if (used === null) return { skipped: "The discount has no promotion code." };
  const redeemed = read(redeemedSchema, object, OBJECT);
  const checkout: CheckoutFact = {
    kind: "checkout",
    subject: redeemed.id,
    at,
    rank: 0,
    references: idsOf(redeemed.invoice),
    belongs_to: idsOf(redeemed.checkout_session, redeemed.subscription),
    customer_id: redeemed.customer,
    email: null,
    promo_codes: [used],
    click_ids: [],
    opened_at: redeemed.start,
    is_discount: true,
  };
  return [checkout];
};
