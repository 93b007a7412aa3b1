import fc from "fast-check";
import { COUNTRIES, leads, PLANS, rate, rateEntry, rates, review, rule, termsOf } from "./campaigns.ts";
import { decisions, deeds, deedsOf, THEMES, type Theme } from "./deeds.ts";
import { FAULTS, type Fault } from "./faults.ts";
import {
  type Acquaintance,
  type Checkout,
  DAY,
  type Dispute,
  type Fact,
  type History,
  HOUR,
  isFact,
  MINUTE,
  type Partner,
  type Payment,
  type Processor,
  paidPayment,
  type Refund,
  type RefundFailure,
  type Step,
  type Trial,
} from "./history.ts";
import { otherPaymentId } from "./names.ts";

/*
 * Random histories. Every value is simplest first, so that a history that fails shrinks to one without anything special.
 */

const CUSTOMERS = 2;
const AFFILIATES = 3;
const PAYMENTS = 4;
const CLICKS = 3;
const STEPS = { minLength: 1, maxLength: 14 };
/** Payment intents and charges are processed a minute after they occurred, so that later ones would be waited for. */
const WAIT = 5 * MINUTE;

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

const customer = fc.nat({ max: CUSTOMERS - 1 });
const affiliate = fc.nat({ max: AFFILIATES - 1 });
const payment = fc.nat({ max: PAYMENTS - 1 });
const at = fc.constantFrom(...TIMES);
const percent = fc.constantFrom(100, 50, 33, 10);

const partner: fc.Arbitrary<Partner> = fc.record({
  campaign: fc.nat({ max: 1 }),
  approved: fc.oneof(
    { arbitrary: fc.constant(true), weight: 6 },
    { arbitrary: fc.constant(false), weight: 1 },
  ),
  is_customer: fc.oneof(
    { arbitrary: fc.constant(null), weight: 6 },
    { arbitrary: fc.nat({ max: CUSTOMERS - 1 }), weight: 1 },
  ),
  own_rules: fc.oneof(
    { arbitrary: fc.constant(null), weight: 3 },
    {
      arbitrary: fc.record({
        from: fc.constantFrom(-400 * DAY, -1 * DAY, 20 * DAY),
        rules: fc.array(rule, { minLength: 1, maxLength: 2 }),
      }),
      weight: 1,
    },
  ),
});

const occurrence = { customer, at, names_email: fc.boolean() };

const checkout: fc.Arbitrary<Checkout> = fc.record({
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

const paid: fc.Arbitrary<Payment> = fc
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

const named = {
  customer,
  affiliate,
  payment,
  click: fc.nat({ max: CLICKS - 1 }),
  rate,
  leads,
  review,
  rate_entry: rateEntry,
};

function reportedOf(theme: Theme): fc.Arbitrary<Step> {
  const fact: fc.Arbitrary<Fact> = fc.oneof(
    { arbitrary: paid, weight: 5 },
    { arbitrary: checkout, weight: 4 },
    { arbitrary: refund, weight: 2 },
    { arbitrary: refundFailure, weight: 1 },
    { arbitrary: dispute, weight: 1 },
    { arbitrary: customerRecord, weight: 1 },
    ...(theme === "leads" ? [{ arbitrary: trial, weight: 3 }] : []),
  );
  return fc.tuple(fact, twice).map(([once, again]): Step => ({ ...once, twice: again }));
}

function stepsOf(theme: Theme): fc.Arbitrary<Step[]> {
  const reported = reportedOf(theme);
  const deed = theme === "plain" ? deeds(named) : fc.oneof(deeds(named), deedsOf(theme, named));
  return fc.oneof(
    { arbitrary: fc.array(reported, STEPS), weight: 1 },
    { arbitrary: fc.array(fc.oneof({ arbitrary: reported, weight: 3 }, deed), STEPS), weight: 2 },
    { arbitrary: decidedOf(theme, reported), weight: 2 },
  );
}

/** A customer with payments, and perhaps an affiliate, about whom people decide. */
function decidedOf(theme: Theme, reported: fc.Arbitrary<Step>): fc.Arbitrary<Step[]> {
  const about_one = { ...named, customer: fc.constant(0) };
  const special = theme === "plain" ? deeds(named) : deedsOf(theme, about_one);
  return fc
    .tuple(
      fc.array(fc.oneof(checkout, paid, paid), { minLength: 2, maxLength: 4 }),
      fc.array(
        fc.oneof(
          { arbitrary: decisions(about_one), weight: 3 },
          { arbitrary: reported, weight: 1 },
          { arbitrary: special, weight: theme === "plain" ? 1 : 3 },
        ),
        { minLength: 1, maxLength: 10 },
      ),
    )
    .map(([facts, later]) => [
      ...facts.map((fact, name): Step => {
        const first = { ...fact, customer: 0, twice: false };
        return first.kind === "payment" ? { ...first, name } : first;
      }),
      ...later,
    ]);
}

/**
 * Random histories without the faults that are known. Most have nothing special.
 *
 * @param faults faults that are included: then only histories that may show one of them
 * @param themes the themes of histories; the first is the most frequent
 */
export function histories(
  faults: ReadonlySet<Fault>,
  themes: readonly Theme[] = THEMES,
): fc.Arbitrary<History> {
  return fc
    .oneof(
      ...themes.map((theme, index) => ({
        arbitrary: themedHistories(theme),
        weight: index === 0 ? themes.length : 1,
      })),
    )
    .map(normalize)
    .map((history) => withoutFaults(history, faults))
    .filter((history) => faults.size === 0 || [...faults].some((fault) => mayShow(history, fault)));
}

function themedHistories(theme: Theme): fc.Arbitrary<History> {
  const acquaintance: fc.Arbitrary<Acquaintance> = fc.constantFrom("both", "both", "some", "guest");
  const processor: fc.Arbitrary<Processor> = fc.constantFrom(
    "generic",
    "2026-10-28.endive",
    "2024-11-20.acacia",
  );
  const terms = termsOf(theme);
  return fc.record({
    processor,
    currency: fc.constantFrom("USD", "USD", "JPY", "KWD"),
    campaigns: fc.tuple(terms, terms),
    affiliates: fc.array(partner, { minLength: AFFILIATES, maxLength: AFFILIATES }),
    customers: fc.array(acquaintance, { minLength: CUSTOMERS, maxLength: CUSTOMERS }),
    clicks: fc.array(affiliate, { maxLength: CLICKS }),
    rates: theme === "currencies" ? rates : fc.constant([]),
    steps: stepsOf(theme),
  });
}

/** Leaves out a second payment with a name, and gives each fact a time of its own. */
function normalize(history: History): History {
  const names = new Set<number>();
  /** Whether manual commissions of payments that are not reported yet have the other name: nothing says that both are one. */
  const other_names = new Map<number, boolean>();
  const steps = history.steps.flatMap((step, number): Step[] => {
    if (step.kind === "payment" && names.has(step.name)) return [];
    if (step.kind === "payment") names.add(step.name);
    if (step.kind === "manual" && step.payment !== null) {
      const { payment } = step;
      const has_other = step.by_other_name && hasOtherName(history, payment);
      const by_other_name = names.has(payment) ? has_other : (other_names.get(payment) ?? has_other);
      other_names.set(payment, by_other_name);
      return [{ ...step, by_other_name }];
    }
    if (!isFact(step)) return [step];
    return [forProcessor(history, { ...step, at: step.at + number * MINUTE })];
  });
  return { ...history, steps };
}

/** Stripe's free invoices have no payment intent. */
function hasOtherName(history: History, name: number): boolean {
  if (history.processor === "generic") return true;
  return paidPayment(history, name) !== null && otherPaymentId(history, name) !== null;
}

/**
 * Stripe names the products of an invoice, and has one code and two places for clicks in a session. Only Stripe has
 * prorations.
 */
function forProcessor<Reported extends Fact>({ processor, customers }: History, fact: Reported): Reported {
  if (fact.kind === "payment") {
    const by = fact.by === "new_id" && fact.at < 0 ? "usual" : fact.by;
    if (processor === "generic") return { ...fact, by, form: "invoice", proration: false };
    if (fact.form !== "invoice" && fact.revenue > 0 && fact.at < -WAIT) {
      // The card's address.
      return { ...fact, by, tax: 0, lines: [], proration: false, country: "US" };
    }
    const lines = fact.lines.length > 0 ? fact.lines : [{ product: null, amount: fact.revenue }];
    // A line without a product was added by hand.
    const billed = lines.map((sold) => ({
      ...sold,
      interval: sold.product === null ? ("one_time" as const) : ("month" as const),
    }));
    return { ...fact, by, form: "invoice", lines: billed };
  }
  if (fact.kind !== "checkout" || processor === "generic") return fact;
  // Before 2025, codes are discounts of customers, and guests are none.
  const has_codes = processor !== "2024-11-20.acacia" || customers[fact.customer] !== "guest";
  return { ...fact, codes: has_codes ? fact.codes.slice(0, 1) : [], clicks: fact.clicks.slice(0, 2) };
}

/** Leaves out what shows a known fault. */
function withoutFaults(history: History, included: ReadonlySet<Fault>): History {
  const left_out = Object.values(FAULTS).filter((fault) => !included.has(fault));
  return left_out.reduce((left, { without }) => without(left), history);
}

function mayShow(history: History, { without }: Fault): boolean {
  return JSON.stringify(without(history)) !== JSON.stringify(history);
}
