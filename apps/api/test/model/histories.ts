import fc from "fast-check";
import { leads, rate, rateEntry, rates, recruiting, review, rule, termsOf, tiers } from "./campaigns.ts";
import { decisions, deeds, deedsOf, has, THEMES, type Theme } from "./deeds.ts";
import { FAULTS, type Fault } from "./faults.ts";
import {
  type Acquaintance,
  DAY,
  type Deed,
  type Fact,
  type History,
  HOUR,
  isFact,
  MINUTE,
  type Partner,
  type Payment,
  type Processor,
  paidPayment,
  type Step,
} from "./history.ts";
import { otherPaymentId } from "./names.ts";
import {
  AFFILIATES,
  affiliate,
  CLICKS,
  CUSTOMERS,
  checkout,
  customer,
  paid,
  payment,
  reportedOf,
} from "./reports.ts";

/*
 * Random histories. Every value is simplest first, so that a history that fails shrinks to one without anything special.
 */

const STEPS = { minLength: 1, maxLength: 14 };
/** Payment intents and charges are processed a minute after they occurred, so that later ones would be waited for. */
const WAIT = 5 * MINUTE;

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

const COUNT = { minLength: AFFILIATES, maxLength: AFFILIATES };

/** Most of them are in one campaign, and recruited by one before. */
const recruited: fc.Arbitrary<Partner[]> = fc
  .array(
    fc.record({
      one: partner,
      moves: fc.constantFrom(true, true, true, false),
      distance: fc.constantFrom(1, 1, 1, 2, null),
    }),
    COUNT,
  )
  .map((chosen) => {
    const partners = chosen.map(({ one, moves }) => (moves ? { ...one, campaign: 0 } : one));
    return partners.map((one, number) => {
      const recruited_by = number - (chosen[number]?.distance ?? AFFILIATES);
      return partners[recruited_by]?.campaign === one.campaign ? { ...one, recruited_by } : one;
    });
  });

const named = {
  customer,
  affiliate,
  payment,
  click: fc.nat({ max: CLICKS - 1 }),
  rate,
  leads,
  review,
  rate_entry: rateEntry,
  recruiting,
  tiers,
};

function stepsOf(theme: Theme): fc.Arbitrary<Step[]> {
  const reported = reportedOf(theme);
  const deed = theme === "plain" ? deeds(named) : fc.oneof(deeds(named), deedsOf(theme, named));
  return fc.oneof(
    { arbitrary: fc.array(reported, STEPS), weight: 1 },
    { arbitrary: fc.array(fc.oneof({ arbitrary: reported, weight: 3 }, deed), STEPS), weight: 2 },
    { arbitrary: decidedOf(theme, reported), weight: 2 },
    { arbitrary: earningOf(theme, reported), weight: theme === "plain" ? 3 : 10 },
  );
}

/** A customer with an affiliate, and with payments that earn if its campaign and the affiliate's state let them. */
function earningOf(theme: Theme, reported: fc.Arbitrary<Step>): fc.Arbitrary<Step[]> {
  const about_one = { ...named, customer: fc.constant(0), payment: fc.nat({ max: EARNING - 1 }) };
  const deed =
    theme === "plain"
      ? decisions(about_one)
      : fc.oneof(decisions(about_one), { arbitrary: deedsOf(theme, about_one), weight: 2 });
  return fc
    .tuple(
      fc.record({
        affiliate: fc.constantFrom(2, 1, 0, 1, 2),
        at: fc.constantFrom(-3 * DAY, -110 * DAY, -110 * DAY),
      }),
      fc.array(fc.record({ one: paid.map(somethingPaid), at: fc.constantFrom(...PAID_AT) }), {
        minLength: 1,
        maxLength: EARNING,
      }),
      fc.constantFrom(...PAYOUTS),
      fc.array(
        fc.oneof(
          { arbitrary: deed, weight: 5 },
          { arbitrary: about(0, reported), weight: 1 },
          { arbitrary: paid_now, weight: 1 },
        ),
        {
          minLength: 1,
          maxLength: 9,
        },
      ),
    )
    .map(([{ affiliate: code, at }, payments, payouts, later]) => [
      ...payouts.filter(({ kind }) => kind === "set_payouts"),
      { kind: "checkout", customer: 0, at, names_email: true, codes: [code], clicks: [], twice: false },
      ...payments.map(
        ({ one, at: paid_at }, name): Step => ({ ...one, ...KNOWN, name, at: paid_at, twice: false }),
      ),
      ...payouts.filter(({ kind }) => kind !== "set_payouts"),
      ...later,
    ]);
}

/** Most of them are due without a holding period. */
const PAID_AT = [2 * DAY, -3 * HOUR, -3 * DAY, -40 * DAY, -105 * DAY, 35 * DAY];

/** What is paid before people decide. */
const PAYOUTS: readonly Deed[][] = [
  [],
  [{ kind: "set_payouts", hold_days: 0 }],
  [{ kind: "set_payouts", hold_days: 0 }, { kind: "run" }],
  [{ kind: "set_payouts", hold_days: 0 }, { kind: "run" }, { kind: "move", status: "paid" }],
];

function somethingPaid(payment: Payment): Payment {
  return payment.revenue === 0 ? { ...payment, revenue: 10_000, lines: [] } : payment;
}

const EARNING = 3;
const KNOWN = { customer: 0, by: "usual", names_email: true } as const;

/** Payments between what people do. Those before have smaller names. */
const paid_now: fc.Arbitrary<Step> = fc
  .tuple(paid.map(somethingPaid), fc.integer({ min: EARNING, max: EARNING + 1 }))
  .map(([one, name]) => ({ ...one, ...KNOWN, name, is_now: true, twice: false }));

/** The same reports of one customer. */
function about(number: number, reported: fc.Arbitrary<Step>): fc.Arbitrary<Step> {
  return reported.map((step) => ("customer" in step ? { ...step, customer: number } : step));
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
          { arbitrary: paid_now, weight: 1 },
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
    affiliates: has(theme, "recruits") ? recruited : fc.array(partner, COUNT),
    customers: fc.array(acquaintance, { minLength: CUSTOMERS, maxLength: CUSTOMERS }),
    clicks: fc.array(affiliate, { maxLength: CLICKS }),
    rates: has(theme, "currencies") ? rates : fc.constant([]),
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
    const reported = forProcessor(history, { ...step, at: step.at + number * MINUTE });
    // Stripe's times are seconds.
    const is_late = reported.kind === "payment" && reported.is_now && history.processor !== "generic";
    return [is_late ? { ...reported, is_now: false } : reported];
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
