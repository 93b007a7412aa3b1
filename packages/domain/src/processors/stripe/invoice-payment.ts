import { z } from "zod";
import type { LinkFact } from "../../attribution/facts/payment-fact.ts";
import { read } from "../unsupported.ts";
import { id, idsOf, OBJECT, optionalReference, reference, type StripeEvent } from "./fields.ts";

/** https://docs.stripe.com/api/invoice-payment/object */
const invoicePaymentSchema = z.object({
  id,
  invoice: reference,
  payment: z.object({ charge: optionalReference, payment_intent: optionalReference }),
});

/** Links an invoice to the payment intent or charge that paid it. Since 2025-03-31.basil, invoices do not name it. */
export function readInvoicePayment({ at, object }: StripeEvent): LinkFact[] {
  const { id, invoice, payment } = read(invoicePaymentSchema, object, OBJECT);
  const references = idsOf(invoice, payment.payment_intent, payment.charge);
  return [{ kind: "link", subject: id, at, rank: 0, references, belongs_to: [], has_report: true }];
}
