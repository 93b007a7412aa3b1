/* Affiliates who are paid in one currency. */

import type { TestDatabase } from "@findersfee/database/testing";
import { failEachCall, LOST_ANSWERS } from "@findersfee/database/testing/faults/each-call";
import { extent } from "@findersfee/database/testing/full-tests";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { updateAffiliate } from "../../src/affiliates/update.ts";
import type { CreationContext } from "../../src/commissions/create.ts";
import { convert } from "../../src/exchange-rates/convert.ts";
import { importExchangeRates } from "../../src/exchange-rates/import.ts";
import { createAdjustment } from "../../src/ledger/adjustments/create.ts";
import { listBalances } from "../../src/ledger/list-balances.ts";
import { updateSettings } from "../../src/organizations/settings/update.ts";
import { explainPayout } from "../../src/payouts/explain.ts";
import { movePayouts } from "../../src/payouts/move.ts";
import { getPayoutRun } from "../../src/payouts/runs/get.ts";
import { proposePayoutRun } from "../../src/payouts/runs/propose.ts";
import { startPayoutRun } from "../../src/payouts/runs/start.ts";
import { summarizePayoutRun } from "../../src/payouts/runs/summarize.ts";
import { getHome } from "../../src/portal/home.ts";
import { getOwnSettings, updateOwnSettings } from "../../src/portal/own-settings.ts";
import { getStatement } from "../../src/portal/payouts.ts";
import { getAffiliateDetail } from "../../src/reports/affiliate.ts";
import { readJobFile } from "../../src/work/jobs/file.ts";
import { startJob } from "../../src/work/jobs/start.ts";
import { ecbFile } from "../exchange-rates/files.ts";
import { beforeEachProgram } from "../ledger/earner-program.ts";
import {
  addEarner,
  brokenRules,
  type Earner,
  earn,
  makePayoutContext,
  monthsAgo,
  pay,
  payOut,
  payouts,
  previews,
} from "../ledger/program.ts";
import { sessionOf } from "../portal/own-session.ts";
import { runJobs, workPayoutRuns } from "../work.ts";

let test: TestDatabase;
let context: CreationContext;
let jane: Earner;
let joe: Earner;

beforeEachProgram(async (program) => {
  ({ test, context, jane } = program);
  joe = await addEarner(context);
  await importExchangeRates(test.database, ecbFile({ [DAY]: RATES }));
});

const DAY = new Date(Date.now() - 24 * 60 * 60 * 1000).toISOString().slice(0, 10);
const RATES = { USD: "1.0812", JPY: "163.4", GBP: "0.8456" };
const THIS_MONTH = monthsAgo(0);

const payIn = (currency: string | null, { affiliate_id } = jane) =>
  updateAffiliate(context, { id: affiliate_id, payout_currency: currency });
const balancesOf = async ({ affiliate_id } = jane) =>
  (await listBalances(context, affiliate_id)).map(({ currency, due, in_payout, paid, converted }) => ({
    ...{ currency, due, in_payout, paid, converted },
  }));
const detailOf = async () => {
  const [payout] = await payouts(context);
  return await explainPayout(context, payout?.id ?? "");
};

async function earnInThree(earner = jane): Promise<void> {
  await earn(context, earner, { amount: 100 });
  await earn(context, earner, { amount: 20, currency: "EUR" });
  await earn(context, earner, { amount: 5_000, currency: "JPY" });
}

describe("an affiliate who is paid in one currency", () => {
  it("gets one payout of all currencies at the rates of the run's day", async () => {
    await payIn("EUR");
    await earnInThree();
    await earnInThree(joe);
    const id = await payOut(context, THIS_MONTH);
    // 100 / 1.0812 = 92.489…; 5000 / 163.4 = 30.599…
    expect((await payouts(context)).filter(({ affiliate_id }) => affiliate_id === jane.affiliate_id)).toEqual(
      [expect.objectContaining({ currency: "EUR", amount_minor: 14_309n, payment_count: 3 })],
    );
    expect(
      (await payouts(context)).filter(({ affiliate_id }) => affiliate_id === joe.affiliate_id),
    ).toHaveLength(3);
    expect(await balancesOf()).toEqual([
      { currency: "EUR", due: 0, in_payout: 143.09, paid: 0, converted: -123.09 },
      { currency: "JPY", due: 0, in_payout: 0, paid: 0, converted: 5_000 },
      { currency: "USD", due: 0, in_payout: 0, paid: 0, converted: 100 },
    ]);
    const rate = (currency: "USD" | "JPY") => ({ currency, rate: RATES[currency], source: "ecb", day: DAY });
    expect(await getPayoutRun(context, id)).toMatchObject({ exchange_rates: [rate("JPY"), rate("USD")] });
    const payout = (await payouts(context)).find(({ affiliate_id }) => affiliate_id === jane.affiliate_id);
    expect(await explainPayout(context, payout?.id ?? "")).toMatchObject({
      amount: 143.09,
      conversions: [
        {
          amount: 5_000,
          currency: "JPY",
          converted_amount: 30.6,
          rate: "0.0061199510",
          exchange_rates: [rate("JPY")],
        },
        {
          amount: 100,
          currency: "USD",
          converted_amount: 92.49,
          rate: "0.9248982612",
          exchange_rates: [rate("USD")],
        },
      ].map((conversion) => ({ ...conversion, rate: conversion.rate.replace(/0+$/, "") })),
      lines: expect.arrayContaining([
        expect.objectContaining({ amount: 100, currency: "USD" }),
        expect.objectContaining({ amount: 5_000, currency: "JPY" }),
        expect.not.objectContaining({ currency: expect.anything() }),
      ]),
    });
    expect(await brokenRules(context)).toEqual([]);
  });

  it.each(["canceled", "failed", "returned"])(
    "has its own amounts again when the payout is %s",
    async (end) => {
      await payIn("GBP");
      await earnInThree();
      await payOut(context, THIS_MONTH);
      const [payout] = await payouts(context);
      const ids = [payout?.id ?? ""];
      if (end === "returned") await pay(context, ids);
      await movePayouts(context, { ids, status: end === "canceled" ? "canceled" : "failed" });
      expect(await balancesOf()).toEqual([
        { currency: "EUR", due: 20, in_payout: 0, paid: 0 },
        { currency: "GBP", due: 0, in_payout: 0, paid: 0 },
        { currency: "JPY", due: 5_000, in_payout: 0, paid: 0 },
        { currency: "USD", due: 100, in_payout: 0, paid: 0 },
      ]);
      expect((await detailOf()).conversions).toHaveLength(3);
      expect(await brokenRules(context)).toEqual([]);
      // The next run converts them at its own rates.
      await importExchangeRates(test.database, ecbFile({ [DAY]: { USD: "2" } }));
      await startPayoutRun(context, { number: 2, affiliate_ids: [jane.affiliate_id], method: "manual" });
      await workPayoutRuns(test.database, new AbortController().signal);
      const again = (await payouts(context)).find(({ status }) => status === "pending");
      // 100 × 0.8456 / 2 + 20 × 0.8456 + 5000 × 0.8456 / 163.4
      expect(again?.amount_minor).toBe(4_228n + 1_691n + 2_588n);
      expect(await brokenRules(context)).toEqual([]);
    },
  );

  it("stays due in a currency without a rate, and the run, its preview and proposal name it", async () => {
    await payIn("EUR");
    await earn(context, jane, { amount: 100 });
    await earn(context, jane, { amount: 90_000, currency: "VND" });
    expect(await previews(context)).toMatchObject(
      [
        {
          currency: "USD",
          outcome: "included",
          paid_in: { currency: "EUR", amount: 92.49, missing_rates: [] },
        },
        { currency: "VND", outcome: "rate_missing", paid_in: { amount: null, missing_rates: ["VND"] } },
      ].sort((a, b) => a.currency.localeCompare(b.currency)),
    );
    expect(await summarizePayoutRun(context)).toMatchObject({
      missing_rates: ["VND"],
      totals: [
        { currency: "EUR", included: { payees: 1, amount: 92.49 } },
        { currency: "VND", included: { payees: 0 }, rate_missing: { payees: 1, amount: 90_000 } },
      ],
    });
    expect(await proposePayoutRun(context, {})).toMatchObject({
      missing_rates: ["VND"],
      totals: [{ currency: "EUR", payouts: 1, amount: 92.49 }],
    });
    const id = await payOut(context, THIS_MONTH);
    expect(await getPayoutRun(context, id)).toMatchObject({ missing_rates: ["VND"] });
    expect(await payouts(context)).toMatchObject([{ currency: "EUR", amount_minor: 9_249n }]);
    expect(await balancesOf()).toContainEqual({ currency: "VND", due: 90_000, in_payout: 0, paid: 0 });
    expect(await brokenRules(context)).toEqual([]);
  });

  it("reaches the minimum of its currency with the sum, less what was taken back in others", async () => {
    await updateSettings(context, { minimum_payouts: { EUR: 100, USD: 500 } });
    await payIn("EUR");
    await earn(context, jane, { amount: 100 });
    expect(await previews(context)).toMatchObject([{ outcome: "below_minimum" }]);
    await earn(context, jane, { amount: 20, currency: "EUR" });
    const { affiliate_id } = jane;
    await createAdjustment(context, { affiliate_id, amount: -5, currency: "GBP", reason: "A clawback" });
    expect(await previews(context)).toMatchObject([
      { currency: "EUR", outcome: "included" },
      { currency: "GBP", outcome: "included" },
      { currency: "USD", outcome: "included" },
    ]);
    await payOut(context, THIS_MONTH);
    expect(await payouts(context)).toMatchObject([{ amount_minor: 9_249n + 2_000n - 591n }]);
    expect(await brokenRules(context)).toEqual([]);
  });

  it("is paid in each currency again after the choice is withdrawn", async () => {
    await payIn("EUR");
    await payIn(null);
    await earnInThree();
    await payOut(context, THIS_MONTH);
    expect((await payouts(context)).map(({ currency }) => currency)).toEqual(["EUR", "JPY", "USD"]);
  });
});

it("applies the minimum of the organization's currency to others, if that is set", async () => {
  await updateSettings(context, { minimum_payouts: { USD: 50, JPY: 1 }, converts_minimum_payouts: true });
  await earn(context, jane, { amount: 46, currency: "EUR" });
  await earn(context, joe, { amount: 47, currency: "EUR" });
  await earn(context, jane, { amount: 2, currency: "JPY" });
  const id = await payOut(context, THIS_MONTH);
  expect(await getPayoutRun(context, id)).toMatchObject({
    minimum_payouts: { EUR: 46.24, JPY: 1, USD: 50 },
  });
  expect((await payouts(context)).map(({ amount_minor }) => amount_minor).sort()).toEqual([2n, 4_700n]);
  expect(await brokenRules(context)).toEqual([]);
});

it("pays what was confirmed, although rates changed since", async () => {
  await payIn("EUR");
  await earn(context, jane, { amount: 100 });
  const { as_of, totals, period } = await proposePayoutRun(context, {});
  await startPayoutRun(context, { period, confirmed: { as_of, totals }, method: "manual" });
  await importExchangeRates(test.database, ecbFile({ [DAY]: { USD: "2" } }));
  await workPayoutRuns(test.database, new AbortController().signal);
  expect(await payouts(context)).toMatchObject([{ amount_minor: 9_249n }]);
  // The person learns of rates that changed before the start.
  await earn(context, joe, { amount: 10 });
  await payIn("EUR", joe);
  const second = await proposePayoutRun(context, {});
  await importExchangeRates(test.database, ecbFile({ [DAY]: { USD: "4" } }));
  const confirmed = { as_of: second.as_of, totals: second.totals };
  await expect(
    startPayoutRun(context, { number: second.number, confirmed, method: "manual" }),
  ).rejects.toMatchObject({ code: "payout_locked" });
});

describe("the portal", () => {
  const session = () => sessionOf(context, jane.affiliate_id);
  const choose = async (payout_currency: string | null) => {
    const acting = { database: test.database, notifyWorkers: () => {} };
    return await updateOwnSettings(acting, await session(), { payout_currency });
  };

  it("lets affiliates choose the currency only if the organization does", async () => {
    await expect(choose("EUR")).rejects.toMatchObject({ issues: [{ path: "payout_currency" }] });
    expect(await getOwnSettings(test.database, await session())).toMatchObject({
      payout_currency: null,
      may_choose_payout_currency: false,
    });
    await updateSettings(context, { affiliates_choose_payout_currency: true });
    expect(await choose("EUR")).toMatchObject({ payout_currency: "EUR", may_choose_payout_currency: true });
    expect(await choose(null)).toMatchObject({ payout_currency: null });
  });

  it("shows what the next payout converts, with its minimum, and what has no rate", async () => {
    await updateSettings(context, { minimum_payouts: { EUR: 100 } });
    await payIn("EUR");
    await earn(context, jane, { amount: 100 });
    await earn(context, jane, { amount: 90_000, currency: "VND" });
    const next = async () => (await getHome(test.database, await session())).payouts;
    expect(await next()).toMatchObject({
      paid_in: { currency: "EUR", amount: 92.49, minimum: 100 },
      currencies: [
        { currency: "USD", outcome: "below_minimum", paid_in: { currency: "EUR", amount: 92.49 } },
        { currency: "VND", outcome: "rate_missing", paid_in: { currency: "EUR", amount: null } },
      ],
    });
    await earn(context, jane, { amount: 20, currency: "EUR" });
    const paid = await next();
    expect(paid.currencies.map(({ currency, outcome }) => [currency, outcome])).toEqual([
      ["USD", "included"],
      ["EUR", "included"],
      ["VND", "rate_missing"],
    ]);
    expect(await getAffiliateDetail(context, jane.affiliate_id)).toMatchObject({ missing_rates: ["VND"] });
    await payOut(context, THIS_MONTH);
    const [payout] = await payouts(context);
    const input = { id: payout?.id ?? "", limit: 10 };
    expect(await getStatement(test.database, await session(), input)).toMatchObject({
      amount: 112.49,
      conversions: [{ amount: 100, currency: "USD", converted_amount: 92.49 }],
      lines: expect.arrayContaining([expect.objectContaining({ amount: 100, currency: "USD" })]),
    });
  });
});

it("has both amounts and the rate in the file for bookkeeping", async () => {
  await payIn("EUR");
  await earn(context, jane, { amount: 100 });
  await payOut(context, THIS_MONTH);
  const job = await startJob(context, { kind: "payouts_export", input: {} });
  await runJobs(context);
  let text = "";
  for await (const part of (await readJobFile(context, job.id)).content) text += part;
  expect(text).toContain(`100 USD = 92.49 EUR (1 USD = 0.9248982612 EUR, USD ecb ${DAY})`);
});

describe("the database", () => {
  const conversion = (fields: object) => test.database`
    insert into payout_conversions ${test.database({
      ...{ organization_id: context.organization.id, payout_id: context.organization.id },
      ...{ affiliate_id: jane.affiliate_id, from_currency: "USD", from_minor: 10_000, to_currency: "EUR" },
      ...{ to_minor: 9_249, from_rate: "1.0812", from_source: "ecb", from_day: DAY, from_decimals: 2 },
      ...{ to_rate: "1", to_source: null, to_day: null, to_decimals: 2, ...fields },
    } as never)}`;

  it("refuses a conversion whose amounts do not agree with its rates", async () => {
    for (const fields of [{ to_minor: 9_250 }, { from_rate: "1.09" }, { from_decimals: 3 }]) {
      await expect(conversion(fields)).rejects.toMatchObject({
        constraint_name: "payout_conversions_amount",
      });
    }
    await expect(conversion({ from_source: null })).rejects.toMatchObject({
      constraint_name: "payout_conversions_euro",
    });
  });

  it("converts as the service does", async () => {
    const rate = fc.bigInt({ min: 1n, max: 10n ** 13n }).map((scaled) => {
      const digits = scaled.toString().padStart(11, "0");
      return `${digits.slice(0, -10)}.${digits.slice(-10)}`;
    });
    const amount = fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n });
    const cases = fc.sample(fc.tuple(amount, rate, rate), 300);
    for (const [minor, usd, jpy] of cases) {
      const [row] = await test.database`
        select convert_minor(${minor}::bigint, minor_rate(${usd}::numeric(20, 10), 2), minor_rate(${jpy}::numeric(20, 10), 0)) as minor`.catch(
        // Beyond a bigint.
        () => [],
      );
      const of = (currency: string, text: string) =>
        [currency, { currency, rate: text, source: "ecb", day: DAY }] as const;
      const rates = new Map([of("USD", usd), of("JPY", jpy)]);
      const converted = convert(minor, { from: "USD", to: "JPY", rates })?.amount_minor ?? 0n;
      if (row === undefined) expect(converted < 0n ? -converted : converted).toBeGreaterThan(2n ** 63n - 2n);
      else expect(row.minor).toBe(converted);
    }
  });
});

describe("a run that converts", () => {
  it.each(LOST_ANSWERS)("pays once, whichever of its calls fails: %s", { timeout: 120_000 }, async (kind) => {
    await failEachCall(test.url, kind, async (database) => {
      const own = await makePayoutContext(test.database);
      const earner = await addEarner(own);
      await updateAffiliate(own, { id: earner.affiliate_id, payout_currency: "EUR" });
      await earn(own, earner, { amount: 100 });
      await earn(own, earner, { amount: 20, currency: "EUR" });
      const faulty = { ...own, database };
      await startPayoutRun(faulty, { period: THIS_MONTH, method: "manual" }).catch(() => null);
      await startPayoutRun(own, { period: THIS_MONTH, method: "manual" });
      await workPayoutRuns(database, new AbortController().signal).catch(() => null);
      await test.database`update payout_runs set due_at = now() where due_at is not null`;
      await workPayoutRuns(test.database, new AbortController().signal);
      expect(await payouts(own)).toMatchObject([{ currency: "EUR", amount_minor: 11_249n }]);
      expect(await brokenRules(own)).toEqual([]);
    });
  });

  it("loses and makes no money: currencies, amounts, ends and further runs", {
    timeout: 300_000,
  }, async () => {
    const part = fc.record({
      currency: fc.constantFrom("USD", "EUR", "JPY", "GBP", "VND"),
      amount: fc.constantFrom(1, 7, 33, 1_250, -4),
    });
    const end = fc.constantFrom("open", "paid", "returned", "failed", "canceled");
    const plan = fc.record({
      payout_currency: fc.constantFrom("EUR", "USD", "JPY", null),
      rounds: fc.array(fc.record({ parts: fc.array(part, { minLength: 1, maxLength: 5 }), end }), {
        minLength: 1,
        maxLength: 3,
      }),
    });
    /** Each test has a conversion. */
    const converting: typeof plan extends fc.Arbitrary<infer One> ? One : never = {
      payout_currency: "EUR",
      rounds: [{ parts: [{ currency: "USD", amount: 33 }], end: "open" }],
    };
    let converted = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(plan, { minLength: 1, maxLength: 3 }), async (plans) => {
        context = await makePayoutContext(test.database);
        const earners = [];
        for (const { payout_currency } of plans) {
          const earner = await addEarner(context);
          await payIn(payout_currency, earner);
          earners.push(earner);
        }
        for (let round = 0; round < 3; round++) {
          for (const [place, { rounds }] of plans.entries()) {
            for (const given of rounds[round]?.parts ?? []) await add(earners[place] as Earner, given);
          }
          const { as_of, totals, number } = await proposePayoutRun(context, {});
          const run = { number, confirmed: { as_of, totals }, method: "manual" as const };
          const { id } = await startPayoutRun(context, run);
          await workPayoutRuns(test.database, new AbortController().signal);
          // The run paid the proposed amounts, which are those of the preview.
          const { totals: paid, exchange_rates } = await getPayoutRun(context, id);
          expect(
            paid.map(({ currency, payouts: count, amount }) => ({ currency, payouts: count, amount })),
          ).toEqual(totals);
          converted += exchange_rates?.length ?? 0;
          await finish(
            earners,
            plans.map(({ rounds }) => rounds[round]?.end ?? "open"),
          );
          expect(await brokenRules(context)).toEqual([]);
          for (const earner of earners) await requireComplete(earner);
        }
      }),
      {
        numRuns: extent("CONVERTED_RUNS", { short: 4, full: 40 }),
        endOnFailure: true,
        examples: [[[converting]]],
      },
    );
    expect(converted).toBeGreaterThan(0);
  });
});

async function add({ affiliate_id, ...earner }: Earner, given: { currency: string; amount: number }) {
  if (given.amount > 0) return await earn(context, { affiliate_id, ...earner }, given);
  return await createAdjustment(context, { affiliate_id, reason: "A clawback", ...given });
}

/** The open payouts of the affiliates end. */
async function finish(earners: readonly Earner[], ends: readonly string[]): Promise<void> {
  for (const payout of await payouts(context)) {
    const place = earners.findIndex(({ affiliate_id }) => affiliate_id === payout.affiliate_id);
    const end = ends[place];
    if (payout.status !== "pending" || end === undefined || end === "open") continue;
    if (end === "paid" || end === "returned") await pay(context, [payout.id]);
    if (end === "paid") continue;
    const status = end === "canceled" ? "canceled" : "failed";
    await movePayouts(context, { ids: [payout.id], status });
  }
}

/**
 * In each currency, earned amounts are unpaid, in payouts, paid or converted; and payouts have the converted
 * amounts.
 */
async function requireComplete({ affiliate_id }: Earner): Promise<void> {
  const rows = await test.database`
    select currency, sum(earned) as earned, sum(settled) as settled from (
      select currency, commission_minor as earned, 0 as settled from commissions
      where organization_id = ${context.organization.id} and affiliate_id = ${affiliate_id} and not voided
      union all
      select currency, amount_minor, 0 from adjustments
      where organization_id = ${context.organization.id} and affiliate_id = ${affiliate_id} and not voided
      union all
      select currency, 0, unpaid_minor + in_payout_minor + paid_minor + converted_minor from balances
      where organization_id = ${context.organization.id} and affiliate_id = ${affiliate_id}
      union all
      -- Each entry of a payout adds up to 0.
      select currency, 1, 1 - (unpaid_minor + in_payout_minor + paid_minor + converted_minor) from ledger_entries
      where organization_id = ${context.organization.id} and affiliate_id = ${affiliate_id} and payout_id is not null
    ) as line group by currency`;
  for (const { currency, earned, settled } of rows)
    expect({ currency, settled }).toEqual({ currency, settled: earned });
}
