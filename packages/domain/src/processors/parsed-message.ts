import type { PaymentFact } from "../attribution/facts/payment-fact.ts";

/** The result of parsing a message: facts, nothing that attribution needs (with the reason), or a message of an unsupported form. */
export type ParsedMessage =
  | { outcome: "facts"; facts: PaymentFact[] }
  | { outcome: "skipped"; reason: string }
  | { outcome: "unsupported"; reason: string };
