import { connect } from "@findersfee/database/postgres/connect";
import type { TestDatabase } from "@findersfee/database/testing";
import { describe, expect, it } from "vitest";
import type { CreationContext } from "../../src/commissions/create.ts";
import { updateCommission } from "../../src/commissions/update.ts";
import type { Context } from "../../src/context.ts";
import { listBalances } from "../../src/ledger/list-balances.ts";
import { updateSettings } from "../../src/organizations/settings/update.ts";
import { movePayouts } from "../../src/payouts/move.ts";
import { getPayoutRun } from "../../src/payouts/runs/get.ts";
import { workPayoutRun } from "../../src/payouts/runs/pay.ts";
import { startDuePayoutRuns } from "../../src/payouts/runs/payout-day.ts";
import { startPayoutRun } from "../../src/payouts/runs/start.ts";
import { ownOrganization, workPayoutRuns } from "../work.ts";
import { beforeEachProgram } from "./earner-program.ts";
import {
  addEarner,
  brokenRules,
  type Earner,
  earn,
  makePayoutContext,
  monthsAgo,
  paidIn,
  pay,
  payOut,
  payouts,
  previews,
  promised,
  statusOf,
} from "./program.ts";
import { createUnpaidCommissions, type UnpaidCommission } from "./unpaid-commissions.ts";

let test: TestDatabase;
let context: CreationContext;
let jane: Earner;

beforeEachProgram((program) => {
  ({ test, context, jane } = program);
});

const DAY = 24 * 60 * 60 * 1000;
const LAST_MONTH = monthsAgo(1);
const THIS_MONTH = monthsAgo(0);

describe("a run", () => {
  it("pays as its preview shows", async () => {
    await updateSettings(context, { minimum_payouts: { USD: 10, JPY: 8 } });
    const commission = (amount_minor: number, fields: Partial<UnpaidCommission> = {}): UnpaidCommission => {
      return { currency: "USD", amount_minor, held: false, ...fields };
    };
    await createUnpaidCommissions(context, [
      [commission(1_000)],
      [commission(999)],
      [commission(600), commission(600), commission(5_000, { held: true })],
      [commission(5_000, { held: true })],
      // Reversals are netted regardless of their holding period.
      [commission(2_000), commission(-500, { held: true })],
      [commission(2_000), commission(-1_500)],
      [commission(500), commission(-900), commission(3_000, { held: true })],
      [commission(-700)],
      // Each currency has its own minimum, or none.
      [commission(5, { currency: "EUR" }), commission(9, { currency: "USD" })],
      [commission(9, { currency: "JPY" })],
      [commission(3, { currency: "JPY" }), commission(1_000), commission(4, { currency: "JPY" })],
      [commission(300), commission(-300)],
    ]);
    const preview = await previews(context);
    const outcomes = preview.map(({ outcome }) => outcome);
    expect(new Set(outcomes)).toEqual(new Set(["included", "held", "below_minimum", "negative"]));
    await payOut(context, LAST_MONTH);
    expect(await paidIn(context, LAST_MONTH)).toEqual(promised(preview));
    // Amounts carried forward are listed again, and otherwise only the held commissions of paid affiliates.
    const carried = preview.filter(({ outcome }) => outcome !== "included");
    const held = preview
      .filter(({ outcome, held_amount }) => outcome === "included" && held_amount > 0)
      .map((row) => ({ ...row, outcome: "held", amount: 0, payment_count: 0 }));
    const again = await previews(context);
    expect(again).toHaveLength(carried.length + held.length);
    expect(again).toEqual(expect.arrayContaining([...carried, ...held]));
    expect(await brokenRules(context)).toEqual([]);
  });

  it("pays commissions after their holding period", async () => {
    await updateSettings(context, { hold_days: 15 });
    const held = await earn(context, jane, { amount: 30, referral_date: new Date(Date.now() - 14 * DAY) });
    const due = await earn(context, jane, { amount: 20, referral_date: new Date(Date.now() - 16 * DAY) });
    await payOut(context, monthsAgo(2));
    expect([await statusOf(context, held), await statusOf(context, due)]).toEqual(["not_paid", "pending"]);
    // A new holding period applies to new commissions; a new date moves the due date.
    await updateSettings(context, { hold_days: 0 });
    await payOut(context, LAST_MONTH);
    expect(await statusOf(context, held)).toBe("not_paid");
    await updateCommission(context, {
      id: held,
      referral_date: new Date(Date.now() - 15 * DAY - 1_000).toISOString(),
    });
    await payOut(context, THIS_MONTH);
    expect(await statusOf(context, held)).toBe("pending");
  });

  it("excludes commissions after its start", async () => {
    await earn(context, jane, { amount: 30 });
    const { id } = await startPayoutRun(context, { method: "manual" });
    await test.database`
      with commission as (
        update commissions set created_at = created_at + interval '1 minute'
        where organization_id = ${context.organization.id} returning organization_id, id, created_at
      )
      update unpaid_commissions unpaid set due_at = commission.created_at
      from commission
      where unpaid.organization_id = commission.organization_id and unpaid.commission_id = commission.id`;
    await earn(context, jane, { amount: 20, referral_date: new Date(Date.now() - DAY) });
    await workPayoutRuns(test.database, new AbortController().signal);
    expect(await payouts(context)).toEqual([]);
    expect(await getPayoutRun(context, id)).toMatchObject({ payouts: 0, finished_at: expect.any(String) });
  });

  it("uses the minimum at its start", async () => {
    await earn(context, jane, { amount: 30 });
    await startPayoutRun(context, { method: "paypal" });
    await updateSettings(context, { minimum_payouts: { USD: 100 } });
    await workPayoutRuns(test.database, new AbortController().signal);
    expect(await payouts(context)).toMatchObject([{ amount_minor: 3_000n, period: THIS_MONTH }]);
  });

  it("pays a currency's smallest amount", async () => {
    await earn(context, jane, { amount: 1, currency: "JPY" });
    await payOut(context, LAST_MONTH);
    expect(await payouts(context)).toMatchObject([{ amount_minor: 1n, currency: "JPY", payment_count: 1 }]);
  });
});

it("pays a batch of affiliates in one transaction", async () => {
  for (let number = 0; number < 10; number++) await earn(context, await addEarner(context), { amount: 30 });
  await startPayoutRun(context, { method: "manual" });
  let sent = 0;
  const onSend = () => {
    sent += 1;
  };
  const database = connect({ url: test.url, poolSize: 1, prepare: true, name: "counted", onSend });
  const { id } = context.organization;
  const owner = await ownOrganization(test.database, id);
  await workPayoutRun(database, id, { owner, signal: new AbortController().signal });
  await database.end();
  expect(await payouts(context)).toHaveLength(10);
  // The runs, the payees, a transaction of begin, payouts and commit, the folded sums, and the end of the run.
  expect(sent).toBe(7);
});

describe("a period", () => {
  it("has one run of all affiliates, and closes all earlier periods", async () => {
    const id = await payOut(context, LAST_MONTH);
    await earn(context, jane, { amount: 30 });
    const again = await startPayoutRun(context, { period: LAST_MONTH, method: "manual" });
    expect(again).toMatchObject({ id, is_new: false, finished_at: expect.any(String) });
    const refused = startPayoutRun(context, { period: monthsAgo(2), method: "manual" });
    await expect(refused).rejects.toMatchObject({ code: "payout_locked" });
    await workPayoutRuns(test.database, new AbortController().signal);
    expect(await payouts(context)).toEqual([]);
  });

  it("in the future cannot be run", async () => {
    const refused = startPayoutRun(context, { period: monthsAgo(-1), method: "manual" });
    await expect(refused).rejects.toMatchObject({ code: "invalid_request", issues: [{ path: "period" }] });
  });

  it("is run once with concurrent starts", async () => {
    await earn(context, jane, { amount: 30 });
    const begun = await Promise.all(
      Array.from({ length: 5 }, () => startPayoutRun(context, { method: "manual" })),
    );
    expect(new Set(begun.map(({ id }) => id)).size).toBe(1);
    const { signal } = new AbortController();
    await Promise.all([workPayoutRuns(test.database, signal), workPayoutRuns(test.database, signal)]);
    expect(await payouts(context)).toHaveLength(1);
  });
});

describe("the payout day", () => {
  /** The 10th of this month. */
  const tenth = new Date(`${THIS_MONTH}-10T12:00:00Z`);

  it("starts the run of the month once, also if it was missed", async () => {
    const [early, late, never] = [
      context,
      await makePayoutContext(test.database),
      await makePayoutContext(test.database),
    ];
    await updateSettings(early, { payout_day: 9 });
    await updateSettings(late, { payout_day: 11 });
    await earn(context, jane, { amount: 30 });
    // From before the cutoff of a run on the tenth.
    await test.database`
      update unpaid_commissions set due_at = ${tenth} where organization_id = ${early.organization.id}`;
    expect(await startDuePayoutRuns(test.database, tenth)).toBe(1);
    expect(await startDuePayoutRuns(test.database, tenth)).toBe(0);
    await workPayoutRuns(test.database, new AbortController().signal);
    expect(await payouts(early)).toMatchObject([{ period: THIS_MONTH, amount_minor: 3_000n }]);
    expect([await runsOf(early), await runsOf(late), await runsOf(never)]).toEqual([["payout day"], [], []]);
    // The others are left as they are for the tests behind this one.
    await updateSettings(early, { payout_day: null });
    await updateSettings(late, { payout_day: null });
  });

  it("skips a month that was run manually", async () => {
    await updateSettings(context, { payout_day: 1 });
    await payOut(context, THIS_MONTH);
    expect(await startDuePayoutRuns(test.database, tenth)).toBe(0);
    await updateSettings(context, { payout_day: null });
  });
});

async function runsOf({ organization }: Context): Promise<string[]> {
  const rows = await test.database<{ started_by: string }[]>`
    select started_by from payout_runs where organization_id = ${organization.id}`;
  return rows.map(({ started_by }) => started_by);
}

describe("a paid payout", () => {
  it.each(["failed", "canceled"] as const)("%s, its commissions are in the next one", async (status) => {
    const first = await earn(context, jane, { amount: 30 });
    await payOut(context, LAST_MONTH);
    const [payout] = await payouts(context);
    const ids = [payout?.id ?? ""];
    await movePayouts(context, { ids, status: "processing" });
    await movePayouts(context, { ids, status });
    expect(await statusOf(context, first)).toBe("not_paid");
    const second = await earn(context, jane, { amount: 20 });
    await payOut(context, THIS_MONTH);
    expect(await payouts(context)).toMatchObject([
      { amount_minor: 3_000n, payment_count: 1, period: LAST_MONTH, status },
      { amount_minor: 5_000n, payment_count: 2, period: THIS_MONTH, status: "pending" },
    ]);
    expect([await statusOf(context, first), await statusOf(context, second)]).toEqual(["pending", "pending"]);
    expect(await brokenRules(context)).toEqual([]);
  });

  it("marks its commissions as paid in the balance", async () => {
    const id = await earn(context, jane, { amount: 30 });
    await payOut(context, LAST_MONTH);
    await pay(
      context,
      (await payouts(context)).map((payout) => payout.id),
    );
    expect(await statusOf(context, id)).toBe("paid");
    await earn(context, jane, { amount: 5 });
    expect(await listBalances(context, jane.affiliate_id)).toEqual([
      { currency: "USD", earned: 35, lost: 0, adjusted: 0, held: 0, due: 5, in_payout: 0, paid: 30 },
    ]);
  });
});
