import { sampleCheckoutSession } from "@findersfee/samples/stripe/checkout-session";
import { attributionSources, DISCOUNT, reportDiscount } from "./attribution-sources.ts";
import { reportCharges } from "./charges.ts";
import { payInvoice, someCase } from "./invoices.ts";
import { line, type Payer, products, shareOf, someAmount } from "./payer.ts";
import { reverse } from "./refunds.ts";
import { DAY, MINUTE, type Timeline } from "./timeline.ts";

/** A checkout with one payment, with or without an invoice. */
export function purchase(timeline: Timeline, payer: Payer, opened: number): void {
  const { random } = timeline;
  const { api_version, currency, customer, email } = payer;
  const at = opened + random.between(10, 5 * MINUTE);
  const { click, other_click, discount } = attributionSources(timeline, { at });
  const amount = someAmount(payer, random);
  const off = discount === null ? 0 : shareOf(amount, DISCOUNT, payer);
  const only_line = line(payer, { product: random.pick([...products]), amount, discount: off });
  const [id, payment_intent, charge] = [timeline.id("cs"), timeline.id("pi"), timeline.id("ch")];
  const invoice_id = timeline.id("in");
  const has_invoice = customer !== null && random.chance(0.4);
  const is_slow = !has_invoice && random.chance(0.25);
  const tax = only_line.tax ?? 0;
  const session = (payment_status: "paid" | "unpaid") =>
    sampleCheckoutSession(api_version, {
      id,
      created: opened,
      mode: "payment",
      payment_status,
      currency,
      amount_subtotal: amount - (payer.tax === "inclusive" ? tax : 0),
      amount_discount: off,
      amount_tax: tax,
      customer,
      email: someCase(email, timeline),
      payment_intent,
      invoice: has_invoice && random.chance(0.5) ? invoice_id : null,
      invoice_creation: has_invoice,
      promotion_code: discount?.promotion_code ?? null,
      client_reference_id: click ?? (random.chance(0.2) ? "order 4711" : null),
      metadata: other_click === null ? {} : { findersfee_click_id: other_click },
    });
  if (discount !== null && customer !== null) {
    reportDiscount(timeline, payer, { ...discount, checkout_session: id });
  }
  const completed = session(is_slow ? "unpaid" : "paid");
  timeline.report("checkout.session.completed", completed, { at, api_version });
  if (has_invoice) {
    const lines = [only_line];
    payInvoice(timeline, payer, {
      id: invoice_id,
      lines,
      at: at + 2,
      subscription: null,
      payment_intent,
      discount,
      reason: "manual",
    });
    return;
  }
  const paid_at = is_slow ? at + random.pick([0, 1, 3 * DAY]) : at;
  if (is_slow) {
    const paid = session("paid");
    timeline.report("checkout.session.async_payment_succeeded", paid, { at: paid_at, api_version });
  }
  const paid_amount = Number(completed.amount_total);
  const paid = { amount: paid_amount, at: paid_at, charge, payment_intent, invoice: null };
  if (paid_amount > 0) reportCharges(timeline, payer, { ...paid, checkout: id });
  reverse(timeline, payer, paid);
}
