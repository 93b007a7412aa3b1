import fc from "fast-check";
import { has, type Theme } from "./deeds.ts";
import type {
  Conditions,
  LeadKind,
  LeadTerms,
  Rate,
  RateOfDay,
  Recruiting,
  Rule,
  Terms,
  TierReward,
} from "./history.ts";

/*
 * Random terms of campaigns, simplest first.
 */

const percentage: fc.Arbitrary<Rate> = fc
  .constantFrom(30, 12.5, 7.5, 33.3333, 100)
  .map((amount) => ({ type: "percentage", amount }));

export const rate: fc.Arbitrary<Rate> = fc.oneof(
  percentage,
  fc.constantFrom(7, 50).map((amount) => ({ type: "fixed" as const, amount })),
);

/** Products that earn nothing have a rate of 0. */
const product_rate: fc.Arbitrary<Rate> = fc.oneof(
  { arbitrary: rate, weight: 3 },
  { arbitrary: fc.constant({ type: "percentage" as const, amount: 0 }), weight: 1 },
);

export const CURRENCIES = ["USD", "JPY", "KWD", "EUR"];
export const PLANS = ["pro", "basic"];
export const COUNTRIES = ["DE", "US"];

const range = fc.oneof(
  fc.record({ from: fc.integer({ min: 2, max: 3 }) }),
  fc.record({ to: fc.integer({ min: 1, max: 3 }) }),
  fc.constant({ from: 2, to: 2 }),
);

const conditions: fc.Arbitrary<Conditions> = fc.record(
  {
    products: fc.subarray(["prod_a", "prod_b"], { minLength: 1 }),
    intervals: fc.subarray(["month" as const, "year" as const, "one_time" as const], { minLength: 1 }),
    payments: range,
    months: range,
    countries: fc.subarray(COUNTRIES, { minLength: 1 }),
    currencies: fc.subarray(CURRENCIES, { minLength: 1 }),
    amount: fc.oneof(
      fc.record({ currency: fc.constantFrom(...CURRENCIES), from: fc.constantFrom(40, 100) }),
      fc.record({ currency: fc.constantFrom(...CURRENCIES), below: fc.constantFrom(50, 60) }),
    ),
    plans: fc.subarray(PLANS, { minLength: 1 }),
  },
  { requiredKeys: [] },
);

/** Most conditions of a rule would match nothing together. */
const few_conditions = fc.tuple(conditions, fc.nat(), fc.nat()).map(([all, one, other]) => {
  const names = Object.keys(all) as (keyof Conditions)[];
  const kept = new Set([names[one % names.length], names[other % names.length]]);
  return Object.fromEntries(Object.entries(all).filter(([name]) => kept.has(name as keyof Conditions)));
});

const reward: fc.Arbitrary<Rule["reward"]> = fc.oneof(
  fc.constantFrom(40, 17.5, 1.2345),
  fc.constant(null),
  fc.uniqueArray(fc.constantFrom(...CURRENCIES), { minLength: 1 }).map((currencies) => {
    return Object.fromEntries(currencies.map((currency, index) => [currency, 5 + 20 * index]));
  }),
);

export const rule: fc.Arbitrary<Rule> = fc.record({ conditions: few_conditions, reward });

/** Recruits of a campaign with few months are paid after them. */
export const recruiting: fc.Arbitrary<Recruiting> = fc.record({
  percent: fc.constantFrom(10, 7.7777, 33.3333, 100),
  months: fc.constantFrom(12, 2, 1),
});

const TIERS = 3;

export const tiers: fc.Arbitrary<readonly TierReward[]> = fc.array(
  fc.oneof({ arbitrary: fc.constant("as_before" as const), weight: 1 }, { arbitrary: reward, weight: 3 }),
  { minLength: TIERS, maxLength: TIERS },
);

const rules_of_tiers = fc.array(
  fc
    .record({ of: fc.subarray([0, 1, 2], { minLength: 1 }), rule })
    .map(({ of, rule: { conditions: others, ...of_rule } }) => ({
      ...of_rule,
      conditions: { ...others, tiers: of },
    })),
  { maxLength: 2 },
);

const rules = fc.oneof(fc.constant([]), fc.constant([]), fc.array(rule, { minLength: 1, maxLength: 3 }));

const lead_terms = (
  kind: LeadKind,
  daily_limit: fc.Arbitrary<number | null>,
): fc.Arbitrary<readonly LeadTerms[]> =>
  fc.oneof(
    fc.constant([]),
    fc
      .record({ kind: fc.constant(kind), amount: fc.constantFrom(7, 20), daily_limit })
      .map((entry) => [entry]),
  );

/** Sign-ups and trials of several customers may be decided in any order, so nothing limits them. */
export const leads: fc.Arbitrary<readonly LeadTerms[]> = fc
  .tuple(
    lead_terms("demo", fc.constantFrom(null, 1)),
    lead_terms("signup", fc.constant(null)),
    lead_terms("trial", fc.constant(null)),
    lead_terms("call", fc.constant(null)),
  )
  .map((kinds) => kinds.flat());

/** Whether new commissions wait for a review. Amounts between are those of some commissions. */
export const review: fc.Arbitrary<Pick<Terms, "review" | "review_above">> = fc.oneof(
  fc.record({
    review: fc.constantFrom("none" as const, "all" as const, "first" as const),
    review_above: fc.constant(null),
  }),
  fc.constantFrom(10, 25).map((review_above) => ({ review: "none" as const, review_above })),
);

const no_review: Pick<Terms, "review" | "review_above"> = { review: "none", review_above: null };

const rateOfDay = (days_ago: readonly number[]): fc.Arbitrary<RateOfDay> =>
  fc.record({
    currency: fc.constantFrom("USD", "JPY", "KWD"),
    rate: fc.constantFrom("1.0812", "0.3333", "163.47"),
    days_ago: fc.constantFrom(...days_ago),
  });

/** Of today and days before payments. */
export const rateEntry = rateOfDay([0, 3, 9, 108]);

export const rates: fc.Arbitrary<readonly RateOfDay[]> = fc.array(rateOfDay([0, 4, 43, 110]), {
  minLength: 1,
  maxLength: 6,
});

/** Rates of campaigns with fixed amounts. */
const fixed_rate: fc.Arbitrary<Rate> = fc.constantFrom(7, 50).map((amount) => ({ type: "fixed", amount }));

/** What a fixed rate pays for depends on the currency. */
function rateOf(theme: Theme): fc.Arbitrary<Rate> {
  if (theme === "recruits") return fc.oneof(percentage, percentage, rate);
  return has(theme, "currencies") ? fc.oneof(fixed_rate, rate) : rate;
}

export function termsOf(theme: Theme): fc.Arbitrary<Terms> {
  return fc
    .record({
      rate: rateOf(theme),
      first_payment: fc.oneof(fc.constant(null), fc.constant(null), rate),
      products: fc.oneof(
        fc.constant({}),
        fc.constant({}),
        product_rate.map((product) => ({ prod_a: product })),
        fc.tuple(product_rate, rate).map(([prod_a, prod_b]) => ({ prod_a, prod_b })),
      ),
      limit: fc.oneof(
        fc.constant(null),
        fc.constant(null),
        fc.record({
          type: fc.constantFrom("payments" as const, "months" as const),
          amount: fc.integer({ min: 1, max: 3 }),
        }),
      ),
      customers: fc.constantFrom("any" as const, "new" as const),
      attribution: fc.constantFrom("last_click" as const, "first_click" as const),
      cookie_duration: fc.constantFrom(30, 1, 7, 365),
      commission_cap: fc.boolean(),
      skip_prorations: fc.boolean(),
      rules: has(theme, "tiers")
        ? fc.tuple(rules_of_tiers, rules).map(([of_tiers, others]) => [...of_tiers, ...others])
        : rules,
      leads: has(theme, "leads") ? leads : fc.constant([]),
      reviews: has(theme, "reviews") ? review : fc.constant(no_review),
      recruiting: has(theme, "recruits") ? recruiting : fc.constant(null),
      tiers: has(theme, "tiers") ? tiers : fc.constant([]),
    })
    .map(({ reviews, ...others }) => ({ ...others, ...reviews }));
}
