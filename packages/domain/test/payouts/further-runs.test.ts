/* Runs beside the month's run of all affiliates, and the amounts that a person confirmed. */

import type { TestDatabase } from "@findersfee/database/testing";
import { failEachCall, LOST_ANSWERS } from "@findersfee/database/testing/faults/each-call";
import { describe, expect, it } from "vitest";
import { updateAffiliate } from "../../src/affiliates/update.ts";
import type { CreationContext } from "../../src/commissions/create.ts";
import { updateCommission } from "../../src/commissions/update.ts";
import { updateSettings } from "../../src/organizations/settings/update.ts";
import { movePayouts } from "../../src/payouts/move.ts";
import { startDuePayoutRuns } from "../../src/payouts/runs/payout-day.ts";
import { proposePayoutRun } from "../../src/payouts/runs/propose.ts";
import { startPayoutRun } from "../../src/payouts/runs/start.ts";
import { beforeEachProgram } from "../ledger/earner-program.ts";
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
} from "../ledger/program.ts";
import { workPayoutRuns } from "../work.ts";

let test: TestDatabase;
let context: CreationContext;
let jane: Earner;
let joe: Earner;

beforeEachProgram(async (program) => {
  ({ test, context, jane } = program);
  joe = await addEarner(context);
});

const THIS_MONTH = monthsAgo(0);

const work = () => workPayoutRuns(test.database, new AbortController().signal);

/** Starts and finishes a run of chosen affiliates. */
async function payChosen(affiliate_ids: string[], number = 2): Promise<string> {
  const { id } = await startPayoutRun(context, { number, affiliate_ids, method: "manual" });
  await work();
  return id;
}

const runsOf = ({ organization }: CreationContext) => test.database<
  { number: number; affiliate_ids: string[] | null; payouts: number }[]
>`
  select number, affiliate_ids, (select count(*)::int from payouts where run_id = run.id) as payouts
  from payout_runs run where organization_id = ${organization.id} order by period, number`;

describe("a further run", () => {
  it("pays chosen affiliates alone, whatever the minimum, before and after the month's run", async () => {
    await updateSettings(context, { minimum_payouts: { USD: 50 } });
    await earn(context, jane, { amount: 30 });
    await earn(context, joe, { amount: 30 });
    await payChosen([jane.affiliate_id]);
    expect(await payouts(context)).toMatchObject([
      { affiliate_id: jane.affiliate_id, amount_minor: 3_000n, period: THIS_MONTH },
    ]);
    await earn(context, joe, { amount: 40 });
    await payOut(context, THIS_MONTH);
    await earn(context, jane, { amount: 1 });
    await payChosen([joe.affiliate_id, jane.affiliate_id.toUpperCase(), joe.affiliate_id], 3);
    expect((await payouts(context)).map(({ amount_minor }) => amount_minor).sort()).toEqual([
      100n,
      3_000n,
      7_000n,
    ]);
    expect([...(await runsOf(context))]).toEqual([
      { number: 1, affiliate_ids: null, payouts: 1 },
      { number: 2, affiliate_ids: [jane.affiliate_id], payouts: 1 },
      { number: 3, affiliate_ids: [jane.affiliate_id, joe.affiliate_id].sort(), payouts: 1 },
    ]);
    expect(await brokenRules(context)).toEqual([]);
  });

  it("pays a payout that failed again on the same day, to the mended address", async () => {
    const commission_id = await earn(context, jane, { amount: 30 });
    await payOut(context, THIS_MONTH);
    const [failed] = await payouts(context);
    await movePayouts(context, { ids: [failed?.id ?? ""], status: "failed", reason: "No such account" });
    await updateAffiliate(context, { id: jane.affiliate_id, payout_email: "mended@example.com" });
    await payChosen([jane.affiliate_id]);
    expect(await payouts(context)).toMatchObject([
      { status: "failed", amount_minor: 3_000n, period: THIS_MONTH },
      { status: "pending", amount_minor: 3_000n, period: THIS_MONTH },
    ]);
    const [again] = await test.database`
      select payout_email from payouts where organization_id = ${context.organization.id} and status = 'pending'`;
    expect(again).toEqual({ payout_email: "mended@example.com" });
    expect(await statusOf(context, commission_id)).toBe("pending");
    expect(await brokenRules(context)).toEqual([]);
  });

  it("that is started again is the same run, also after it finished", async () => {
    await earn(context, jane, { amount: 30 });
    const start = () =>
      startPayoutRun(context, { number: 2, affiliate_ids: [jane.affiliate_id], method: "manual" });
    const started = await Promise.all(Array.from({ length: 5 }, start));
    expect(new Set(started.map(({ id }) => id)).size).toBe(1);
    expect(started.filter(({ is_new }) => is_new)).toHaveLength(1);
    await work();
    await earn(context, jane, { amount: 20 });
    expect(await start()).toMatchObject({
      id: started[0]?.id,
      is_new: false,
      finished_at: expect.any(String),
    });
    await work();
    expect(await payouts(context)).toMatchObject([{ amount_minor: 3_000n }]);
  });

  it("is refused with the number of another run, a later number, or affiliates that do not exist", async () => {
    await payChosen([jane.affiliate_id]);
    const start = (number: number | undefined, affiliate_ids?: string[]) =>
      startPayoutRun(context, { number, affiliate_ids, method: "manual" } as never);
    await expect(start(2, [joe.affiliate_id])).rejects.toMatchObject({ code: "payout_locked" });
    await expect(start(2)).rejects.toMatchObject({ code: "payout_locked" });
    await expect(start(4, [joe.affiliate_id])).rejects.toMatchObject({
      code: "invalid_request",
      issues: [{ path: "number", message: expect.stringContaining("Must be 3") }],
    });
    for (const number of [1, undefined]) {
      await expect(start(number, [joe.affiliate_id])).rejects.toMatchObject({
        code: "invalid_request",
        issues: [{ path: "number" }],
      });
    }
    const theirs = await addEarner(await makePayoutContext(test.database));
    await expect(start(3, [joe.affiliate_id, theirs.affiliate_id])).rejects.toMatchObject({
      code: "invalid_request",
      issues: [{ path: "affiliate_ids", message: expect.stringContaining(theirs.affiliate_id) }],
    });
    expect(await runsOf(context)).toHaveLength(1);
  });

  it("waits for the run in progress", async () => {
    await earn(context, jane, { amount: 30 });
    await startPayoutRun(context, { method: "manual" });
    const start = () => startPayoutRun(context, { number: 2, method: "manual" });
    await expect(start()).rejects.toMatchObject({
      code: "payout_locked",
      message: "A payout run is in progress; a further one can start once it finishes.",
    });
    await work();
    expect(await start()).toMatchObject({ number: 2, affiliate_ids: null, is_new: true });
    await work();
  });

  it("leaves the month's run to the payout day", async () => {
    await updateSettings(context, { payout_day: 1 });
    await earn(context, jane, { amount: 30 });
    await earn(context, joe, { amount: 20 });
    await payChosen([jane.affiliate_id]);
    await startDuePayoutRuns(test.database, new Date());
    await startDuePayoutRuns(test.database, new Date());
    await work();
    await updateSettings(context, { payout_day: null });
    expect((await runsOf(context)).map(({ number, payouts }) => [number, payouts])).toEqual([
      [1, 1],
      [2, 1],
    ]);
  });

  it("is one row for each month and number in the database", async () => {
    await payChosen([jane.affiliate_id]);
    const { organization } = context;
    const [row] = await test.database`select * from payout_runs where organization_id = ${organization.id}`;
    const copy = { ...row, organization_id: organization.id, id: crypto.randomUUID() };
    await expect(
      test.database`insert into payout_runs ${test.database(copy as never)}`,
    ).rejects.toMatchObject({
      constraint_name: "payout_runs_period",
    });
    await expect(
      test.database`insert into payout_runs ${test.database({ ...copy, number: 1 } as never)}`,
    ).rejects.toMatchObject({ constraint_name: "payout_runs_chosen" });
  });
});

describe("a confirmed run", () => {
  async function confirm(affiliate_ids?: string[]) {
    const { affiliates, ...proposed } = await proposePayoutRun(context, { affiliate_ids });
    const { period, number, as_of, totals } = proposed;
    const start = (own = context) =>
      startPayoutRun(own, {
        period,
        number,
        confirmed: { as_of, totals },
        method: "manual",
        ...(affiliate_ids === undefined ? {} : { affiliate_ids }),
      });
    return { affiliates, ...proposed, start };
  }

  it("pays what was confirmed, though commissions arrive and become due", async () => {
    await earn(context, jane, { amount: 30 });
    await earn(context, jane, { amount: 7, currency: "EUR" });
    const { start, ...proposed } = await confirm();
    expect(proposed).toMatchObject({
      period: THIS_MONTH,
      number: 1,
      affiliates: 1,
      totals: [
        { currency: "EUR", payouts: 1, amount: 7 },
        { currency: "USD", payouts: 1, amount: 30 },
      ],
    });
    await earn(context, jane, { amount: 20 });
    await earn(context, joe, { amount: 20 });
    const run = await start();
    expect(run.cutoff_at).toBe(proposed.as_of);
    await work();
    expect(await payouts(context)).toMatchObject([{ amount_minor: 700n }, { amount_minor: 3_000n }]);
    expect(await confirm()).toMatchObject({ number: 2, totals: [{ payouts: 2, amount: 40 }] });
    expect(await brokenRules(context)).toEqual([]);
  });

  it("is refused if the amount changed, and pays the new one once it is confirmed", async () => {
    const id = await earn(context, jane, { amount: 30 });
    const former = await confirm();
    await updateCommission(context, { id, commission_amount: 25 });
    await expect(former.start()).rejects.toMatchObject({
      code: "payout_locked",
      message:
        "The amount changed: the run would create 1 payout of 25 USD. Nothing was started; confirm it again.",
    });
    expect(await runsOf(context)).toHaveLength(0);
    await (await confirm()).start();
    await work();
    expect(await payouts(context)).toMatchObject([{ amount_minor: 2_500n }]);
  });

  it("is refused if other payees have the same sum", async () => {
    const id = await earn(context, jane, { amount: 30 });
    const former = await confirm();
    await updateCommission(context, { id, commission_amount: 20 });
    await createEarlier(joe, 10);
    await expect(former.start()).rejects.toMatchObject({ code: "payout_locked" });
  });

  it("is refused with amounts of the future and with too many decimals", async () => {
    await earn(context, jane, { amount: 30 });
    const { totals } = await confirm();
    const start = (confirmed: object) => startPayoutRun(context, { method: "manual", confirmed } as never);
    const as_of = new Date(Date.now() + 60_000).toISOString();
    await expect(start({ as_of, totals })).rejects.toMatchObject({ issues: [{ path: "confirmed.as_of" }] });
    const broken = [{ currency: "USD", payouts: 1, amount: 30.001 }];
    await expect(start({ as_of: new Date().toISOString(), totals: broken })).rejects.toMatchObject({
      issues: [{ path: "confirmed.totals.0.amount" }],
    });
  });

  it("pays less after a refund, and never more than was confirmed", async () => {
    const reduced = await earn(context, jane, { amount: 30 });
    await earn(context, joe, { amount: 10 });
    const { start } = await confirm();
    await start();
    await updateCommission(context, { id: reduced, commission_amount: 28 });
    // A commission of before the confirmation, which was not committed yet.
    const late = await addEarner(context);
    await createEarlier(late, 5);
    await work();
    const paid = (await payouts(context)).map(({ amount_minor }) => amount_minor);
    expect(paid.reduce((sum, amount) => sum + amount, 0n)).toBeLessThanOrEqual(4_000n);
    expect(paid).toHaveLength(2);
    expect((await runsOf(context))[0]).toMatchObject({ payouts: 2 });
    const [{ unfinished } = {}] = await test.database`
      select count(*)::int as unfinished from payout_runs
      where organization_id = ${context.organization.id} and finished_at is null`;
    expect(unfinished).toBe(0);
    expect(await brokenRules(context)).toEqual([]);
  });

  it.each(LOST_ANSWERS)(
    "is started once and pays once when a call fails and it is repeated (%s)",
    async (kind) => {
      await failEachCall(test.url, kind, async (database) => {
        context = await makePayoutContext(test.database);
        jane = await addEarner(context);
        await earn(context, jane, { amount: 30 });
        const { start } = await confirm([jane.affiliate_id]);
        const own = { ...context, database };
        await start(own).catch(() => start());
        await workPayoutRuns(database, new AbortController().signal).catch(() => null);
        await start();
        await work();
        expect(await payouts(context)).toMatchObject([{ amount_minor: 3_000n, status: "pending" }]);
        expect(await runsOf(context)).toMatchObject([{ number: 2, payouts: 1 }]);
        const [{ entries } = {}] = await test.database`
        select count(*)::int as entries from audit_log_entries
        where organization_id = ${context.organization.id} and resource = 'payout_run' and action = 'created'`;
        expect(entries).toBe(1);
        expect(await brokenRules(context)).toEqual([]);
      });
    },
  );

  /** A commission that was created an hour ago. */
  async function createEarlier(earner: Earner, amount: number): Promise<void> {
    const id = await earn(context, earner, { amount });
    await test.database`
      with commission as (
        update commissions set created_at = created_at - interval '1 hour', payable_at = payable_at - interval '1 hour'
        where organization_id = ${context.organization.id} and id = ${id}
        returning organization_id, id, greatest(created_at, payable_at) as due_at
      )
      update unpaid_commissions unpaid set due_at = commission.due_at
      from commission
      where unpaid.organization_id = commission.organization_id and unpaid.commission_id = commission.id`;
  }
});
