import type { CreateBacktest } from "@findersfee/contract/attribution/backtests";
import type { Database } from "@findersfee/database/postgres/connect";
import { failEachCall, LONG_TESTS_EVERY, LOST_ANSWERS } from "@findersfee/database/testing/faults/each-call";
import { describe, expect, it } from "vitest";
import { cancelBacktest } from "../../../src/attribution/backtest/cancel.ts";
import { getBacktest, listBacktests } from "../../../src/attribution/backtest/get.ts";
import { runBacktest } from "../../../src/attribution/backtest/run.ts";
import { startBacktest } from "../../../src/attribution/backtest/start.ts";
import type { PaymentMade } from "../../../src/attribution/facts/payment-fact.ts";
import { updateCampaign } from "../../../src/campaigns/update.ts";
import type { CreationContext } from "../../../src/commissions/create.ts";
import { bring, seal, tiersOf } from "../../tier-program.ts";
import { runJobs, stepJobs } from "../../work.ts";
import { beforeEachInNewProgram } from "../new-program.ts";
import { addAffiliate, click, type Partner, report } from "../program.ts";
import { checkout, payment, refund } from "../reported.ts";
import { NOTHING, percent, rule } from "../rules.ts";

const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;

let url: string;
let context: CreationContext;
let partner: Partner;

beforeEachInNewProgram((program) => {
  ({ url, context, partner } = program);
});

const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MILLISECONDS);

/** A customer of an affiliate who paid 100.00 USD on some days. */
async function pay(
  customer: string,
  days: readonly number[],
  { affiliate_id = partner.affiliate_id, ...fields }: Partial<PaymentMade> & { affiliate_id?: string } = {},
): Promise<void> {
  const first = daysAgo(Math.max(...days) + 1);
  const click_id = await click(context, { affiliate_id, at: first });
  const who = { customer_id: `cus_${customer}`, email: `${customer}@customers.test` };
  await report(context, checkout({ subject: `cs_${customer}`, ...who, click_ids: [click_id], at: first }));
  for (const [index, day] of days.entries())
    await report(
      context,
      payment({ subject: `in_${customer}_${index}`, ...who, at: daysAgo(day), ...fields }),
    );
}

function draft(campaign: object, others: object = {}): CreateBacktest {
  return {
    campaign: { campaign_id: partner.campaign_id, ...campaign },
    months: 12,
    ...others,
  } as CreateBacktest;
}

async function finished(input: CreateBacktest) {
  const { id } = await startBacktest(context, input);
  await runJobs(context);
  return await getBacktest(context, id);
}

/** All rows of the organization's database, except jobs, the audit log, and shards. */
async function storedRows(database: Database): Promise<Record<string, string[]>> {
  const tables = await database<{ name: string }[]>`
    select table_name as name from information_schema.tables
    where table_schema = current_schema() and table_type = 'BASE TABLE'
      and table_name not in ('jobs', 'backtests', 'backtest_totals', 'audit_log_entries', 'shards') order by 1`;
  const rows: Record<string, string[]> = {};
  for (const { name } of tables) {
    const found = await database<{ row: string }[]>`
      select to_jsonb(stored)::text as row from ${database(name)} stored order by 1`;
    rows[name] = found.map(({ row }) => row);
  }
  return rows;
}

describe("a backtest", () => {
  it("has the cost before and after by month, who loses and gains most, and payments to open", async () => {
    const other = await addAffiliate(context, { campaign_id: partner.campaign_id });
    await pay("one", [40, 5]);
    await pay("two", [41, 6], { affiliate_id: other, revenue_minor: 5_000n, paid_minor: 5_000n });
    await report(
      context,
      refund({ subject: "re_1", references: ["in_one_0"], at: daysAgo(1), amount_minor: 5_000n }),
    );
    const rules = [rule({ amount: { currency: "USD", below: 60 } }, percent(50))];
    const { result, ...backtest } = await finished(draft({ commission_amount: 10, rules }));
    expect(backtest).toMatchObject({
      state: "finished",
      campaign_id: partner.campaign_id,
      done: 4,
      total: 4,
    });
    expect(result).toMatchObject({
      payments: 4,
      changed_payments: 4,
      losing: [
        {
          affiliate_id: partner.affiliate_id,
          payments: 2,
          currency: "USD",
          before_amount: 45,
          after_amount: 15,
        },
      ],
      gaining: [{ affiliate_id: other, payments: 2, before_amount: 30, after_amount: 50 }],
      unrecorded_metadata: [],
      payments_without_interval: 0,
    });
    const costs =
      result?.months.map(({ before_amount, after_amount }) => [before_amount, after_amount]) ?? [];
    expect(costs.reduce((sum, [before = 0]) => sum + before, 0)).toBe(75);
    expect(costs.reduce((sum, [, after = 0]) => sum + after, 0)).toBe(65);
    expect(result?.months.map(({ month }) => month)).toEqual(
      [...new Set([41, 40, 6, 5].map((day) => daysAgo(day).toISOString().slice(0, 7)))].sort(),
    );
    expect(result?.examples[0]).toMatchObject({
      processor_payment_id: "in_one_1",
      payment_decision_id: expect.any(String),
      affiliate_id: partner.affiliate_id,
      revenue_amount: 100,
      before: { outcome: "commission", commission_amount: 30 },
      after: { outcome: "commission", commission_amount: 10 },
    });
  });

  const dayAgo = (days: number) => daysAgo(days).toISOString().slice(0, 10);
  const GOLD = {
    name: "Gold",
    from: 3,
    commission: { type: "percentage" as const, amount: 50, amounts: [] },
  };

  it("has the tiers that affiliates would have had, from the day after they are reached", async () => {
    const other = await addAffiliate(context, { campaign_id: partner.campaign_id });
    await bring(context, { affiliate_id: partner.affiliate_id, day: dayAgo(60), count: 3 });
    await bring(context, { affiliate_id: other, day: dayAgo(60), count: 2 });
    await pay("one", [63, 57]);
    await pay("two", [57], { affiliate_id: other });
    await seal(context);
    const input = draft({ tiers: tiersOf({}, GOLD) });
    const { result, done } = await finished(input);
    expect(done).toBe(3);
    expect(result).toMatchObject({ payments: 3, changed_payments: 1 });
    expect(result?.examples).toMatchObject([
      {
        processor_payment_id: "in_one_1",
        before: { commission_amount: 30 },
        after: { commission_amount: 50 },
      },
    ]);
    expect(await runBacktest(context, input)).toEqual(result);
    const of_90_days = await runBacktest(
      context,
      draft({ tiers: tiersOf({ period: "last_90_days" }, GOLD) }),
    );
    expect(of_90_days.changed_payments).toBe(1);
    // Both kept the campaign's rate: it had no tiers, and has none.
    expect((await runBacktest(context, draft({ tiers: null }))).changed_payments).toBe(0);
    const rules = [rule({ tiers: ["0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90"] }, NOTHING)];
    await expect(startBacktest(context, draft({ tiers: tiersOf({}, GOLD), rules }))).rejects.toMatchObject({
      code: "invalid_request",
      issues: [{ path: "campaign.rules[0].conditions.tiers" }],
    });
  });

  it("takes a tier away that is no longer reached", async () => {
    await bring(context, { affiliate_id: partner.affiliate_id, day: dayAgo(150), count: 3 });
    await pay("one", [140, 45]);
    await seal(context);
    const { result } = await finished(draft({ tiers: tiersOf({ period: "last_90_days" }, GOLD) }));
    expect(result?.examples.map(({ processor_payment_id }) => processor_payment_id)).toEqual(["in_one_0"]);
  });

  it("counts the commissions that wait for a review, as it is and with the draft", async () => {
    await updateCampaign(context, { id: partner.campaign_id, review_above_amount: 25 });
    await pay("one", [40, 5]);
    await pay("two", [4], { currency: "EUR" });
    const other = { revenue_minor: 5_000n, paid_minor: 5_000n };
    await pay("three", [3], other);
    const reviewsBy = async (change: object) => (await finished(draft(change))).result?.reviews;
    const none = { after_payments: 0, after_amount: 0 };
    const before_eur = { currency: "EUR", before_payments: 1, before_amount: 30 };
    const before_usd = { currency: "USD", before_payments: 2, before_amount: 60 };
    expect(await reviewsBy({ review_above_amount: null })).toEqual([
      { ...before_eur, ...none },
      { ...before_usd, ...none },
    ]);
    expect(await reviewsBy({ review: "all" })).toEqual([
      { ...before_eur, after_payments: 1, after_amount: 30 },
      { ...before_usd, after_payments: 3, after_amount: 75 },
    ]);
    expect(await reviewsBy({ review: "first", review_above_amount: null })).toEqual([
      { ...before_eur, ...none },
      { ...before_usd, after_payments: 1, after_amount: 30 },
    ]);
    // More is above the amount where the draft pays more.
    const [, of_usd] = (await reviewsBy({ commission_amount: 60 })) ?? [];
    expect(of_usd).toEqual({ ...before_usd, after_payments: 3, after_amount: 150 });
  });

  it("is the same without a job", async () => {
    const other = await addAffiliate(context, { campaign_id: partner.campaign_id });
    await pay("one", [80, 40, 5]);
    await pay("two", [70, 6], { affiliate_id: other, currency: "EUR" });
    const input = draft(
      { limit_type: "payments", limit_amount: 2 },
      { affiliate_rules: [{ affiliate_ids: [other], rules: [rule({}, percent(31))] }] },
    );
    const { result } = await finished(input);
    expect(result?.changed_payments).toBe(3);
    const seen: number[] = [];
    expect(await runBacktest(context, input, (done) => seen.push(done))).toEqual(result);
    expect(seen.at(-1)).toBe(5);
  });

  it("changes nothing but its own rows", async () => {
    await pay("one", [40, 5]);
    const before = await storedRows(context.database);
    expect((await finished(draft({ commission_amount: 10 }))).result?.changed_payments).toBe(2);
    await runBacktest(
      context,
      draft({ rules: [rule({ metadata: { key: "plan", values: ["pro"] } }, NOTHING)] }),
    );
    expect(await storedRows(context.database)).toEqual(before);
  });

  it("decides payments before the period by their own terms, and counts them", async () => {
    await pay("one", [150, 140, 5]);
    const limit = { limit_type: "payments", limit_amount: 2 };
    const { result } = await finished(draft(limit, { months: 3 }));
    expect(result).toMatchObject({ payments: 1, changed_payments: 1 });
    expect(result?.examples[0]).toMatchObject({
      processor_payment_id: "in_one_2",
      after: { outcome: "limit_reached", commission_amount: 0 },
    });
  });

  it("says what was not recorded", async () => {
    await pay("one", [40, 5], {
      lines: [{ product_id: "prod_a", amount_minor: 10_000n }],
      metadata: { plan: "pro" },
    });
    const rules = [
      rule({ metadata: { key: "plan", values: ["pro"] } }, percent(40)),
      rule({ intervals: ["year"] }, percent(50)),
    ];
    const never = await finished(draft({ rules }));
    expect(never.result).toMatchObject({
      unrecorded_metadata: [{ key: "plan", recorded_since: null }],
      payments_without_interval: 2,
    });
    await updateCampaign(context, { id: partner.campaign_id, rules });
    const since = (await finished(draft({ rules }))).result?.unrecorded_metadata;
    expect(since).toEqual([{ key: "plan", recorded_since: expect.any(String) }]);
  });

  it("is refused for unknown campaigns and affiliates, and wrong rates", async () => {
    const unknown = "0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90";
    const start = (input: CreateBacktest) => startBacktest(context, input);
    await expect(start({ ...draft({}), campaign: { campaign_id: unknown } })).rejects.toMatchObject({
      code: "not_found",
    });
    const own = [{ affiliate_ids: [unknown], rules: [] }];
    await expect(start({ months: 3, affiliate_rules: own })).rejects.toMatchObject({ code: "not_found" });
    await expect(start(draft({ commission_amount: 101 }))).rejects.toMatchObject({
      issues: [{ path: "campaign.commission_amount" }],
    });
  });

  it("ends when it is canceled, and when another one starts", async () => {
    const ids: string[] = [];
    for (let number = 0; number < 2; number += 1) ids.push((await startBacktest(context, draft({}))).id);
    const { data } = await listBacktests(context, { limit: 100 });
    expect(data.map(({ state }) => state)).toEqual(["running", "canceled"]);
    expect(await cancelBacktest(context, ids[1] ?? "")).toMatchObject({ id: ids[1], state: "canceled" });
    expect(await cancelBacktest(context, ids[1] ?? "")).toMatchObject({ state: "canceled" });
    expect(await getBacktest(context, ids[1] ?? "")).toMatchObject({ state: "canceled", result: null });
    expect(await stepJobs(context)).toBe("none");
    const ended = await finished(draft({}));
    expect(await cancelBacktest(context, ended.id)).toMatchObject({ state: "finished" });
    await expect(cancelBacktest(context, partner.campaign_id)).rejects.toMatchObject({ code: "not_found" });
  });

  it("is stored with the last ten", async () => {
    const ids: string[] = [];
    for (let number = 0; number < 12; number += 1) ids.push((await finished(draft({}))).id);
    const { data } = await listBacktests(context, { limit: 100 });
    expect(data.map(({ id }) => id)).toEqual(ids.slice(2).reverse());
    await expect(getBacktest(context, ids[0] ?? "")).rejects.toMatchObject({ code: "not_found" });
  });

  it("ends with a reason if its result was deleted while it ran", async () => {
    await pay("one", [5]);
    const { id } = await startBacktest(context, draft({}));
    await context.database`delete from backtests where id = ${id}`;
    expect(await stepJobs(context)).toBe("failed");
  });

  it.each(LOST_ANSWERS)(
    "counts each payment once, with each call failing in turn: %s",
    {
      timeout: 300_000,
    },
    async (kind) => {
      await pay("one", [40, 5]);
      await pay("two", [41, 6]);
      await bring(context, { affiliate_id: partner.affiliate_id, day: dayAgo(60), count: 3 });
      await seal(context);
      const input = draft({ commission_amount: 10, tiers: tiersOf({}, GOLD) });
      const expected = await runBacktest(context, input);
      await failEachCall(
        url,
        kind,
        async (database) => {
          await startBacktest({ ...context, database }, input).catch(() => {});
          const { data } = await listBacktests(context, { limit: 100 });
          const id =
            data.find(({ state }) => state === "running")?.id ?? (await startBacktest(context, input)).id;
          await stepJobs({ ...context, database }).catch(() => {});
          await context.database`update jobs set due_at = now() where due_at is not null`;
          await runJobs(context);
          expect((await getBacktest(context, id)).result).toEqual(expected);
        },
        { every: LONG_TESTS_EVERY },
      );
    },
  );
});
