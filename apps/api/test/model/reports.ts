import fc from "fast-check";
import { COUNTRIES, PLANS } from "./campaigns.ts";
import { has, type Theme } from "./deeds.ts";
import {
  type Checkout,
  DAY,
  type Dispute,
  type Fact,
  HOUR,
  MINUTE,
  type Payment,
  type Refund,
  type RefundFailure,
  type Step,
  type Trial,
} from "./history.ts";

/*
 * Random reports of processors, simplest first.
 */

export const CUSTOMERS = 2;
export const AFFILIATES = 3;
export const PAYMENTS = 4;
export const CLICKS = 3;

/**
 * When facts occur, in milliseconds from the start. People act at 0, so no time is near 0, the hour before a referral, the
 * five minutes before a click, the end of a click's days, of a holding period, or of a month of another one.
 */
const TIMES = [
  2 * DAY,
  3 * HOUR,
  10 * MINUTE,
  -40 * MINUTE,
  -3 * HOUR,
  -3 * DAY,
  -40 * DAY,
  -105 * DAY,
  12 * DAY,
  35 * DAY,
  70 * DAY,
];

export const customer = fc.nat({ max: CUSTOMERS - 1 });
export const affiliate = fc.nat({ max: AFFILIATES - 1 });
export const payment = fc.nat({ max: PAYMENTS - 1 });
const at = fc.constantFrom(...TIMES);
const percent = fc.constantFrom(100, 50, 33, 10);
const occurrence = { customer, at, names_email: fc.boolean() };

export const checkout: fc.Arbitrary<Checkout> = fc.record({
  kind: fc.constant("checkout"),
  ...occurrence,
  codes: fc.oneof(fc.constant([]), fc.array(affiliate, { minLength: 1, maxLength: 2 })),
  clicks: fc.oneof(fc.constant([]), fc.array(fc.nat({ max: CLICKS - 1 }), { minLength: 1, maxLength: 3 })),
});

const line = fc.record({
  product: fc.constantFrom("prod_a", "prod_b", "prod_c", null),
  amount: fc.constantFrom(3000, 1999, 5, -1000),
  interval: fc.constantFrom(null, "month" as const, "year" as const, "one_time" as const),
});

/** The lines say the revenue, if there are any. */
const purchase = fc.oneof(
  fc.constantFrom(10_000, 4900, 4999, 60, 3, 0).map((revenue) => ({ revenue, lines: [] })),
  fc.array(line, { minLength: 1, maxLength: 3 }).map((lines) => {
    const revenue = lines.reduce((sum, { amount }) => sum + amount, 0);
    return revenue < 0 ? { revenue: 0, lines: [] } : { revenue, lines };
  }),
);

export const paid: fc.Arbitrary<Payment> = fc
  .record({
    kind: fc.constant("payment" as const),
    ...occurrence,
    name: payment,
    by: fc.constantFrom(
      "usual" as const,
      "usual" as const,
      "usual" as const,
      "new_email" as const,
      "new_id" as const,
    ),
    currency: fc.constantFrom("USD", "USD", "JPY", "KWD", "EUR"),
    purchase,
    form: fc.constantFrom("invoice" as const, "invoice" as const, "intent" as const, "charge" as const),
    tax: fc.constantFrom(0, 0, 980),
    proration: fc.oneof(fc.constant(false), fc.constant(false), fc.boolean()),
    country: fc.constantFrom(null, ...COUNTRIES),
    plan: fc.constantFrom(null, ...PLANS),
  })
  .map(({ purchase: { revenue, lines }, tax, ...others }) => ({
    ...others,
    revenue,
    lines,
    tax: revenue === 0 ? 0 : tax,
  }));

const customerRecord = fc.record({
  kind: fc.constant("customer" as const),
  ...occurrence,
  changes_email: fc.oneof(fc.constant(false), fc.boolean()),
});

const trial: fc.Arbitrary<Trial> = fc.record({ kind: fc.constant("trial"), ...occurrence });

const refund: fc.Arbitrary<Refund> = fc.record({
  kind: fc.constant("refund"),
  payment,
  at,
  percent,
  fails: fc.oneof(fc.constant(false), fc.constant(false), fc.constant(false), fc.boolean()),
});

const refundFailure: fc.Arbitrary<RefundFailure> = fc.record({
  kind: fc.constant("refund_failure"),
  payment,
  at,
});

const dispute: fc.Arbitrary<Dispute> = fc.record({
  kind: fc.constant("dispute"),
  payment,
  at,
  percent,
  status: fc.constantFrom("open" as const, "lost" as const, "won" as const, "inquiry" as const),
});

const twice = fc.oneof(fc.constant(false), fc.constant(false), fc.boolean());
export function reportedOf(theme: Theme): fc.Arbitrary<Step> {
  const fact: fc.Arbitrary<Fact> = fc.oneof(
    { arbitrary: paid, weight: 5 },
    { arbitrary: checkout, weight: 4 },
    { arbitrary: refund, weight: 2 },
    { arbitrary: refundFailure, weight: 1 },
    { arbitrary: dispute, weight: 1 },
    { arbitrary: customerRecord, weight: 1 },
    ...(has(theme, "leads") ? [{ arbitrary: trial, weight: 3 }] : []),
  );
  return fc.tuple(fact, twice).map(([once, again]): Step => ({ ...once, twice: again }));
}
