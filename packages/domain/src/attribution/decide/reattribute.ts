import { chronological } from "../facts/touches.ts";
import { Attributor } from "./attributor.ts";
import type { CustomerHistory } from "./history.ts";
import type { CustomerOutcome, PaymentOutcome } from "./outcome.ts";
import { PaymentDecider } from "./payment-decider.ts";
import { Referrals } from "./referrals.ts";

/**
 * Attributes all of a customer's touches again and decides each payment. Touches are ordered by the processors' clocks,
 * so the outcome does not depend on the order in which reports arrive.
 */
export function reattributeCustomer(history: CustomerHistory): CustomerOutcome {
  const { relations } = history;
  const referrals = new Referrals(history);
  const attributor = new Attributor(history, referrals);
  const decider = new PaymentDecider(history, referrals);
  const payments: PaymentOutcome[] = [];
  const facts = [...history.facts, ...relations.charge_payments];
  for (const timed of chronological(facts, relations.relatedTo)) {
    const attributed = attributor.take(timed);
    const { fact } = timed.touch;
    if (fact.kind === "payment") payments.push(decider.decide(timed.touch, fact, attributed));
  }
  return { ...referrals.outcomes(), payments };
}
