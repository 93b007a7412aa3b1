import { setTimeout as delay } from "node:timers/promises";
import type { LookupAnswer } from "@findersfee/domain/processors/lookups/store-answer";
import { lookup_types } from "@findersfee/domain/processors/stripe/lookup";
import type { Stripe } from "stripe";

const PAGE = 100;
/** Stripe's invoices may have more; such an answer would not fit in a message. */
const MAX_PAGES = 10;
/** Stripe allows 25 requests a second in test mode, which others want to make, too. */
const APART_MILLISECONDS = 50;

/** The object is too large to store. */
export class TooLarge extends Error {}

/** Where requests for one object go to, and when they have to end. */
interface Call {
  stripe: Stripe;
  account: string | null;
  signal: AbortSignal;
}

/**
 * Fetches an object of Stripe's with all that its events leave out. Throws Stripe's errors, `TooLarge`, and the reason
 * of the signal when it aborts between two requests.
 */
export async function fetchLookup(call: Call, object_id: string): Promise<LookupAnswer> {
  const [prefix] = object_id.split("_", 1);
  switch (prefix) {
    case "in":
      return await fetchInvoice(call, object_id);
    case "cs":
      return await fetchSession(call, object_id);
    case "pi":
      return await fetchPaymentIntent(call, object_id);
    case "ch":
    case "py":
      return await fetchCharge(call, object_id);
    case "promo":
      return await fetchPromotionCode(call, object_id);
    default:
      throw new Error(`${object_id} is no object of Stripe's that can be looked up`);
  }
}

async function fetchInvoice(call: Call, id: string): Promise<LookupAnswer> {
  const invoice = await call.stripe.invoices.retrieve(
    id,
    { expand: ["discounts.promotion_code", "payments"] },
    optionsOf(call),
  );
  const expand = ["data.discounts.promotion_code"];
  const data = await allPages(call, (page) =>
    call.stripe.invoices.listLineItems(id, { ...page, expand }, optionsOf(call)),
  );
  const lines = { object: "list", data, has_more: false };
  return { type: lookup_types.invoice, created: invoice.created, object: { ...invoice, lines } };
}

async function fetchSession(call: Call, id: string): Promise<LookupAnswer> {
  const session = await call.stripe.checkout.sessions.retrieve(
    id,
    { expand: ["discounts.promotion_code"] },
    optionsOf(call),
  );
  const data = await allPages(call, (page) =>
    call.stripe.checkout.sessions.listLineItems(id, page, optionsOf(call)),
  );
  const line_items = { object: "list", data, has_more: false };
  return {
    type: lookup_types.checkout_session,
    created: session.created,
    object: { ...session, line_items },
  };
}

async function fetchPaymentIntent(call: Call, id: string): Promise<LookupAnswer> {
  const intent = await call.stripe.paymentIntents.retrieve(
    id,
    { expand: ["latest_charge.balance_transaction"] },
    optionsOf(call),
  );
  const charge = typeof intent.latest_charge === "object" ? intent.latest_charge : null;
  return await paymentAnswer(call, { id, created: intent.created, payment_intent: id, charge });
}

async function fetchCharge(call: Call, id: string): Promise<LookupAnswer> {
  const charge = await call.stripe.charges.retrieve(id, { expand: ["balance_transaction"] }, optionsOf(call));
  const intent = charge.payment_intent;
  const payment_intent = typeof intent === "object" ? (intent?.id ?? null) : intent;
  return await paymentAnswer(call, { id, created: charge.created, payment_intent, charge });
}

/** Which invoices a payment intent paid is asked for apart: neither names the other since 2025-03-31.basil. */
async function paymentAnswer(
  call: Call,
  payment: { id: string; created: number; payment_intent: string | null; charge: Stripe.Charge | null },
): Promise<LookupAnswer> {
  const { payment_intent } = payment;
  const invoice_payments =
    payment_intent === null
      ? []
      : await allPages(call, (page) =>
          call.stripe.invoicePayments.list(
            { ...page, payment: { type: "payment_intent", payment_intent } },
            optionsOf(call),
          ),
        );
  return {
    type: lookup_types.payment,
    created: payment.created,
    object: { ...payment, object: "payment", invoice_payments },
  };
}

async function fetchPromotionCode(call: Call, id: string): Promise<LookupAnswer> {
  const code = await call.stripe.promotionCodes.retrieve(id, {}, optionsOf(call));
  return { type: lookup_types.promotion_code, created: code.created, object: code };
}

function optionsOf({ account }: Call): Stripe.RequestOptions {
  return account === null ? {} : { stripeAccount: account };
}

interface PageQuery {
  limit: number;
  starting_after?: string;
}

/** All pages of a list, each after a pause. */
async function allPages<Item extends { id: string }>(
  { signal }: Call,
  list: (page: PageQuery) => PromiseLike<Stripe.ApiList<Item>>,
): Promise<Item[]> {
  const items: Item[] = [];
  for (let page = 0; page < MAX_PAGES; page++) {
    await delay(APART_MILLISECONDS, undefined, { signal });
    const last = items.at(-1);
    const { data, has_more } = await list({
      limit: PAGE,
      ...(last === undefined ? {} : { starting_after: last.id }),
    });
    items.push(...data);
    if (!has_more || data.length === 0) return items;
  }
  throw new TooLarge(`It has more than ${MAX_PAGES * PAGE} lines.`);
}
