import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ruledPayment } from "../../../test/attribution/ruled-payment.ts";
import type { ExchangeRates } from "../../exchange-rates/convert.ts";
import { divideRounded } from "../../money.ts";
import type { Rate, Terms } from "../facts/stored-fact.ts";
import { type Earned, type Earning, earn } from "./earn.ts";
import { rulesOf } from "./rules.ts";

const TERMS: Terms = {
  campaign_id: "campaign",
  rate: { type: "percentage", value: 300_000n },
  first_payment: null,
  products: [],
  limit: null,
  cookie_duration: 30,
  customers: "new",
  attribution: "last_click",
  commission_cap: false,
  skip_prorations: false,
  converts_fixed_amounts: false,
};

const percent = (value: number): Rate => ({ type: "percentage", value: BigInt(Math.round(value * 10_000)) });
const fixed = (value: bigint): Rate => ({ type: "fixed", value });

function of(
  revenue_minor: bigint,
  terms: Partial<Terms> = {},
  {
    is_first = false,
    currency = "USD",
    lines = [] as { product_id: string | null; amount_minor: bigint }[],
    exchange_rates = null as ExchangeRates | null,
  } = {},
): Earned {
  return earnBy({ currency, revenue_minor, lines }, { ...TERMS, ...terms }, { is_first, exchange_rates });
}

function earnBy(
  earning: Earning,
  terms: Terms,
  { is_first, exchange_rates = null }: { is_first: boolean; exchange_rates?: ExchangeRates | null },
): Earned {
  const { commission_cap } = terms;
  return earn(
    earning,
    { ...ruledPayment(earning), is_first },
    { rules: rulesOf(terms), commission_cap, fixed_currency: "USD", exchange_rates },
  );
}

function amountOf(earned: Earned): bigint | string {
  return earned.outcome === "commission" ? earned.commission_minor : earned.outcome;
}

describe("a percentage", () => {
  it.each([
    [10_000n, 30, 3_000n],
    [1n, 50, 1n],
    [1n, 49.9999, "commission_is_zero"],
    [333n, 33.3333, 111n],
    [999_999_999_999_99n, 100, 999_999_999_999_99n],
    [3n, 0.0001, "commission_is_zero"],
    [500_000n, 0.0001, 1n],
  ])("of %s at %s %% is %s", (revenue, rate, expected) => {
    expect(amountOf(of(revenue, { rate: percent(rate) }))).toBe(expected);
  });

  it("is rounded half away from zero and shows the exact amount", () => {
    expect(of(5n, { rate: percent(10) })).toMatchObject({ commission_minor: 1n, exact: "0.5" });
    expect(of(1_001n, { rate: percent(12.3456) })).toMatchObject({
      commission_minor: 124n,
      exact: "123.579456",
    });
  });
});

describe("a fixed amount", () => {
  it("is the same for each payment in the organization's currency", () => {
    expect(amountOf(of(5n, { rate: fixed(700n) }))).toBe(700n);
    expect(amountOf(of(5n, { rate: fixed(700n) }, { currency: "EUR" }))).toBe("fixed_amount_other_currency");
  });
});

describe("a fixed amount in another currency than the payment", () => {
  const day = "2026-11-26";
  const usd = { currency: "USD", rate: "1.0812", source: "ecb", day };
  const gbp = { currency: "GBP", rate: "0.8333", source: "ecb", day };
  const of_day: ExchangeRates = new Map([
    ["USD", usd],
    ["GBP", gbp],
  ]);
  const paid_in = (currency: string) => ({ currency, exchange_rates: of_day });

  it("is converted at the rate of the payment's day, which the step has", () => {
    expect(of(10_000n, { rate: fixed(5_000n) }, paid_in("GBP"))).toEqual({
      outcome: "commission",
      commission_minor: 3_854n,
      exact: "3854",
      steps: [
        {
          rule: "campaign",
          ...fixed(5_000n),
          of_minor: 10_000n,
          conversion: { amount_minor: 3_854n, rate: "0.7707177211", rates: [usd, gbp] },
        },
      ],
    });
    expect(amountOf(of(10_000n, { rate: fixed(5_000n) }, paid_in("EUR")))).toBe(4_624n);
  });

  it("waits if a rate is missing, unless the payment is in the organization's currency", () => {
    expect(amountOf(of(10_000n, { rate: fixed(5_000n) }, paid_in("AED")))).toBe("exchange_rate_missing");
    const none = { exchange_rates: new Map() };
    expect(amountOf(of(10_000n, { rate: fixed(5_000n) }, { currency: "EUR", ...none }))).toBe(
      "exchange_rate_missing",
    );
    expect(amountOf(of(10_000n, { rate: fixed(5_000n) }, { currency: "USD", ...none }))).toBe(5_000n);
  });

  it("does not concern percentages", () => {
    expect(amountOf(of(10_000n, {}, paid_in("AED")))).toBe(3_000n);
    const products = [{ product_id: "setup", ...fixed(5_000n) }];
    const lines = [
      { product_id: "setup", amount_minor: 2_000n },
      { product_id: null, amount_minor: 8_000n },
    ];
    const both = of(10_000n, { products }, { ...paid_in("EUR"), lines });
    expect(amountOf(both)).toBe(4_624n + 2_400n);
    expect(both.steps[1]).not.toHaveProperty("conversion");
  });

  it("is capped in the payment's currency", () => {
    const capped = of(1_000n, { rate: fixed(5_000n), commission_cap: true }, paid_in("GBP"));
    expect(amountOf(capped)).toBe(1_000n);
    expect(capped.steps[1]).toEqual({ rule: "commission_cap", ...fixed(1_000n - 3_854n), of_minor: 1_000n });
  });

  it("is converted from the currency of its rule", () => {
    const reward = { type: "fixed" as const, amounts: [{ currency: "GBP", value: 1_000n }] };
    const stored = { id: "rule", name: null, conditions: {}, reward };
    const rules = [{ rule: "rule" as const, stored, conditions: {}, reward }];
    const paid = (currency: string, exchange_rates: ExchangeRates | null) =>
      earn(
        { currency, revenue_minor: 10_000n, lines: [] },
        ruledPayment({ currency, revenue_minor: 10_000n }),
        {
          ...{ rules, commission_cap: false, fixed_currency: "USD", exchange_rates },
        },
      );
    // 10.00 ÷ 0.8333 = 12.0004…; × 1.0812 = 12.9749…
    expect(paid("EUR", of_day)).toMatchObject({
      commission_minor: 1_200n,
      steps: [{ currency: "GBP", conversion: { rates: [gbp] } }],
    });
    expect(paid("USD", of_day)).toMatchObject({ commission_minor: 1_297n });
    expect(amountOf(paid("GBP", null))).toBe(1_000n);
    expect(amountOf(paid("USD", null))).toBe("fixed_amount_other_currency");
    expect(amountOf(paid("USD", new Map([["USD", usd]])))).toBe("exchange_rate_missing");
  });

  it("may round to nothing", () => {
    const rates: ExchangeRates = new Map([["USD", { ...usd, rate: "9999999999" }]]);
    const converted = of(10_000n, { rate: fixed(1n) }, { currency: "EUR", exchange_rates: rates });
    expect(amountOf(converted)).toBe("commission_is_zero");
  });
});

describe("the commission cap", () => {
  const capped = { rate: fixed(700n), commission_cap: true };

  it.each([
    [500n, 500n],
    [700n, 700n],
    [701n, 700n],
  ])("limits a fixed amount to a payment of %s", (revenue, expected) => {
    expect(amountOf(of(revenue, capped))).toBe(expected);
  });

  it("shows its reduction, so that the steps add up", () => {
    expect(of(500n, capped)).toMatchObject({
      commission_minor: 500n,
      exact: "500",
      steps: [
        { rule: "campaign", value: 700n },
        { rule: "commission_cap", type: "fixed", value: -200n, of_minor: 500n },
      ],
    });
    expect(of(700n, capped)).toMatchObject({ steps: [{ rule: "campaign" }] });
  });

  it("limits the sum of fixed amounts and percentages, but not percentages alone", () => {
    const products = [{ product_id: "a", ...fixed(900n) }];
    const lines = [
      { product_id: "a", amount_minor: 100n },
      { product_id: "b", amount_minor: 900n },
    ];
    const terms = { ...capped, rate: percent(30), products };
    expect(amountOf(of(1_000n, terms, { lines }))).toBe(1_000n);
    expect(amountOf(of(10_000n, terms, { lines: [] }))).toBe(3_000n);
  });

  it("never makes a commission exceed its payment, nor grow", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1_000_000 }),
        fc.integer({ min: 1, max: 1_000_000 }),
        (revenue, value) => {
          const amount = amountOf(of(BigInt(revenue), { ...capped, rate: fixed(BigInt(value)) }));
          expect(amount).toBe(BigInt(Math.min(revenue, value)));
        },
      ),
    );
  });
});

describe("the first payment's rate", () => {
  const terms = { first_payment: fixed(5_000n), products: [{ product_id: "a", ...percent(1) }] };
  const lines = [{ product_id: "a", amount_minor: 10_000n }];

  it("replaces all other rates once", () => {
    expect(amountOf(of(10_000n, terms, { is_first: true, lines }))).toBe(5_000n);
    expect(amountOf(of(10_000n, terms, { lines }))).toBe(100n);
  });
});

describe("excluded products", () => {
  const products = [
    { product_id: "setup", ...percent(0) },
    { product_id: "gift", ...fixed(0n) },
  ];
  const plan = { product_id: "plan", amount_minor: 4_900n };
  const setup = { product_id: "setup", amount_minor: 50_000n };
  const gift = { product_id: "gift", amount_minor: 50_000n };

  it("earn nothing, and the rest of the payment earns its rate", () => {
    expect(of(54_900n, { products }, { lines: [setup, plan] })).toMatchObject({
      commission_minor: 1_470n,
      steps: [
        { rule: "product", product_id: "setup", value: 0n, of_minor: 50_000n },
        { rule: "campaign", of_minor: 4_900n },
      ],
    });
    const capped = { products, rate: fixed(9_900n), commission_cap: true };
    expect(amountOf(of(54_900n, capped, { lines: [setup, plan] }))).toBe(9_900n);
  });

  it("alone earn no commission, in any currency", () => {
    for (const line of [setup, gift]) {
      const earned = of(50_000n, { products }, { lines: [line], currency: "EUR" });
      expect(earned).toMatchObject({
        outcome: "product_excluded",
        steps: [{ rule: "product", product_id: line.product_id, value: 0n }],
      });
    }
    expect(amountOf(of(50_001n, { products }, { lines: [setup] }))).toBe("commission_is_zero");
  });

  it("are excluded from the first payment's rate, too", () => {
    const terms = {
      products: [...products, { product_id: "plan", ...percent(1) }],
      first_payment: percent(50),
    };
    const first = { is_first: true, lines: [setup, plan] };
    expect(of(54_900n, terms, first)).toMatchObject({
      commission_minor: 2_450n,
      steps: [{ rule: "product" }, { rule: "first_payment", of_minor: 4_900n }],
    });
    expect(amountOf(of(50_000n, terms, { is_first: true, lines: [setup] }))).toBe("product_excluded");
    const unknown = { currency: "USD", revenue_minor: 54_900n, lines: null };
    const paying = { ...TERMS, ...terms };
    expect(earnBy(unknown, paying, { is_first: true }).outcome).toBe("products_unknown");
    const included = { ...paying, products: paying.products.slice(2) };
    expect(earnBy(unknown, included, { is_first: true }).outcome).toBe("commission");
  });
});

describe("products", () => {
  const products = [
    { product_id: "a", ...percent(50) },
    { product_id: "b", ...fixed(200n) },
  ];

  it.each([
    [
      "have their own rates, the rest the campaign's",
      [
        ["a", 1_000n],
        ["c", 1_000n],
      ],
      800n,
    ],
    [
      "with fixed amounts count once",
      [
        ["b", 1_000n],
        ["b", 1_000n],
      ],
      200n,
    ],
    [
      "that were given back take their share with them",
      [
        ["a", -1_000n],
        ["c", 3_000n],
      ],
      400n,
    ],
    ["that take all of it leave the campaign's rate nothing", [["a", 2_000n]], 1_000n],
    [
      "given back alone earn no fixed amount",
      [
        ["b", -1_000n],
        ["c", 3_000n],
      ],
      900n,
    ],
    ["of no name are the rest", [[null, 2_000n]], 600n],
  ] as [string, [string | null, bigint][], bigint][])("%s", (_name, parts, expected) => {
    const lines = parts.map(([product_id, amount_minor]) => ({ product_id, amount_minor }));
    expect(amountOf(of(2_000n, { products }, { lines }))).toBe(expected);
  });

  it("split a payment without changing the commission of a single rate", () => {
    fc.assert(
      fc.property(
        fc.array(fc.bigInt({ min: 1n, max: 10n ** 12n }), { minLength: 1, maxLength: 8 }),
        (amounts) => {
          const revenue = amounts.reduce((sum, amount) => sum + amount, 0n);
          const lines = amounts.map((amount_minor, index) => ({ product_id: `p${index % 3}`, amount_minor }));
          const same = [0, 1, 2].map((index) => ({ product_id: `p${index}`, ...percent(30) }));
          expect(amountOf(of(revenue, { products: same }, { lines }))).toEqual(amountOf(of(revenue)));
        },
      ),
    );
  });
});

it("rounds any integers exactly", () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }),
      fc.bigInt({ min: 1n, max: 10n ** 15n }),
      (a, b) => {
        const rounded = divideRounded(a, b);
        const off = (rounded * b - a) * 2n;
        expect(off <= b && off >= -b).toBe(true);
        if (off === b) expect(a > 0n).toBe(true);
        if (off === -b) expect(a < 0n).toBe(true);
      },
    ),
  );
});
