/* Manual voids and restores of payments' commissions, between refunds and their reversals. */
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { updateCommission } from "../../src/commissions/update.ts";
import type { Context } from "../../src/context.ts";
import { listBalances } from "../../src/ledger/list-balances.ts";
import { movePayouts } from "../../src/payouts/move.ts";
import { addPartner, click, report } from "../attribution/program.ts";
import { checkout, payment, refund, second } from "../attribution/reported.ts";
import { brokenRules, makePayoutContext, monthsAgo, payOut, payouts } from "./program.ts";

let test: TestDatabase;
let context: Context;
let affiliate_id: string;

const NAME = { customer_id: "cus_1", email: "buyer@customers.test" };
const PAID = payment({ subject: "in_1", ...NAME, at: second(20), references: ["pi_1"] });
/** A full refund of 100; the affiliate's commission was 30. */
const ALL = refund({ subject: "re_1", amount_minor: 10_000n, at: second(50), references: ["pi_1"] });
const ALL_FAILED = { ...ALL, at: second(60), rank: 1, until: second(60) };
const ALL_AGAIN = refund({ ...ALL, subject: "re_2", at: second(70), since: second(70) });
const SOME = { ...ALL, amount_minor: 4_000n };

beforeAll(async () => {
  test = await createTestDatabase();
});

afterAll(() => test.close());

beforeEach(async () => {
  context = await makePayoutContext(test.database);
  ({ affiliate_id } = await addPartner(context));
  const click_id = await click(context, { affiliate_id, at: second(0) });
  await report(context, checkout({ subject: "cs_1", ...NAME, click_ids: [click_id], at: second(10) }));
});

async function correct(which: "original" | "taken" | "given", payout_status: "voided" | "not_paid") {
  const [row] = await test.database<{ id: string }[]>`
    select id from commissions
    where organization_id = ${context.organization.id}
      and case when reversal_of is null then 'original' when commission_minor < 0 then 'taken' else 'given' end
        = ${which}`;
  await updateCommission(context, { id: row?.id ?? "", payout_status });
}

/** Earned, lost, due and in payouts, of a ledger that adds up. */
async function balance(): Promise<number[]> {
  expect(await brokenRules(context)).toEqual([]);
  const [{ earned, lost, due, in_payout } = { earned: 0, lost: 0, due: 0, in_payout: 0 }] =
    await listBalances(context, affiliate_id);
  return [earned, lost, due, in_payout];
}

it("counts a commission as lost that was refunded before it was reported", async () => {
  await report(context, PAID, ALL);
  expect(await balance()).toEqual([0, 30, 0, 0]);
  await report(context, ALL_FAILED);
  expect(await balance()).toEqual([30, 0, 30, 0]);
});

it("reverses no more of a voided commission", async () => {
  await report(context, PAID);
  await payOut(context, monthsAgo(2));
  await report(context, SOME);
  const ids = (await payouts(context)).map(({ id }) => id);
  await movePayouts(context, { ids, status: "failed", reason: "No such account." });
  await correct("original", "voided");
  expect((await balance()).slice(2)).toEqual([0, 0]);
});

it("does not reverse an amount that was not earned", async () => {
  await report(context, PAID);
  await payOut(context, monthsAgo(2));
  await report(context, ALL);
  await report(context, ALL_FAILED);
  await correct("given", "voided");
  await report(context, ALL_AGAIN);
  expect((await balance()).slice(2)).toEqual([-30, 30]);
});

it("does not restore an amount that was not reversed", async () => {
  await report(context, PAID);
  await payOut(context, monthsAgo(2));
  await report(context, ALL);
  await correct("taken", "voided");
  await report(context, ALL_FAILED);
  expect((await balance()).slice(2)).toEqual([0, 30]);
});

it("rejects voiding after a reversal, which would leave a negative amount", async () => {
  await report(context, PAID);
  await payOut(context, monthsAgo(2));
  await report(context, ALL);
  await report(context, ALL_FAILED);
  await report(context, ALL_AGAIN);
  await expect(correct("given", "voided")).rejects.toMatchObject({ code: "commission_locked" });
  expect((await balance()).slice(2)).toEqual([-30, 30]);
});

it("rejects voiding after a restoration, which would leave too much", async () => {
  await report(context, PAID);
  await payOut(context, monthsAgo(2));
  await report(context, ALL);
  await report(context, ALL_FAILED);
  expect((await balance()).slice(2)).toEqual([0, 30]);
  await expect(correct("taken", "voided")).rejects.toMatchObject({ code: "commission_locked" });
  expect((await balance()).slice(2)).toEqual([0, 30]);
  // The latest may be changed, and then the one before it.
  await correct("given", "voided");
  expect((await balance()).slice(2)).toEqual([-30, 30]);
  await correct("taken", "voided");
  expect((await balance()).slice(2)).toEqual([0, 30]);
});
