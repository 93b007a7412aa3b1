import { findLastSearched, listPreviewRows, type PreviewRange } from "@findersfee/database/payouts/previews";
import { foldRunTotals, listRunTotals } from "@findersfee/database/payouts/run-totals";
import type { Database } from "@findersfee/database/postgres/connect";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { statementsOf } from "@findersfee/database/testing/counted-statements";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CreationContext } from "../../src/commissions/create.ts";
import { updateSettings } from "../../src/organizations/settings/update.ts";
import { movePayouts } from "../../src/payouts/move.ts";
import { getPayoutRun } from "../../src/payouts/runs/get.ts";
import { listPayoutRuns } from "../../src/payouts/runs/list.ts";
import { previewPayoutRun } from "../../src/payouts/runs/preview.ts";
import { startPayoutRun } from "../../src/payouts/runs/start.ts";
import { summarizePayoutRun } from "../../src/payouts/runs/summarize.ts";
import { findAffiliateText } from "../../src/people-with-text.ts";
import { click, report } from "../attribution/program.ts";
import { checkout, payment, refund, second } from "../attribution/reported.ts";
import {
  addEarner,
  type Earner,
  earn,
  makePayoutContext,
  monthsAgo,
  payOut,
  payouts,
} from "../ledger/program.ts";

let test: TestDatabase;
let database: Database;

beforeAll(async () => {
  test = await createTestDatabase();
  database = test.database;
});

afterAll(() => test.close());

const HOLD_DAYS = 15;
const DAY_MILLISECONDS = 86_400_000;
const LONG_AGO = new Date("2026-01-01T00:00:00.000Z");

/** Changes an affiliate's names and address. */
async function name(
  { organization }: CreationContext,
  { affiliate_id }: Earner,
  {
    first_name = "",
    email,
    payout_email = null,
  }: { first_name?: string; email: string; payout_email?: string | null },
): Promise<void> {
  await database`
    update affiliates set first_name = ${first_name}, last_name = '', email = ${email}, payout_email = ${payout_email}
    where organization_id = ${organization.id} and id = ${affiliate_id}`;
}

/** Affiliates of every outcome: paid, paid with a rest held, held, below the minimum. */
async function fill(): Promise<CreationContext> {
  const context = await makePayoutContext(database, {
    hold_days: HOLD_DAYS,
    minimum_payouts: { USD: 50, EUR: 10 },
  });
  const [jane, max, lee, ann] = await Promise.all([1, 2, 3, 4].map(() => addEarner(context)));
  if (!jane || !max || !lee || !ann) throw new Error("no earners");
  await name(context, jane, {
    first_name: "Jane",
    email: "jane@example.com",
    payout_email: "pay@jane.example",
  });
  await name(context, max, { first_name: "Max", email: "max@example.com" });
  await name(context, lee, { first_name: "Lee", email: "lee@example.com" });
  await name(context, ann, { first_name: "Ann", email: "ann@example.com" });
  await earn(context, jane, { amount: 100, referral_date: LONG_AGO });
  await earn(context, jane, { amount: 20.5, referral_date: LONG_AGO });
  await earn(context, jane, { amount: 24.5 });
  await earn(context, max, { amount: 60, referral_date: LONG_AGO });
  await earn(context, max, { amount: 310, currency: "EUR", referral_date: LONG_AGO });
  await earn(context, lee, { amount: 7 });
  await earn(context, ann, { amount: 49.99, referral_date: LONG_AGO });
  return context;
}

describe("the summary of the next run", () => {
  it("sums up each currency by outcome, without adding currencies", async () => {
    const context = await fill();
    const nothing = { payees: 0, amount: 0 };
    const summary = await summarizePayoutRun(context);
    expect(summary).toMatchObject({ payees: 5, period: monthsAgo(0), run: null, next_run_on: null });
    expect(summary.totals).toEqual([
      {
        currency: "EUR",
        minimum: 10,
        included: { payees: 1, amount: 310 },
        held: nothing,
        below_minimum: nothing,
        negative: nothing,
        withheld: nothing,
      },
      {
        currency: "USD",
        minimum: 50,
        included: { payees: 2, amount: 180.5 },
        held: { payees: 2, amount: 31.5 },
        below_minimum: { payees: 1, amount: 49.99 },
        negative: nothing,
        withheld: nothing,
      },
    ]);
  });

  it("is current after each change of a program with few payees", async () => {
    const context = await fill();
    await summarizePayoutRun(context);
    await updateSettings(context, { minimum_payouts: {} });
    const [, dollars] = (await summarizePayoutRun(context)).totals;
    expect(dollars).toMatchObject({ included: { payees: 3, amount: 230.49 }, below_minimum: { payees: 0 } });
    await payOut(context, monthsAgo(0));
    const after = await summarizePayoutRun(context);
    expect(after.totals).toMatchObject([
      { currency: "USD", included: { payees: 0 }, held: { amount: 31.5 } },
    ]);
    expect(after.run).toMatchObject({ started_by: "operator" });
  });

  it("of many payees reuses what was captured a moment ago", async () => {
    const context = await fill();
    const included = async () => (await summarizePayoutRun(context)).totals.map((total) => total.included);
    const first = await included();
    await database`
      update payout_previews set payees = 100000, milliseconds = 60000
      where organization_id = ${context.organization.id}`;
    await updateSettings(context, { minimum_payouts: {} });
    expect(await included()).toEqual(first);
    await database`
      update payout_previews set captured_at = captured_at - interval '10 minutes'
      where organization_id = ${context.organization.id}`;
    expect(await included()).not.toEqual(first);
  });

  it("is captured once for concurrent readers, and belongs to one organization", async () => {
    const [context, other] = [await fill(), await makePayoutContext(database)];
    const all = await Promise.all([1, 2, 3, 4].map(() => summarizePayoutRun(context)));
    expect(new Set(all.map(({ totals }) => JSON.stringify(totals))).size).toBe(1);
    expect((await summarizePayoutRun(other)).totals).toEqual([]);
  });
});

describe("the preview of the next run", () => {
  const namesOf = async (context: CreationContext, query: object) =>
    (await previewPayoutRun(context, { limit: 50, ...query })).data.map(
      ({ affiliate_name, currency, amount }) => `${affiliate_name} ${amount} ${currency}`,
    );

  it("lists by currency, the largest amount first, with the reason of each", async () => {
    const context = await fill();
    const { data } = await previewPayoutRun(context, { limit: 50 });
    expect(data.map(({ affiliate_name, outcome }) => `${affiliate_name} ${outcome}`)).toEqual([
      "Max included",
      "Jane included",
      "Max included",
      "Ann below_minimum",
      "Lee held",
    ]);
    const jane = data[1];
    expect(jane).toMatchObject({
      payout_email: "pay@jane.example",
      has_payout_email: true,
      amount: 120.5,
      payment_count: 2,
      held_amount: 24.5,
    });
    const days = (Date.parse(jane?.held_until ?? "") - Date.now()) / DAY_MILLISECONDS;
    expect(days).toBeGreaterThan(HOLD_DAYS - 1);
    expect(days).toBeLessThanOrEqual(HOLD_DAYS);
    expect(data[0]).toMatchObject({ payout_email: "max@example.com", has_payout_email: false });
  });

  it("names a payee held whose due commissions add up to zero", async () => {
    const context = await makePayoutContext(database);
    const jane = await addEarner(context);
    const customer = { customer_id: "cus_1", email: "buyer@customers.test" };
    const click_id = await click(context, { ...jane, at: second(0) });
    await report(context, checkout({ ...customer, subject: "cs_1", click_ids: [click_id], at: second(10) }));
    await report(context, payment({ ...customer, subject: "in_1", at: second(20), references: ["pi_1"] }));
    await payOut(context, monthsAgo(1));
    // Reverses the 30 that are in a payout.
    const amount_minor = 10_000n;
    await report(context, refund({ subject: "re_1", amount_minor, at: second(50), references: ["pi_1"] }));
    await earn(context, jane, { amount: 30, referral_date: LONG_AGO });
    await updateSettings(context, { hold_days: HOLD_DAYS });
    await earn(context, jane, { amount: 7 });
    const { data } = await previewPayoutRun(context, { limit: 50 });
    expect(data).toMatchObject([{ outcome: "held", amount: 0, payment_count: 2, held_amount: 7 }]);
  });

  it("filters by part, currency and a part of a name or email", async () => {
    const context = await fill();
    expect(await namesOf(context, { part: "included", currency: "USD" })).toEqual([
      "Jane 120.5 USD",
      "Max 60 USD",
    ]);
    expect(await namesOf(context, { part: "held" })).toEqual(["Jane 120.5 USD", "Lee 0 USD"]);
    expect(await namesOf(context, { part: "below_minimum" })).toEqual(["Ann 49.99 USD"]);
    expect(await namesOf(context, { part: "negative" })).toEqual([]);
    for (const text of ["MAX", "ax@ex"]) {
      expect(await namesOf(context, { text })).toEqual(["Max 310 EUR", "Max 60 USD"]);
    }
    expect(await namesOf(context, { text: "lee@", part: "held" })).toEqual(["Lee 0 USD"]);
  });

  it("finds a text in the order of the list, or first its affiliates, in both directions", async () => {
    const context = await fill();
    await summarizePayoutRun(context);
    const { affiliate_ids } = await findAffiliateText(database, context.organization.id, "max@");
    const find = async (few: boolean, range: Partial<PreviewRange> & { searched?: number } = {}) => {
      const { searched = 50, ...places } = range;
      const rows = await listPreviewRows(database, context.organization.id, {
        filter: { text: { lower: "max@", affiliate_ids: few ? affiliate_ids : null } },
        range: { after: null, before: null, limit: 50, ...places },
        searched,
      });
      return rows.map(({ affiliate_id, currency, due_minor: amount_minor }) => ({
        affiliate_id,
        currency,
        amount_minor,
      }));
    };
    const all = await find(true);
    expect(all.map(({ currency }) => currency)).toEqual(["EUR", "USD"]);
    expect(await find(false)).toEqual(all);
    expect(await find(false, { after: all[0] ?? null })).toEqual(all.slice(1));
    expect(await find(false, { before: all[1] ?? null })).toEqual(all.slice(0, 1));
    // The second one is behind another affiliate's row.
    expect(await find(false, { searched: 2 })).toEqual(all.slice(0, 1));
  });

  it("says where the search for a frequent text stopped", async () => {
    const context = await fill();
    const rows = (await previewPayoutRun(context, { limit: 50 })).data;
    const stopsAt = async (searched: number, after: PreviewRange["after"] = null) =>
      (
        await findLastSearched(database, context.organization.id, {
          filter: { text: { lower: "max@", affiliate_ids: null } },
          range: { after, before: null, limit: 50 },
          searched,
        })
      )?.affiliate_id ?? null;
    expect(await stopsAt(2)).toBe(rows[1]?.affiliate_id);
    expect(await stopsAt(rows.length)).toBe(rows.at(-1)?.affiliate_id);
    expect(await stopsAt(rows.length + 1)).toBe(null);
  });

  it.each([undefined, "held"] as const)("turns pages of part %s in both directions", async (part) => {
    const context = await fill();
    const all = (await previewPayoutRun(context, { limit: 50, part })).data;
    const first = await previewPayoutRun(context, { limit: 1, part });
    const second = await previewPayoutRun(context, { limit: 1, part, after: first.older ?? "" });
    expect([...first.data, ...second.data]).toEqual(all.slice(0, 2));
    const back = await previewPayoutRun(context, { limit: 1, part, before: second.newer ?? "" });
    expect(back.data).toEqual(first.data);
    await expect(previewPayoutRun(context, { limit: 1, after: "USD x" })).rejects.toMatchObject({
      code: "invalid_request",
    });
  });

  it("costs the same number of statements for one row and for many", async () => {
    const context = await fill();
    const statements = async (limit: number) =>
      (await statementsOf(database, () => previewPayoutRun(context, { limit }))).length;
    expect(await statements(50)).toBe(await statements(1));
  });
});

describe("the sums of a run", () => {
  it("follow its payouts, by currency and status", async () => {
    const context = await fill();
    const id = await payOut(context, monthsAgo(0));
    const [jane, ...others] = (await payouts(context)).sort((a, b) =>
      a.amount_minor < b.amount_minor ? 1 : -1,
    );
    const euros = { currency: "EUR", payouts: 1, amount: 310 };
    expect(await getPayoutRun(context, id)).toMatchObject({
      payouts: 3,
      totals: [
        { ...euros, statuses: [{ status: "pending", payouts: 1, amount: 310 }] },
        {
          currency: "USD",
          payouts: 2,
          amount: 180.5,
          statuses: [{ status: "pending", payouts: 2, amount: 180.5 }],
        },
      ],
    });
    await movePayouts(context, { ids: [jane?.id ?? ""], status: "processing" });
    await movePayouts(context, { ids: [jane?.id ?? ""], status: "paid" });
    await movePayouts(context, { ids: others.map((payout) => payout.id), status: "failed", reason: "x" });
    const { data } = await listPayoutRuns(context, { limit: 50 });
    expect(data[0]?.totals).toEqual([
      { ...euros, statuses: [{ status: "paid", payouts: 1, amount: 310 }] },
      {
        currency: "USD",
        payouts: 2,
        amount: 180.5,
        statuses: [{ status: "failed", payouts: 2, amount: 180.5 }],
      },
    ]);
  });

  it("stay the same when they are folded, also twice at once", async () => {
    const context = await fill();
    const id = await payOut(context, monthsAgo(0));
    await movePayouts(context, { ids: (await payouts(context)).map((row) => row.id), status: "canceled" });
    const before = await listRunTotals(database, context.organization.id, [id]);
    const fold = () => foldRunTotals(database, context.organization.id, [id]);
    await Promise.all([fold(), fold(), fold()]);
    expect(await listRunTotals(database, context.organization.id, [id])).toEqual(before);
    // Each of them may have merged some of the parts.
    await fold();
    expect(await listRunTotals(database, context.organization.id, [id])).toEqual(before);
    const [{ parts } = { parts: 0 }] = await database<{ parts: number }[]>`
      select count(*)::int as parts from payout_run_totals where run_id = ${id}`;
    expect(parts).toBe(before.length);
  });

  it("say who started the run, and whether it is new", async () => {
    const context = await fill();
    const [one, two] = await Promise.all([1, 2].map(() => startPayoutRun(context, { method: "manual" })));
    expect(one?.id).toBe(two?.id);
    expect([one?.is_new, two?.is_new].sort()).toEqual([false, true]);
  });
});
