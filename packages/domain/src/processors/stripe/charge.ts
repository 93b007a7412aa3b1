import { z } from "zod";
import type { ChargeMade, LinkFact, PaymentFact } from "../../attribution/facts/payment-fact.ts";
import { read } from "../unsupported.ts";
import {
  amount,
  anything,
  cardOf,
  clickIdsOf,
  countryOf,
  currency,
  email,
  id,
  idsOf,
  metadataOf,
  minorUnits,
  OBJECT,
  optionalReference,
  type Reader,
  type StripeEvent,
} from "./fields.ts";

const billed = z.object({ email, address: anything }).nullish();

/** https://docs.stripe.com/api/payment_intents/object */
const paymentIntentSchema = z.object({
  id,
  amount_received: amount,
  currency,
  customer: optionalReference,
  latest_charge: optionalReference,
  metadata: anything,
  receipt_email: email,
  // Stripe sets it to the id of the invoice or checkout session that created the payment intent.
  payment_details: z.object({ order_reference: anything }).nullish(),
  // Until 2025-02-24.acacia.
  invoice: optionalReference,
  // Until 2022-08-01.
  charges: z
    .object({ data: z.array(z.object({ id, billing_details: billed, payment_method_details: anything })) })
    .nullish(),
});

const expandedSchema = z.object({ latest_charge: z.object({ payment_method_details: anything }) });

/**
 * A succeeded payment intent: a payment, unless a checkout or an invoice reports it. In most API versions the payment
 * intent names the one that does; otherwise their own events do.
 */
export const readPaymentIntent: Reader = ({ at, object }) => {
  const intent = read(paymentIntentSchema, object, OBJECT);
  const { currency, latest_charge, metadata, receipt_email } = intent;
  const charges = intent.charges?.data ?? [];
  const reference = intent.payment_details?.order_reference;
  const invoice = intent.invoice ?? matching(reference, INVOICE);
  const state = {
    subject: intent.id,
    at,
    rank: 0,
    references: idsOf(latest_charge, ...charges.map((charge) => charge.id), invoice),
    belongs_to: [],
  };
  const expanded = expandedSchema.safeParse(object).data?.latest_charge;
  const paid_by = [expanded, ...charges].find((charge) => charge?.payment_method_details);
  const card = cardOf(paid_by?.payment_method_details);
  const link: LinkFact = { kind: "link", ...state, has_report: true };
  if (invoice !== null) return [{ ...link, ...card }];
  const charge: ChargeMade = {
    kind: "charge",
    ...state,
    payment_id: intent.id,
    is_intent: true,
    customer_id: intent.customer,
    email: receipt_email ?? charges.map((charge) => charge.billing_details?.email).find(Boolean) ?? null,
    ...countryOf(charges.map((charge) => charge.billing_details?.address).find(Boolean)),
    promo_codes: [],
    click_ids: clickIdsOf({ metadata: [metadata] }),
    ...metadataOf(metadata),
    paid_at: at,
    currency,
    paid_minor: minorUnits({ amount: intent.amount_received, currency, path: `${OBJECT}.amount_received` }),
    ...card,
  };
  return matching(reference, CHECKOUT) === null ? [charge] : [charge, link];
};

const INVOICE = /^in_[A-Za-z0-9]+$/;
/** Stripe may truncate the id. */
const CHECKOUT = /^cs_(live|test)_[A-Za-z0-9]+$/;

function matching(reference: unknown, form: RegExp): string | null {
  return typeof reference === "string" && reference.length <= 255 && form.test(reference) ? reference : null;
}

/** https://docs.stripe.com/api/charges/object */
const chargeSchema = z.object({
  id,
  amount,
  amount_captured: amount.nullish(),
  billing_details: billed,
  captured: z.boolean().nullish(),
  currency,
  customer: optionalReference,
  metadata: anything,
  payment_intent: optionalReference,
  payment_method_details: anything,
  receipt_email: email,
  // Until 2025-02-24.acacia.
  invoice: optionalReference,
});

/** A captured charge. If it has a payment intent, the amount of the payment intent counts once that is reported. */
export function readCharge({ type, at, object }: StripeEvent): PaymentFact[] | { skipped: string } {
  const charge = read(chargeSchema, object, OBJECT);
  if (charge.captured === false) return { skipped: "The charge is authorized but not captured yet." };
  const { id, currency, customer, invoice, metadata, payment_intent, receipt_email } = charge;
  const state = {
    subject: id,
    at,
    rank: type === "charge.captured" ? 1 : 0,
    references: idsOf(payment_intent, invoice),
    belongs_to: [],
  };
  const card = cardOf(charge.payment_method_details);
  if (invoice !== null) return [{ kind: "link", ...state, has_report: true, ...card }];
  const received = charge.amount_captured ?? charge.amount;
  const made: ChargeMade = {
    kind: "charge",
    ...state,
    payment_id: payment_intent ?? id,
    is_intent: false,
    customer_id: customer,
    email: receipt_email ?? charge.billing_details?.email ?? null,
    ...countryOf(charge.billing_details?.address),
    promo_codes: [],
    click_ids: clickIdsOf({ metadata: [metadata] }),
    ...metadataOf(metadata),
    paid_at: at,
    currency,
    paid_minor: minorUnits({ amount: received, currency, path: `${OBJECT}.amount_captured` }),
    ...card,
  };
  return [made];
}
