import { groupBy } from "./group-by.ts";
import { eachOnce } from "./named-candidates.ts";
import type { ChargeMade, PaymentMade } from "./payment-fact.ts";
import type { StoredEvent } from "./stored-fact.ts";

export function isCharge(stored: StoredEvent): stored is StoredEvent<ChargeMade> {
  return stored.event.kind === "charge";
}

/**
 * The payments that only payment intents and charges report, one for each payment id. The payment intent names the
 * amount and the moment. Either may name the customer, the email and the click.
 */
export function chargePayments(charges: readonly StoredEvent<ChargeMade>[]): StoredEvent<PaymentMade>[] {
  const by_payment = groupBy(charges, ({ event }) => event.payment_id);
  return [...by_payment.values()].map((same) => paymentOf(same.toSorted(byPrecedence)));
}

/** The payment intent first, then its charges in the order of the processor's clock. */
export function byPrecedence(
  { event: a }: StoredEvent<ChargeMade>,
  { event: b }: StoredEvent<ChargeMade>,
): number {
  return (
    Number(b.is_intent) - Number(a.is_intent) ||
    a.paid_at.getTime() - b.paid_at.getTime() ||
    (a.subject < b.subject ? -1 : 1)
  );
}

function paymentOf(charges: readonly StoredEvent<ChargeMade>[]): StoredEvent<PaymentMade> {
  const [first, ...others] = charges;
  if (first === undefined) throw new Error("a payment without charges");
  const { processor, message_id, event } = first;
  const paid_minor = event.is_intent
    ? event.paid_minor
    : charges.reduce((sum, charge) => sum + charge.event.paid_minor, 0n);
  const given = <Field extends "customer_id" | "email">(field: Field) =>
    charges.map((charge) => charge.event[field]).find((value) => value !== null) ?? null;
  return {
    processor,
    message_id,
    judged: {
      candidates: eachOnce(charges.flatMap(({ judged }) => judged.candidates)),
      affiliates: [first, ...others].flatMap(({ judged }) => judged.affiliates),
      looked_at:
        first.judged.looked_at ?? others.find(({ judged }) => judged.looked_at)?.judged.looked_at ?? null,
    },
    event: {
      kind: "payment",
      subject: event.payment_id,
      at: event.at,
      rank: 0,
      references: [],
      belongs_to: [],
      customer_id: given("customer_id"),
      email: given("email"),
      promo_codes: charges.flatMap((charge) => charge.event.promo_codes),
      click_ids: [...new Set(charges.flatMap((charge) => charge.event.click_ids))],
      paid_at: event.paid_at,
      currency: event.currency,
      // Charges tell no tax.
      revenue_minor: paid_minor,
      paid_minor,
      lines: [],
    },
  };
}
