import { connect, type Transaction, transaction } from "@findersfee/database/postgres/connect";
import type { TestDatabase } from "@findersfee/database/testing";
import { eventually } from "@findersfee/database/testing/eventually";
import { holdTransaction } from "@findersfee/database/testing/held-transaction";
import { describe, expect, it } from "vitest";
import type { CreationContext } from "../../src/commissions/create.ts";
import { updateSettings } from "../../src/organizations/settings/update.ts";
import { type RefusedPayout, workPayoutRun } from "../../src/payouts/runs/pay.ts";
import { startPayoutRun } from "../../src/payouts/runs/start.ts";
import { changeCommission, payDue } from "../postings.ts";
import { ownOrganization, workPayoutRuns } from "../work.ts";
import { beforeEachProgram } from "./earner-program.ts";
import {
  addEarner,
  brokenRules,
  type Earner,
  earn,
  makePayoutContext,
  monthsAgo,
  payOut,
  payouts,
  statusOf,
} from "./program.ts";

let test: TestDatabase;
let context: CreationContext;
let jane: Earner;

beforeEachProgram((program) => {
  ({ test, context, jane } = program);
});

const DAY = 24 * 60 * 60 * 1000;
const LAST_MONTH = monthsAgo(1);
const THIS_MONTH = monthsAgo(0);

/** Works a run that has to wait for a concurrent change of a commission, which commits while it waits. */
async function runMeanwhile(change: (sql: Transaction) => Promise<unknown>): Promise<void> {
  await startPayoutRun(context, { period: LAST_MONTH, method: "manual" });
  const paid = await transaction(test.database, async (sql) => {
    await change(sql);
    const paying = workPayoutRuns(test.database, new AbortController().signal);
    await eventually(async () => {
      const waiting = await test.database`
          select from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock' and query like '%delete from unpaid_commissions%' and pid <> pg_backend_pid()`;
      expect(waiting).toHaveLength(1);
    });
    return { paying };
  });
  await paid.paying;
  expect(await brokenRules(context)).toEqual([]);
}

describe("a run", () => {
  it("pays the current amount of a commission that shrank", async () => {
    const id = await earn(context, jane, { amount: 30 });
    await earn(context, jane, { amount: 20 });
    await runMeanwhile((sql) =>
      changeCommission(sql, context.organization.id, { id, commission_minor: 1_000n }),
    );
    expect(await payouts(context)).toMatchObject([{ amount_minor: 3_000n, payment_count: 2 }]);
  });

  it("pays nothing below the minimum after a refund", async () => {
    await updateSettings(context, { minimum_payouts: { USD: 40 } });
    const id = await earn(context, jane, { amount: 30 });
    await earn(context, jane, { amount: 20 });
    await runMeanwhile((sql) =>
      changeCommission(sql, context.organization.id, { id, payout_status: "voided" }),
    );
    expect(await payouts(context)).toEqual([]);
  });

  it("pays nothing after a full refund", async () => {
    const id = await earn(context, jane, { amount: 30 });
    await runMeanwhile((sql) =>
      changeCommission(sql, context.organization.id, { id, payout_status: "voided" }),
    );
    expect(await payouts(context)).toEqual([]);
  });

  it("excludes commissions that are held during the run", async () => {
    const id = await earn(context, jane, { amount: 30 });
    await earn(context, jane, { amount: 20 });
    const referral_date = new Date(Date.now() + 60 * DAY);
    await runMeanwhile((sql) => changeCommission(sql, context.organization.id, { id, referral_date }));
    expect(await payouts(context)).toMatchObject([{ amount_minor: 2_000n, payment_count: 1 }]);
    expect(await statusOf(context, id)).toBe("not_paid");
  });

  it("excludes commissions that another period's run pays", async () => {
    await earn(context, jane, { amount: 30 });
    const { id: run_id } = await startPayoutRun(context, { period: monthsAgo(2), method: "manual" });
    const payee = { affiliate_id: jane.affiliate_id, currency: "USD" };
    let ids: string[] = [];
    await runMeanwhile(async (sql) => {
      ids = await payDue(sql, context.organization.id, { run_id, payee });
    });
    expect(await payouts(context)).toMatchObject([{ id: ids[0], period: monthsAgo(2) }]);
  });

  it("pays an affiliate once beside a concurrent run", async () => {
    await earn(context, jane, { amount: 30 });
    await startPayoutRun(context, { period: LAST_MONTH, method: "manual" });
    const { signal } = new AbortController();
    await Promise.all(Array.from({ length: 5 }, () => workPayoutRuns(test.database, signal)));
    expect(await payouts(context)).toMatchObject([{ amount_minor: 3_000n, payment_count: 1 }]);
    expect(await brokenRules(context)).toEqual([]);
  });
});

describe("an affiliate with a rejected payout", () => {
  /** As damage to an affiliate's rows would: no payout can be made of it. */
  async function withRefusal(affiliate_id: string, work: () => Promise<void>): Promise<void> {
    const name = `refused_${affiliate_id.replaceAll("-", "_")}`;
    await test.database.unsafe(`
      alter table payouts add constraint ${name} check (affiliate_id <> '${affiliate_id}') not valid`);
    await work();
    await test.database.unsafe(`alter table payouts drop constraint ${name}`);
  }

  it("does not block others and is paid by the next run", async () => {
    const joe = await addEarner(context);
    const other = await makePayoutContext(test.database);
    for (const [payer, earner] of [
      [context, jane],
      [context, joe],
      [other, await addEarner(other)],
    ] as const) {
      await earn(payer, earner, { amount: 30 });
    }
    for (const payer of [context, other])
      await startPayoutRun(payer, { period: LAST_MONTH, method: "manual" });
    const { signal } = new AbortController();
    const refused: RefusedPayout[] = [];
    await withRefusal(jane.affiliate_id, () =>
      workPayoutRuns(test.database, signal, { onRefused: (rejection) => refused.push(rejection) }),
    );
    expect(refused).toMatchObject([{ affiliate_id: jane.affiliate_id, error: { code: "23514" } }]);
    expect(await payouts(context)).toMatchObject([{ affiliate_id: joe.affiliate_id, period: LAST_MONTH }]);
    expect(await payouts(other)).toHaveLength(1);
    await payOut(context, THIS_MONTH);
    expect(await payouts(context)).toHaveLength(2);
    expect([await brokenRules(context), await brokenRules(other)]).toEqual([[], []]);
  });

  it("is retried in the same run if most payouts fail", async () => {
    const other = await makePayoutContext(test.database);
    await earn(context, jane, { amount: 30 });
    await earn(other, await addEarner(other), { amount: 30 });
    for (const payer of [context, other]) await startPayoutRun(payer, { method: "manual" });
    const { signal } = new AbortController();
    await withRefusal(jane.affiliate_id, () =>
      expect(workPayoutRuns(test.database, signal)).rejects.toThrow(
        /^Payout run .* is not finished: Error: 1 affiliates were refused$/,
      ),
    );
    expect([await payouts(context), await payouts(other)]).toMatchObject([[], [{ amount_minor: 3_000n }]]);
    await workPayoutRuns(test.database, signal);
    expect(await payouts(context)).toMatchObject([{ amount_minor: 3_000n, period: THIS_MONTH }]);
  });
});

it("pays an affiliate with a locked balance later, in the same run, and does not make others wait", async () => {
  const joe = await addEarner(context);
  for (const earner of [jane, joe]) await earn(context, earner, { amount: 30 });
  await startPayoutRun(context, { method: "manual" });
  const held = await holdTransaction(test.database);
  await held.sql`select from balances where affiliate_id = ${jane.affiliate_id} for update`;
  const limits = { statement_seconds: 3, long_statement_seconds: 3, session: {} };
  const database = connect({ url: test.url, poolSize: 1, prepare: true, name: "impatient", limits });
  const { id } = context.organization;
  const owner = await ownOrganization(test.database, id);
  const refused: RefusedPayout[] = [];
  await expect(
    workPayoutRun(database, id, {
      owner,
      signal: new AbortController().signal,
      onRefused: (rejection) => refused.push(rejection),
    }),
  ).rejects.toThrow(/is not finished: Error: 1 affiliates could not be paid yet: /);
  await database.end();
  expect(refused).toEqual([]);
  expect(await payouts(context)).toMatchObject([{ affiliate_id: joe.affiliate_id, period: THIS_MONTH }]);
  await held.rollBack();
  await workPayoutRuns(test.database, new AbortController().signal);
  expect(await payouts(context)).toMatchObject([{ period: THIS_MONTH }, { period: THIS_MONTH }]);
  expect(await brokenRules(context)).toEqual([]);
});
