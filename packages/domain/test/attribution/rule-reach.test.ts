import type { SimulateCampaign } from "@findersfee/contract/campaigns/editing";
import { unreachableRules } from "@findersfee/contract/campaigns/rule-reach";
import {
  billingIntervals,
  type CommissionRuleInput,
  commissionRuleInput,
} from "@findersfee/contract/campaigns/rules";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { RuledPayment } from "../../src/attribution/decide/rules.ts";
import { divideByRules, rulesFor, rulesOf } from "../../src/attribution/decide/rules.ts";
import type { PayingTerms } from "../../src/attribution/facts/stored-fact.ts";
import { simulateCampaign } from "../../src/attribution/simulate-campaign.ts";
import { rulesToStored } from "../../src/campaigns/rules/read.ts";
import { NOTHING, percent, rule } from "./rules.ts";

const NO_LIMIT = { limit_type: "none", limit_amount: null } as const;

const PRODUCTS = ["prod_a", "prod_b"];
const COUNTRIES = ["DE", "US"];
const CURRENCIES = ["EUR", "USD"];
const CODES = ["spring", "SPRING", "Äpfel", "äpfel"];
const PLANS = ["pro", "team"];
const TAGS = ["agency", "vip"];

/** Few values, so that rules often take lines of later ones. */
const some = <Value>(...values: readonly Value[]) => fc.subarray([...values], { minLength: 1 });
const range = fc
  .record({ from: fc.integer({ min: 1, max: 4 }), to: fc.integer({ min: 1, max: 4 }) }, { requiredKeys: [] })
  .filter(({ from = 1, to = 4 }) => from <= to);
const amount = fc
  .record(
    {
      currency: fc.constantFrom(...CURRENCIES),
      from: fc.constantFrom(10, 20),
      below: fc.constantFrom(30, 40),
    },
    { requiredKeys: ["currency"] },
  )
  .filter(({ from, below }) => from !== undefined || below !== undefined);

/** Each has two conditions at most. */
const conditions = fc.oneof(
  ...[
    { minKeys: 0, maxKeys: 1 },
    { minKeys: 1, maxKeys: 2 },
  ].map(({ minKeys, maxKeys }) =>
    fc
      .record(
        {
          products: some(...PRODUCTS),
          intervals: some(...billingIntervals),
          payments: range,
          months: range,
          countries: some(...COUNTRIES),
          currencies: some(...CURRENCIES),
          amount,
          metadata: fc.record({ key: fc.constant("plan"), values: some(...PLANS) }),
          promo_codes: some(...CODES),
          tags: some(...TAGS),
        },
        { requiredKeys: [] },
      )
      .chain((all) =>
        fc
          .subarray(Object.entries(all), {
            minLength: Math.min(minKeys, Object.keys(all).length),
            maxLength: maxKeys,
          })
          .map((chosen): CommissionRuleInput["conditions"] => Object.fromEntries(chosen)),
      ),
  ),
);

const rules = (reward: fc.Arbitrary<CommissionRuleInput["reward"]>, given = conditions) =>
  fc
    .array(fc.tuple(given, reward), { minLength: 1, maxLength: 6 })
    .map((list) =>
      list.map(([chosen, gives], index) => commissionRuleInput.parse(rule(chosen, gives, String(index)))),
    );

/** Rules that often take parts of a later one by the same condition. */
const alike = fc
  .constantFrom(
    ...[{ payments: range }, { months: range }, { amount, currencies: some("USD") }].map((each) =>
      fc.record<object>(each, { requiredKeys: [] }),
    ),
    ...[{ countries: some(...COUNTRIES) }, { promo_codes: some(...CODES) }].map((each) =>
      fc.record<object>({ ...each, tags: some(...TAGS) }, { requiredKeys: [] }),
    ),
  )
  .chain((given) => rules(fc.constant(percent(10)), given));

const line = fc.record({
  product_id: fc.constantFrom(...PRODUCTS, null),
  amount_minor: fc.bigInt({ min: -1000n, max: 5000n }),
  interval: fc.constantFrom(...billingIntervals),
});

const START = new Date("2026-01-31T09:30:00Z");

const ruled: fc.Arbitrary<RuledPayment> = fc
  .record({
    number: fc.integer({ min: 1, max: 6 }),
    is_first: fc.boolean(),
    day: fc.integer({ min: 0, max: 200 }),
    country: fc.constantFrom(...COUNTRIES, null),
    currency: fc.constantFrom(...CURRENCIES),
    revenue_minor: fc.bigInt({ min: 0n, max: 5000n }),
    plan: fc.constantFrom(...PLANS, null),
    promo_codes: fc.subarray(CODES),
    tier: fc.constant(null),
    tags: fc.subarray(TAGS),
  })
  .map(({ day, plan, ...payment }) => ({
    ...payment,
    paid_at: new Date(START.getTime() + day * 86_400_000),
    first_at: payment.number === 1 ? null : START,
    metadata: plan === null ? {} : { plan },
  }));

describe("a rule that never matches", () => {
  it("decides no line of any payment", () => {
    let unreachable = 0;
    let together = 0;
    fc.assert(
      fc.property(
        fc.oneof({ weight: 2, arbitrary: rules(fc.constant(percent(10))) }, alike),
        ruled,
        fc.array(line, { maxLength: 5 }),
        (list, payment, lines) => {
          const reach = unreachableRules(list, { limit: NO_LIMIT });
          unreachable += reach.filter((reason) => reason !== null).length;
          together += reach.filter((reason) => reason?.reason === "earlier_rules").length;
          const { values } = rulesToStored(list, "rules");
          const terms: PayingTerms = {
            ...{ first_payment: null, products: [], limit: null, commission_cap: false },
            rate: { type: "percentage", value: 1n },
          };
          const applicable = rulesFor(rulesOf(terms, [values]), payment);
          for (const part of divideByRules({ ...payment, lines }, applicable)) {
            if (part.rule.stored !== undefined) expect(reach[Number(part.rule.stored.name)]).toBe(null);
          }
        },
      ),
      { numRuns: 3000 },
    );
    expect(unreachable).toBeGreaterThan(300);
    expect(together).toBeGreaterThan(30);
  });

  it("decides no payment within the limit", () => {
    let unreachable = 0;
    const limit = fc.record({
      limit_type: fc.constantFrom("months" as const, "payments" as const),
      limit_amount: fc.integer({ min: 1, max: 3 }),
    });
    const days = fc.array(fc.integer({ min: 0, max: 150 }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(
        rules(
          fc.oneof({ weight: 9, arbitrary: fc.constant(percent(10)) }, fc.constant(NOTHING)),
          fc.oneof(conditions, fc.record({ months: range }), fc.record({ payments: range })),
        ),
        limit,
        days,
        (list, limits, paid) => {
          const reach = unreachableRules(list, { limit: limits });
          unreachable += reach.filter((reason) => reason?.reason === "limit").length;
          const draft: SimulateCampaign["draft"] = {
            ...{ commission_type: "percentage", commission_amount: 30, rules: list, ...limits },
          };
          const payments = paid.map((day) => ({
            paid_at: new Date(START.getTime() + day * 86_400_000).toISOString(),
            revenue_amount: 25,
            ...{ product_id: "prod_a", interval: "month" as const, country: "DE", promo_code: "spring" },
          }));
          const simulated = simulateCampaign(
            { organization: { currency: "USD" } },
            { draft, payments },
          ).payments;
          const has_exclusions = simulated.some(({ outcome }) => outcome === "excluded_by_rule");
          for (const { rule_name } of simulated.flatMap(({ steps }) => steps)) {
            if (typeof rule_name !== "string") continue;
            const reason = reach[Number(rule_name)] ?? null;
            if (!has_exclusions || reason?.reason !== "limit_of_payments") expect(reason).toBe(null);
          }
        },
      ),
      { numRuns: 1500 },
    );
    expect(unreachable).toBeGreaterThan(20);
  });
});

describe("the reason", () => {
  const reasonsOf = (...list: CommissionRuleInput["conditions"][]) =>
    unreachableRules(
      list.map((given) => rule(given, percent(10))),
      { limit: { limit_type: "months", limit_amount: 12 } },
    );

  it.each<[string, CommissionRuleInput["conditions"][], unknown[]]>([
    ["all payments", [{}, { countries: ["US"] }], [null, { reason: "earlier_rule", index: 0 }]],
    [
      "more countries",
      [{ countries: ["US", "DE"] }, { countries: ["US"] }],
      [null, { reason: "earlier_rule", index: 0 }],
    ],
    ["fewer countries", [{ countries: ["US"] }, { countries: ["US", "DE"] }], [null, null]],
    ["further conditions", [{ countries: ["US"], payments: { to: 1 } }, { countries: ["US"] }], [null, null]],
    [
      "a currency of an amount",
      [{ currencies: ["USD"] }, { amount: { currency: "USD", from: 5 } }],
      [null, { reason: "earlier_rule", index: 0 }],
    ],
    [
      "codes in any case",
      [{ promo_codes: ["Launch"] }, { promo_codes: ["LAUNCH"] }],
      [null, { reason: "earlier_rule", index: 0 }],
    ],
    [
      "the first payment in its month",
      [{ months: { to: 1 } }, { payments: { to: 1 } }],
      [null, { reason: "earlier_rule", index: 0 }],
    ],
    [
      "the first payment in a later month",
      [{ payments: { to: 1 }, months: { from: 2 } }],
      [{ reason: "contradiction" }],
    ],
    [
      "an amount in another currency",
      [{ currencies: ["EUR"], amount: { currency: "USD", from: 5 } }],
      [{ reason: "contradiction" }],
    ],
    [
      "the first payment and all later ones",
      [{ payments: { to: 1 } }, { countries: ["US"] }, { payments: { from: 2 } }, {}],
      [null, null, null, { reason: "earlier_rules", indexes: [0, 2] }],
    ],
    [
      "a payment between two ranges",
      [{ payments: { to: 1 } }, { payments: { from: 3 } }, {}],
      [null, null, null],
    ],
    [
      "months that overlap, of the same countries",
      [
        { months: { to: 4 }, countries: ["US"] },
        { months: { from: 3, to: 12 } },
        { months: { to: 12 }, countries: ["US"] },
      ],
      [null, null, { reason: "earlier_rules", indexes: [0, 1] }],
    ],
    [
      "each country of several rules that it needs",
      [
        { countries: ["US"] },
        { countries: ["US", "DE"] },
        { countries: ["CH"] },
        { countries: ["CH", "US", "DE"] },
      ],
      [null, null, null, { reason: "earlier_rules", indexes: [1, 2] }],
    ],
    [
      "amounts of a currency",
      [
        { amount: { currency: "USD", below: 50 } },
        { amount: { currency: "EUR", below: 50 } },
        { amount: { currency: "USD", from: 50 } },
        { currencies: ["USD"] },
        { currencies: ["EUR"] },
      ],
      [null, null, null, { reason: "earlier_rules", indexes: [0, 2] }, null],
    ],
    [
      "values of one key alone",
      [
        { metadata: { key: "plan", values: ["pro"] } },
        { metadata: { key: "team", values: ["basic"] } },
        { metadata: { key: "plan", values: ["pro", "basic"] } },
        { metadata: { key: "plan", values: ["basic"] } },
        { metadata: { key: "plan", values: ["pro", "basic"] } },
      ],
      [null, null, null, { reason: "earlier_rule", index: 2 }, { reason: "earlier_rule", index: 2 }],
    ],
    [
      "rules that differ in two conditions",
      [
        { countries: ["US"], intervals: ["year"] },
        { countries: ["DE"], intervals: ["month"] },
        { countries: ["US", "DE"], intervals: ["year", "month"] },
      ],
      [null, null, null],
    ],
    [
      "all intervals: those of some payments are unknown",
      [{ intervals: ["day", "week", "month"] }, { intervals: ["year", "one_time"] }, {}],
      [null, null, null],
    ],
    ["no rules while a condition has no values", [{ tags: ["vip"] }, { countries: [] }], [null, null]],
    ["months after the limit", [{ months: { from: 13 } }], [{ reason: "limit" }]],
    ["months within the limit", [{ months: { from: 12 } }], [null]],
  ])("names %s", (_name, list, reasons) => {
    expect(reasonsOf(...list)).toEqual(reasons);
  });

  it("leaves months after the limit where a rule gives nothing: the limit then starts later", () => {
    const list = [rule({ months: { from: 13 } }, percent(10)), rule({ payments: { to: 1 } }, NOTHING)];
    const limit = { limit_type: "months" as const, limit_amount: 12 };
    expect(unreachableRules(list, { limit })).toEqual([null, null]);
    expect(unreachableRules(list.slice(0, 1), { limit, excludes: true })).toEqual([null]);
  });

  it("says that payments after the limit match only after others were reversed", () => {
    const limit = { limit_type: "payments" as const, limit_amount: 3 };
    const list = [rule({ payments: { from: 4 } }, percent(10)), rule({ payments: { from: 3 } }, percent(10))];
    expect(unreachableRules(list, { limit })).toEqual([{ reason: "limit_of_payments" }, null]);
  });
});
