/*
 * People's decisions about the customers of a story, as the facts that operations record. These moves list no
 * commissions: which ones they take along depends on those that exist when they are made, and so on the order
 * of the reports. `acts.ts` makes such moves, after the same reports.
 */
import fc from "fast-check";
import type { OverrideFact, PaymentFact } from "../../src/attribution/facts/payment-fact.ts";
import type { IncomingFact } from "../../src/attribution/record-facts.ts";
import { PARTNERS } from "./customer-stories.ts";
import { second } from "./reported.ts";

const DAY = 24 * 60 * 60;

const act = fc.record({
  type: fc.constantFrom("move" as const, "credit" as const, "stop" as const),
  customer: fc.nat({ max: 3 }),
  partner: fc.nat({ max: PARTNERS - 1 }),
  /** Between the payments, or at the same moment as one. */
  day: fc.integer({ min: 0, max: 40 }).map((day) => day * 3),
  seconds: fc.constantFrom(0, 1, 30),
  /** The names of the customer that the act has. */
  named_by: fc.constantFrom("id" as const, "email" as const, "both" as const),
  /** The payments of a credit. */
  payments: fc.array(fc.nat(), { minLength: 1, maxLength: 2 }),
  /** A stop ends after these days. */
  ended_after: fc.option(fc.integer({ min: 0, max: 40 }), { freq: 2 }),
  is_undone: fc.boolean(),
});

export type RecordedAct = typeof act extends fc.Arbitrary<infer One> ? One : never;

export const recorded_acts: fc.Arbitrary<RecordedAct[]> = fc.array(act, { maxLength: 4 });

/** The facts of acts, one for each of their states. */
export function recordedActs(
  acts: readonly RecordedAct[],
  {
    facts,
    affiliates,
    processor,
  }: { facts: readonly PaymentFact[]; affiliates: string[]; processor: string },
): IncomingFact[] {
  return acts.flatMap((act, number) => {
    const id = `00000000-0000-7000-8000-00000000000${number}`;
    const made = overrideOf(act, { id, facts, affiliates, processor });
    return made === null ? [] : statesOf(made, act);
  });
}

/** Null: the customer has no payment that could be credited. */
function overrideOf(
  { type, customer, partner, day, seconds, named_by, payments }: RecordedAct,
  {
    id,
    facts,
    affiliates,
    processor,
  }: { id: string; facts: readonly PaymentFact[]; affiliates: string[]; processor: string },
): OverrideFact | null {
  const customers = facts.flatMap((fact) => (fact.kind === "customer" ? fact : []));
  const named = customers[customer % customers.length];
  const paid = facts.flatMap((fact) => (creditableId(fact, named?.customer_id) ? fact.subject : []));
  if (named === undefined || (type === "credit" && paid.length === 0)) return null;
  const since = second(day * DAY + seconds);
  const chosen = new Set(payments.map((index) => paid[index % paid.length] ?? ""));
  return {
    kind: "override",
    type,
    subject: id,
    at: since,
    rank: 0,
    references: [],
    belongs_to: [],
    customer_id: named_by === "email" ? null : named.customer_id,
    email: named_by === "id" ? null : named.email,
    affiliate_id: type === "stop" ? null : (affiliates[partner] ?? ""),
    payments: type === "credit" ? [...chosen].map((payment) => ({ processor, id: payment })) : [],
    commissions: [],
    since,
    until: null,
    undone_at: null,
    created_by: "operator",
    reason: "agreed on the phone",
  };
}

/** Whether an id stands for a payment of the customer: an invoice, or a payment intent, which may turn out to be of an invoice. */
function creditableId(fact: PaymentFact, customer_id: string | undefined): boolean {
  const is_payment = fact.kind === "payment" || (fact.kind === "charge" && fact.is_intent);
  return is_payment && fact.customer_id === customer_id;
}

function statesOf(made: OverrideFact, { type, day, ended_after, is_undone }: RecordedAct): IncomingFact[] {
  const states = [made];
  if (type === "stop" && ended_after !== null) {
    const until = second((day + ended_after) * DAY + 45);
    states.push({ ...made, at: until, rank: 1, until });
  }
  if (is_undone) {
    const last = states.at(-1) ?? made;
    states.push({ ...last, rank: last.rank + 1, undone_at: last.at });
  }
  return states.map((fact) => ({ processor: "organization", message_id: fact.subject, fact }));
}
