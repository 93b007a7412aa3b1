import { groupBy } from "./group-by.ts";
import { eachOnce } from "./named-candidates.ts";
import type { ChargeMade, PaymentMade } from "./payment-fact.ts";
import type { StoredFact } from "./stored-fact.ts";

export function isCharge(stored: StoredFact): stored is StoredFact<ChargeMade> {
  return stored.fact.kind === "charge";
}

/**
 * The payments that only payment intents and charges report, one for each payment id. The payment intent determines the
 * amount and the time. Either may name the customer, the email and the click.
 */
export function chargePayments(charges: readonly StoredFact<ChargeMade>[]): StoredFact<PaymentMade>[] {
  const by_payment = groupBy(charges, ({ fact }) => fact.payment_id);
  return [...by_payment.values()].map((same) => paymentOf(same.toSorted(byPrecedence)));
}

/** The payment intent first, then its charges in the order of the processor's clock. */
export function byPrecedence(
  { fact: a }: StoredFact<ChargeMade>,
  { fact: b }: StoredFact<ChargeMade>,
): number {
  return (
    Number(b.is_intent) - Number(a.is_intent) ||
    a.paid_at.getTime() - b.paid_at.getTime() ||
    (a.subject < b.subject ? -1 : 1)
  );
}

function paymentOf(charges: readonly StoredFact<ChargeMade>[]): StoredFact<PaymentMade> {
  const [first, ...others] = charges;
  if (first === undefined) throw new Error("a payment without charges");
  const { processor, message_id, fact } = first;
  const paid_minor = fact.is_intent
    ? fact.paid_minor
    : charges.reduce((sum, charge) => sum + charge.fact.paid_minor, 0n);
  const given = <Field extends "customer_id" | "email">(field: Field) =>
    charges.map((charge) => charge.fact[field]).find((value) => value !== null) ?? null;
  return {
    processor,
    message_id,
    snapshot: {
      candidates: eachOnce(charges.flatMap(({ snapshot }) => snapshot.candidates)),
      affiliates: [first, ...others].flatMap(({ snapshot }) => snapshot.affiliates),
      captured_at:
        first.snapshot.captured_at ??
        others.find(({ snapshot }) => snapshot.captured_at)?.snapshot.captured_at ??
        null,
    },
    fact: {
      kind: "payment",
      subject: fact.payment_id,
      at: fact.at,
      rank: 0,
      references: [],
      belongs_to: [],
      customer_id: given("customer_id"),
      email: given("email"),
      promo_codes: charges.flatMap((charge) => charge.fact.promo_codes),
      click_ids: [...new Set(charges.flatMap((charge) => charge.fact.click_ids))],
      paid_at: fact.paid_at,
      currency: fact.currency,
      // Charges report no tax.
      revenue_minor: paid_minor,
      paid_minor,
      lines: [],
    },
  };
}
