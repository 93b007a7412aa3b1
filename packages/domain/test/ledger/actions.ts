import fc from "fast-check";

export const PARTNERS = 3;
export const CUSTOMERS = 3;
/** The payments of each customer. */
export const PAYMENTS = 3;

const customer = fc.nat({ max: CUSTOMERS - 1 });
const paid = { customer, number: fc.nat({ max: PAYMENTS - 1 }) };
const chosen = fc.nat({ max: 1_000 });

/** An action. The row that a number selects may not exist yet. */
const action = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constant("earn" as const),
      partner: fc.nat({ max: PARTNERS - 1 }),
      amount: fc.integer({ min: 1, max: 50 }),
      currency: fc.constantFrom("USD", "USD", "EUR"),
      held: fc.boolean(),
    }),
  },
  {
    weight: 4,
    // Several messages are worked off together.
    arbitrary: fc.record({
      does: fc.constant("pay" as const),
      paid: fc.array(fc.record(paid), { minLength: 1, maxLength: 4 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constant("bring" as const),
      customer,
      partner: fc.nat({ max: PARTNERS - 1 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constant("refund" as const),
      ...paid,
      part: fc.constantFrom(0 as const, 1 as const),
      failed: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ does: fc.constant("run" as const) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("interrupt" as const) }) },
  {
    weight: 5,
    arbitrary: fc.record({
      does: fc.constant("move" as const),
      chosen: fc.array(chosen, { minLength: 1, maxLength: 3 }),
      to: fc.constantFrom(
        "processing" as const,
        "processing" as const,
        "paid" as const,
        "failed" as const,
        "canceled" as const,
      ),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constant("correct" as const),
      chosen,
      to: fc.constantFrom("voided" as const, "not_paid" as const),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ does: fc.constant("settings" as const), minimum: fc.constantFrom(0, 1, 20) }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("verify" as const) }) },
);

export type Action = typeof action extends fc.Arbitrary<infer One> ? One : never;
export type Does<Name extends Action["does"]> = Extract<Action, { does: Name }>;

/** The actions of several people at the same time, each one after another. */
export const histories = fc.array(fc.array(action, { minLength: 10, maxLength: 30 }), {
  minLength: 2,
  maxLength: 6,
});
