import type { PaymentFact } from "../../src/attribution/facts/payment-fact.ts";
import type { ParsedMessage } from "../../src/processors/parsed-message.ts";

/** The facts of a message that must have some. */
export function factsOf(parsed: ParsedMessage): PaymentFact[] {
  if (parsed.outcome !== "facts") throw new Error(`${parsed.outcome}: ${parsed.reason}`);
  return parsed.facts;
}

/** The only fact of a kind in a message. */
export function only<Kind extends PaymentFact["kind"]>(
  parsed: ParsedMessage,
  kind: Kind,
): Extract<PaymentFact, { kind: Kind }> {
  const found = factsOf(parsed).filter(
    (fact): fact is Extract<PaymentFact, { kind: Kind }> => fact.kind === kind,
  );
  const [fact] = found;
  if (fact === undefined || found.length > 1) throw new Error(`${found.length} facts of the kind ${kind}`);
  return fact;
}

/** A second as Stripe counts them, as a date. */
export function date(seconds: number): Date {
  return new Date(seconds * 1000);
}
