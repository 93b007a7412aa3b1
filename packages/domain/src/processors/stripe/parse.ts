import type { ParsedMessage } from "../parsed-message.ts";
import { catchUnsupported, read } from "../unsupported.ts";
import { readCharge, readPaymentIntent } from "./charge.ts";
import { readCheckout } from "./checkout.ts";
import { readCreditNote } from "./credit-note.ts";
import { readCustomer, readDiscount } from "./customer.ts";
import { readDispute } from "./dispute.ts";
import type { StripeEventType } from "./event-types.ts";
import { eventSchema, type Reader } from "./fields.ts";
import { readInvoice } from "./invoice.ts";
import { readInvoicePayment } from "./invoice-payment.ts";
import { lookup_readers } from "./lookup.ts";
import { checkPromotionCode } from "./promotion-code.ts";
import { readRefund, readRefundedCharge } from "./refund.ts";
import { readSubscription } from "./subscription.ts";

/*
 * Written for the objects as Stripe publishes them for the API versions 2026-10-28.endive (stripe-node 23.1, the newest
 * at the time) and 2024-11-20.acacia (stripe-node 17.4). The version of an event is not checked: fields that moved are
 * read from their old and their new place.
 */

const readers: Record<StripeEventType, Reader> = {
  "charge.captured": readCharge,
  "charge.dispute.closed": readDispute,
  "charge.dispute.created": readDispute,
  "charge.dispute.funds_reinstated": readDispute,
  "charge.dispute.funds_withdrawn": readDispute,
  "charge.dispute.updated": readDispute,
  "charge.refund.updated": readRefund,
  "charge.refunded": readRefundedCharge,
  "charge.succeeded": readCharge,
  "checkout.session.async_payment_succeeded": readCheckout,
  "checkout.session.completed": readCheckout,
  "credit_note.created": readCreditNote,
  "credit_note.voided": readCreditNote,
  "customer.created": readCustomer,
  "customer.deleted": readCustomer,
  "customer.discount.created": readDiscount,
  "customer.subscription.created": readSubscription,
  "customer.subscription.deleted": readSubscription,
  "customer.subscription.paused": readSubscription,
  "customer.subscription.resumed": readSubscription,
  "customer.subscription.trial_will_end": readSubscription,
  "customer.subscription.updated": readSubscription,
  "customer.updated": readCustomer,
  "invoice.paid": readInvoice,
  "invoice.payment_succeeded": readInvoice,
  "invoice_payment.paid": readInvoicePayment,
  "payment_intent.succeeded": readPaymentIntent,
  "promotion_code.created": checkPromotionCode,
  "promotion_code.updated": checkPromotionCode,
  "refund.created": readRefund,
  "refund.failed": readRefund,
  "refund.updated": readRefund,
};

const typeSchema = eventSchema.pick({ type: true });

const readersByType = new Map<string, Reader>(Object.entries({ ...readers, ...lookup_readers }));

/**
 * Parses a Stripe event from its JSON, after its signature and mode were checked. Never throws: for an event that
 * cannot be parsed, the result names the path of the missing or invalid field.
 */
export function parseStripeMessage(event: unknown): ParsedMessage {
  return catchUnsupported(() => {
    const { type } = read(typeSchema, event, "");
    const reader = readersByType.get(type);
    if (reader === undefined) return { outcome: "skipped", reason: "Events of this type are not used." };
    const { created, data } = read(eventSchema, event, "");
    const facts = reader({ type, at: created, object: data.object });
    if (!Array.isArray(facts)) return { outcome: "skipped", reason: facts.skipped };
    return { outcome: "facts", facts };
  });
}
