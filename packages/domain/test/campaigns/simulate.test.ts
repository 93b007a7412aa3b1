/* A simulated schedule of payments pays the same commissions as reported payments. */
import type { SimulateCampaign } from "@findersfee/contract/campaigns/editing";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { simulateCampaign } from "../../src/attribution/simulate-campaign.ts";
import { addPartner, type CampaignFields, click, report } from "../attribution/program.ts";
import { checkout, payment, second } from "../attribution/reported.ts";
import { percent, rule } from "../attribution/rules.ts";
import { makeContext } from "../subscriber.ts";

const USD = { organization: { currency: "USD" } };
const DAY = 24 * 60 * 60;

/** Payments of $49.00 on the same day of each month. */
function monthly(count: number): SimulateCampaign["payments"] {
  return Array.from({ length: count }, (_, index) => ({
    paid_at: new Date(Date.UTC(2026, 10 + index, 21)).toISOString(),
    revenue_amount: 49,
  }));
}

const amountsOf = ({ payments }: ReturnType<typeof simulateCampaign>) =>
  payments.map(({ commission_amount }) => commission_amount);

describe("a schedule", () => {
  it("has the commission of the affiliate's tier, and of a rule for its tag", () => {
    const [silver, gold] = [crypto.randomUUID(), crypto.randomUUID()];
    const step = { commission: percent(40), bonus: null };
    const draft: SimulateCampaign["draft"] = {
      ...{ commission_type: "percentage", commission_amount: 30 },
      rules: [rule({ tags: ["agency"] }, percent(50))],
      tiers: {
        ...{ measure: "customers", period: "month" },
        steps: [
          { ...step, id: silver, name: "Silver", from: 1 },
          { ...step, id: gold, name: "Gold", from: 2, commission: null },
        ],
      },
    };
    const of = (fields: Partial<SimulateCampaign["payments"][number]>) => ({
      ...{ paid_at: "2026-11-21T00:00:00.000Z", revenue_amount: 100 },
      ...fields,
    });
    const payments = [
      of({}),
      of({ tier: silver }),
      of({ tier: gold.toUpperCase() }),
      of({ tags: ["vip", "agency"] }),
    ];
    expect(amountsOf(simulateCampaign(USD, { draft, payments }))).toEqual([30, 40, 40, 50]);
    const wrong = { ...draft, tiers: { ...draft.tiers, steps: [{ ...step, name: "Half", from: 1.5 }] } };
    expect(() => simulateCampaign(USD, { draft: wrong as typeof draft, payments })).toThrow(
      expect.objectContaining({ issues: [expect.objectContaining({ path: "draft.tiers.steps[0].from" })] }),
    );
  });

  it("has another rate for the first payment, and ends after twelve months", () => {
    const simulated = simulateCampaign(USD, {
      draft: {
        commission_type: "percentage",
        commission_amount: 30,
        limit_type: "months",
        limit_amount: 12,
        first_payment_commission: { enabled: true, type: "percentage", amount: 50 },
      },
      payments: monthly(13),
    });
    expect(amountsOf(simulated)).toEqual([24.5, ...Array(11).fill(14.7), 0]);
    expect(simulated.payments.at(-1)).toMatchObject({ outcome: "limit_reached", steps: [] });
    expect(simulated.payments[1]?.steps).toEqual([
      { rule: "campaign", product_id: null, type: "percentage", amount: 30, of_amount: 49, conversion: null },
    ]);
    expect(simulated).toMatchObject({ revenue_amount: 637, commission_amount: 186.2 });
  });

  it("names a fixed amount in another currency as the reason for none", () => {
    const draft = { commission_type: "fixed", commission_amount: 5 } as const;
    const simulated = simulateCampaign(USD, { draft, currency: "EUR", payments: monthly(1) });
    expect(simulated.payments[0]).toMatchObject({
      outcome: "fixed_amount_other_currency",
      commission_amount: 0,
    });
  });

  it("names all issues of the draft and of the payments at their paths", () => {
    const draft = {
      commission_type: "percentage",
      commission_amount: 101,
      limit_type: "months",
      custom_commission_type: "product",
      custom_commissions: [
        { product_id: "a", type: "fixed", amount: 0.001 },
        { product_id: "a", type: "fixed", amount: 1 },
      ],
    } as const;
    const payments = [{ paid_at: "2026-01-01T00:00:00.000Z", revenue_amount: 1.005 }];
    const simulate = () => simulateCampaign(USD, { draft: draft as never, payments });
    expect(simulate).toThrow(
      expect.objectContaining({
        code: "invalid_request",
        issues: [
          "draft.limit_amount",
          "draft.commission_amount",
          "draft.custom_commissions[0].amount",
          "draft.custom_commissions[1].product_id",
          "payments[0].revenue_amount",
        ].map((path) => expect.objectContaining({ path })),
      }),
    );
  });
});

const rate = fc.oneof(
  fc.record({
    type: fc.constant("percentage" as const),
    amount: fc.constantFrom(0.0001, 12.5, 33.3333, 100),
  }),
  fc.record({ type: fc.constant("fixed" as const), amount: fc.constantFrom(0.01, 5, 120) }),
);

const drafts = fc
  .record({
    rate,
    limit: fc.option(
      fc.record({ type: fc.constantFrom("months", "payments"), amount: fc.integer({ min: 1, max: 3 }) }),
    ),
    product: fc.option(rate),
    first: fc.option(rate),
    commission_cap: fc.boolean(),
  })
  .map((given): SimulateCampaign["draft"] => ({
    commission_type: given.rate.type,
    commission_amount: given.rate.amount,
    limit_type: (given.limit?.type ?? "none") as "none",
    limit_amount: given.limit?.amount ?? null,
    custom_commission_type: given.product === null ? "none" : "product",
    custom_commissions: given.product === null ? [] : [{ product_id: "prod_1", ...given.product }],
    first_payment_commission: {
      enabled: given.first !== null,
      ...(given.first ?? { type: "percentage", amount: 0 }),
    },
    commission_cap: given.commission_cap,
  }));

const payments = fc.array(
  fc.record({
    day: fc.integer({ min: 1, max: 150 }),
    cents: fc.constantFrom(1, 99, 4_900, 123_456),
    is_product: fc.boolean(),
  }),
  { minLength: 1, maxLength: 6 },
);

describe("the commissions of reported payments", () => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await createTestDatabase();
  });
  afterAll(() => test.close());

  it("are those of the schedule", async () => {
    const outcomes = new Set<string>();
    await fc.assert(
      fc.asyncProperty(drafts, payments, async (draft, given) => {
        const context = await makeContext(test.database);
        const { affiliate_id } = await addPartner(context, draft as Partial<CampaignFields>);
        const click_id = await click(context, { affiliate_id, at: second(1) });
        const paid = given.map(({ day, cents, is_product }, index) => ({
          // No two at the same time.
          at: second(day * DAY + index),
          cents,
          product_id: is_product ? "prod_1" : "prod_2",
        }));
        const who = { customer_id: "cus_1", email: "kim@customers.test" };
        await report(
          context,
          checkout({ subject: "cs_1", at: second(2), click_ids: [click_id], ...who }),
          ...paid.map(({ at, cents, product_id }, index) =>
            payment({
              subject: `pi_${index}`,
              at,
              revenue_minor: BigInt(cents),
              paid_minor: BigInt(cents),
              lines: [{ product_id, amount_minor: BigInt(cents) }],
              ...who,
            }),
          ),
        );
        const decided = await test.database<{ outcome: string; commission_minor: bigint }[]>`
          select outcome, commission_minor from payment_decisions
          where organization_id = ${context.organization.id} order by paid_at`;
        const simulated = simulateCampaign(USD, {
          draft,
          payments: paid.map(({ at, cents, product_id }) => ({
            paid_at: at.toISOString(),
            revenue_amount: cents / 100,
            product_id,
          })),
        });
        expect(
          simulated.payments.map(({ outcome, commission_amount }) => ({
            outcome,
            commission_minor: BigInt(Math.round(commission_amount * 100)),
          })),
        ).toEqual(decided.map(({ outcome, commission_minor }) => ({ outcome, commission_minor })));
        for (const { outcome } of decided) outcomes.add(outcome);
      }),
      { numRuns: 40 },
    );
    expect(outcomes).toEqual(new Set(["commission", "limit_reached", "commission_is_zero"]));
  });
});
