import { type CustomerRecord, type Fact, type Form, findPayment, type History } from "./history.ts";

/*
 * The names of a history's customers, payments and codes outside of it.
 */

/** What a history's messages name, beside what is in it. */
export interface Names {
  /** When the history started. */
  start: number;
  /** The ids of its clicks. */
  clicks: readonly string[];
}

/** A message with its id. */
export interface Message {
  id: string;
  body: string;
}

/** Of all promotion codes. */
export const COUPON = "coupon";

/** A payment's names at Stripe, the one that the service reports first. A charge may have no payment intent. */
const NAMES: Readonly<Record<Form, readonly [string, string | null]>> = {
  invoice: ["in", "pi"],
  intent: ["pi", "ch"],
  charge: ["ch", null],
};

/** The id of the payment that the service reports. */
export function paymentId(history: History, payment: number): string {
  return `${prefixesOf(history, payment)[0]}_${payment}`;
}

/** Another name of the same payment; null: it has none. */
export function otherPaymentId(history: History, payment: number): string | null {
  const [, other] = prefixesOf(history, payment);
  return other === null ? null : `${other}_${payment}`;
}

function prefixesOf(history: History, payment: number): readonly [string, string | null] {
  if (history.processor === "generic") return ["pay", "ref"];
  return NAMES[findPayment(history, payment)?.form ?? "invoice"];
}

export function customerId(customer: number): string {
  return `cus_${customer}`;
}

export function customerEmail(customer: number): string {
  return `customer${customer}@example.com`;
}

export function promoCode(affiliate: number): string {
  return `CODE${affiliate}`;
}

/** Stripe's id of an affiliate's code. */
export function promotionCodeId(affiliate: number): string {
  return `promo_${affiliate}`;
}

export function newEmail(customer: number): string {
  return `new${customer}@example.com`;
}

export function newCustomerId(customer: number): string {
  return `cus_new_${customer}`;
}

/** What a message says of its customer. */
export function whoOf(
  { customers }: History,
  fact: Fact & { customer: number; names_email: boolean },
): { customer_id: string | null; email: string | null } {
  const { customer } = fact;
  if (fact.kind === "payment" && fact.by === "new_email")
    return { customer_id: null, email: newEmail(customer) };
  if (fact.kind === "payment" && fact.by === "new_id") {
    return { customer_id: newCustomerId(customer), email: null };
  }
  const acquaintance = customers[customer];
  const email = isChange(fact) ? newEmail(customer) : customerEmail(customer);
  return {
    customer_id: acquaintance === "guest" ? null : customerId(customer),
    email: acquaintance === "some" && !fact.names_email ? null : email,
  };
}

export function isChange(fact: Fact): fact is CustomerRecord {
  return fact.kind === "customer" && fact.changes_email;
}
