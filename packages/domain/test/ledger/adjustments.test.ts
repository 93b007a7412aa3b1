/* Adjustments: amounts without a customer, through balances, payouts and the portal's statements. */
import type { CreateAdjustment } from "@findersfee/contract/ledger/adjustments";
import { transaction } from "@findersfee/database/postgres/connect";
import type { TestDatabase } from "@findersfee/database/testing";
import { failEachCall, LOST_ANSWERS } from "@findersfee/database/testing/faults/each-call";
import { awaitWaiting } from "@findersfee/database/testing/held-transaction";
import { describe, expect, it } from "vitest";
import { banAffiliates } from "../../src/ban-affiliates.ts";
import type { CreationContext } from "../../src/commissions/create.ts";
import { listCommissions } from "../../src/commissions/list.ts";
import { listCommissionRows } from "../../src/commissions/list-rows.ts";
import type { Context } from "../../src/context.ts";
import { eraseAffiliate } from "../../src/erasure/affiliate.ts";
import { claimKey } from "../../src/idempotency.ts";
import { createAdjustment } from "../../src/ledger/adjustments/create.ts";
import { getAdjustment } from "../../src/ledger/adjustments/get.ts";
import { listAdjustments } from "../../src/ledger/adjustments/list.ts";
import { updateAdjustment, updateAdjustmentWithin } from "../../src/ledger/adjustments/update.ts";
import { listBalances } from "../../src/ledger/list-balances.ts";
import { listLedger } from "../../src/ledger/list-entries.ts";
import { explainPayout } from "../../src/payouts/explain.ts";
import { movePayouts } from "../../src/payouts/move.ts";
import { startPayoutRun } from "../../src/payouts/runs/start.ts";
import { history } from "../audit-log/history.ts";
import { payDue } from "../postings.ts";
import { workPayoutRuns } from "../work.ts";
import { beforeEachProgram } from "./earner-program.ts";
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
} from "./program.ts";

let test: TestDatabase;
let context: CreationContext;
let jane: Earner;

beforeEachProgram((program) => {
  ({ test, context, jane } = program);
});

const REASON = "Refund after the payout of October";

async function adjust(amount: number, fields: Partial<CreateAdjustment> = {}, own: Context = context) {
  const { affiliate_id } = jane;
  return await createAdjustment(own, { affiliate_id, amount, reason: REASON, ...fields });
}

const withdraw = (id: string) => updateAdjustment(context, { id, payout_status: "voided" });
const balances = () => listBalances(context, jane.affiliate_id);
const statusOf = async (id: string) => (await getAdjustment(context, id)).payout_status;
const commissions = async (query: Partial<Parameters<typeof listCommissions>[1]> = {}) =>
  (await listCommissions(context, { limit: 10, ...query })).pagination.total_count;

async function lastPayout() {
  const id = (await payouts(context)).at(-1)?.id ?? "";
  return await explainPayout(context, id);
}

describe("an adjustment", () => {
  it("is due at once, in the holding period of commissions, too, and not among them", async () => {
    context = await makePayoutContext(test.database, { hold_days: 30 });
    jane = await addEarner(context);
    await earn(context, jane, { amount: 30 });
    const bonus = await adjust(12.5, { reason: " A bonus " });
    expect(bonus).toMatchObject({
      affiliate_id: jane.affiliate_id,
      amount: 12.5,
      currency: "USD",
      reason: "A bonus",
      commission_id: null,
      payout_status: "not_paid",
      payout_id: null,
    });
    expect(await balances()).toMatchObject([{ earned: 30, adjusted: 12.5, held: 30, due: 12.5 }]);
    expect(await previews(context)).toMatchObject([{ amount: 12.5, payment_count: 1, outcome: "included" }]);
    expect(await commissions()).toBe(1);
    const { data } = await listCommissionRows(context, { limit: 10, affiliate_id: jane.affiliate_id });
    expect(data).toHaveLength(1);
    const { data: entries } = await listLedger(context, { affiliate_id: jane.affiliate_id, limit: 10 });
    expect(entries).toMatchObject([
      {
        kind: "adjusted",
        commission_id: null,
        adjustment: { id: bonus.id, reason: "A bonus" },
        unpaid: 12.5,
      },
      { kind: "earned", adjustment: null },
    ]);
    const events =
      await test.database`select type from events where organization_id = ${context.organization.id}`;
    expect(events.filter(({ type }) => /adjust/.test(type))).toEqual([]);
    expect(await brokenRules(context)).toEqual([]);
  });

  it("is a line of the payout that pays it, and counted in it, not among paid commissions", async () => {
    const commission_id = await earn(context, jane, { amount: 30 });
    const { id } = await adjust(-10, { commission_id });
    await payOut(context, monthsAgo(0));
    const { id: payout_id, lines, amount, payment_count } = await lastPayout();
    expect([amount, payment_count]).toEqual([20, 2]);
    expect(lines).toMatchObject([
      { id: commission_id, amount: 30, adjustment: null, revenue_amount: 60 },
      {
        id,
        amount: -10,
        adjustment: { reason: REASON, commission_id },
        customer_email: null,
        revenue_amount: null,
      },
    ]);
    expect([await statusOf(id), await commissions({ payout_status: "pending" })]).toEqual(["pending", 1]);
    expect(await commissions({ payout_status: "pending", affiliate_id: jane.affiliate_id })).toBe(1);
    await pay(context, [payout_id]);
    expect([await statusOf(id), await commissions({ payout_status: "paid" })]).toEqual(["paid", 1]);
    await expect(withdraw(id)).rejects.toMatchObject({ code: "adjustment_locked" });
    await expect(updateAdjustment(context, { id, payout_status: "not_paid" })).rejects.toMatchObject({
      code: "adjustment_locked",
    });
    const listed = async (query: object) =>
      (await listAdjustments(context, { limit: 10, ...query })).data.map((row) => row.id);
    for (const query of [{ payout_id }, { commission_id }, { payout_status: "paid" }])
      expect(await listed(query)).toEqual([id]);
    expect(await listed({ payout_status: "not_paid" })).toEqual([]);
    expect(await brokenRules(context)).toEqual([]);
  });

  it("carries a negative balance over two runs", async () => {
    await earn(context, jane, { amount: 30 });
    await payOut(context, monthsAgo(3));
    await pay(context, [(await lastPayout()).id]);
    const { id } = await adjust(-50);
    await payOut(context, monthsAgo(2));
    await earn(context, jane, { amount: 20 });
    expect(await previews(context)).toMatchObject([{ amount: -30, outcome: "negative" }]);
    await payOut(context, monthsAgo(1));
    expect(await payouts(context)).toHaveLength(1);
    expect(await balances()).toMatchObject([{ earned: 50, adjusted: -50, due: -30, paid: 30 }]);
    await earn(context, jane, { amount: 45 });
    await payOut(context, monthsAgo(0));
    expect(await lastPayout()).toMatchObject({ amount: 15, lines: [{ id }, { amount: 20 }, { amount: 45 }] });
    expect(await brokenRules(context)).toEqual([]);
  });

  it("is due again when its payout fails, is canceled, or comes back", async () => {
    const { id } = await adjust(10);
    await earn(context, jane, { amount: 30 });
    for (const [period, status] of [
      [monthsAgo(3), "failed"],
      [monthsAgo(2), "canceled"],
      [monthsAgo(1), "returned"],
    ] as const) {
      await payOut(context, period);
      const payout = (await payouts(context)).find((row) => row.period === period);
      const ids = [payout?.id ?? ""];
      if (status === "returned") await pay(context, ids);
      await movePayouts(context, { ids, status: status === "canceled" ? "canceled" : "failed" });
      expect(await statusOf(id)).toBe("not_paid");
      expect(await balances()).toMatchObject([{ due: 40, in_payout: 0, paid: 0 }]);
      expect((await explainPayout(context, ids[0] ?? "")).lines).toHaveLength(2);
      expect(await brokenRules(context)).toEqual([]);
    }
    await withdraw(id);
    expect(await balances()).toMatchObject([{ earned: 30, adjusted: 0, due: 30 }]);
  });

  it("is withdrawn and restored, each once, with an entry in the audit log without its reason", async () => {
    const { id } = await adjust(10);
    for (const payout_status of ["voided", "voided", "not_paid", "voided"] as const) {
      await updateAdjustment(context, { id, payout_status });
    }
    await payOut(context, monthsAgo(0));
    expect(await payouts(context)).toEqual([]);
    expect(await balances()).toMatchObject([{ adjusted: 0, due: 0 }]);
    await expect(updateAdjustment(context, { id, payout_status: "paid" })).rejects.toMatchObject({
      issues: [{ path: "payout_status" }],
    });
    await expect(updateAdjustment(context, { id, amount: 11 })).rejects.toMatchObject({
      issues: [{ path: "amount" }],
    });
    const entries = (await history(context)).filter(({ resource_id }) => resource_id === id);
    expect(entries).toHaveLength(4);
    expect(entries.map(({ action }) => action).sort()).toEqual(["created", "updated", "updated", "updated"]);
    expect(JSON.stringify(entries)).not.toContain(REASON);
    expect(await brokenRules(context)).toEqual([]);
  });

  it("fails for what does not exist, another affiliate's commission, another currency, and decimals", async () => {
    const joe = await addEarner(context);
    const of_joe = await earn(context, joe, { amount: 30 });
    const theirs = await addEarner(await makePayoutContext(test.database));
    await expect(adjust(1, { affiliate_id: theirs.affiliate_id })).rejects.toMatchObject({
      code: "not_found",
    });
    await expect(adjust(1, { commission_id: jane.affiliate_id })).rejects.toMatchObject({
      code: "not_found",
    });
    await expect(adjust(1, { commission_id: of_joe })).rejects.toMatchObject({
      issues: [{ path: "commission_id" }],
    });
    const fields = { affiliate_id: joe.affiliate_id, commission_id: of_joe };
    await expect(adjust(1, { ...fields, currency: "EUR" })).rejects.toMatchObject({
      issues: [{ path: "commission_id" }],
    });
    await expect(adjust(0.5, { currency: "JPY" })).rejects.toMatchObject({ issues: [{ path: "amount" }] });
    for (const name of ["affiliate_id", "commission_id", "payout_id"])
      await expect(listAdjustments(context, { limit: 1, [name]: theirs.referral_id })).rejects.toMatchObject({
        code: "not_found",
      });
    await expect(getAdjustment(context, of_joe)).rejects.toMatchObject({ code: "not_found" });
    expect(await balances()).toEqual([]);
  });

  it("settles a negative balance, after which the affiliate can be erased, with the reasons", async () => {
    await adjust(-10);
    await expect(eraseAffiliate(context, jane.affiliate_id)).rejects.toMatchObject({
      code: "affiliate_owed",
    });
    const { id } = await adjust(10);
    const withdrawn = await adjust(3);
    await withdraw(withdrawn.id);
    await eraseAffiliate(context, jane.affiliate_id);
    expect((await getAdjustment(context, id)).reason).toBe("[erased]");
    await expect(adjust(1)).rejects.toMatchObject({ issues: [{ path: "affiliate_id" }] });
    await expect(
      updateAdjustment(context, { id: withdrawn.id, payout_status: "not_paid" }),
    ).rejects.toMatchObject({ issues: [{ path: "payout_status" }] });
    expect(await brokenRules(context)).toEqual([]);
  });

  it("can be made for a banned affiliate; a ban that voids withdraws bonuses and keeps clawbacks", async () => {
    const bonus = await adjust(10);
    const clawback = await adjust(-4);
    await earn(context, jane, { amount: 30 });
    await banAffiliates(context, { ids: [jane.affiliate_id], reason: null, due: "void" });
    expect([await statusOf(bonus.id), await statusOf(clawback.id)]).toEqual(["voided", "not_paid"]);
    await adjust(-1);
    expect(await balances()).toMatchObject([{ earned: 0, lost: 30, adjusted: -5, due: -5 }]);
    expect(await brokenRules(context)).toEqual([]);
  });
});

describe("concurrently", () => {
  it("a run waits for a withdrawal and leaves the adjustment out", async () => {
    const { id } = await adjust(10);
    await earn(context, jane, { amount: 30 });
    await startPayoutRun(context, { method: "manual" });
    const { paying } = await transaction(test.database, async (sql) => {
      await updateAdjustmentWithin(sql, context, { id, payout_status: "voided" });
      const paying = workPayoutRuns(test.database, new AbortController().signal);
      await awaitWaiting(test.database);
      return { paying };
    });
    await paying;
    expect(await payouts(context)).toMatchObject([{ amount_minor: 3_000n, payment_count: 1 }]);
    expect(await brokenRules(context)).toEqual([]);
  });

  it("a withdrawal waits for a run that takes the adjustment, and is refused", async () => {
    const { id } = await adjust(10);
    const { id: run_id } = await startPayoutRun(context, { method: "manual" });
    const { withdrawing } = await transaction(test.database, async (sql) => {
      await payDue(sql, context.organization.id, { run_id });
      const withdrawing = withdraw(id).catch((error: unknown) => error);
      await awaitWaiting(test.database);
      return { withdrawing };
    });
    expect(await withdrawing).toMatchObject({ code: "adjustment_locked" });
    expect(await statusOf(id)).toBe("pending");
    expect(await balances()).toMatchObject([{ adjusted: 10, due: 0, in_payout: 10 }]);
    await workPayoutRuns(test.database, new AbortController().signal);
    expect(await brokenRules(context)).toEqual([]);
  });

  it("a run and new adjustments lose nothing", async () => {
    await earn(context, jane, { amount: 30 });
    await startPayoutRun(context, { method: "manual" });
    await Promise.all([
      workPayoutRuns(test.database, new AbortController().signal),
      ...[5, -3, 7, -11].map((amount) => adjust(amount)),
    ]);
    const [balance] = await balances();
    expect(balance).toMatchObject({ earned: 30, adjusted: -2 });
    expect((balance?.due ?? 0) + (balance?.in_payout ?? 0)).toBe(28);
    expect(await brokenRules(context)).toEqual([]);
  });

  it("two withdrawals change the balance once", async () => {
    const { id } = await adjust(10);
    await Promise.all([withdraw(id), withdraw(id)]);
    expect(await balances()).toMatchObject([{ adjusted: 0, due: 0 }]);
    expect(await brokenRules(context)).toEqual([]);
  });
});

describe("a repetition", () => {
  const keyed = (own: Context, input: object): Context => ({
    ...own,
    idempotency: claimKey("adjust-1", { path: "adjustments.create", input }),
  });

  it("with the same Idempotency-Key creates one adjustment", async () => {
    const input = { amount: 5 };
    const [first, second] = [
      await adjust(5, {}, keyed(context, input)),
      await adjust(5, {}, keyed(context, input)),
    ];
    expect(second).toEqual(first);
    await expect(adjust(6, {}, keyed(context, { amount: 6 }))).rejects.toMatchObject({
      code: "idempotency_conflict",
    });
    expect(await balances()).toMatchObject([{ adjusted: 5 }]);
  });

  it.each(LOST_ANSWERS)(
    "after a failed call creates one adjustment and withdraws it once (%s)",
    async (kind) => {
      await failEachCall(test.url, kind, async (database) => {
        context = await makePayoutContext(test.database);
        jane = await addEarner(context);
        const make = (own: Context) => adjust(5, {}, keyed(own, { amount: 5 }));
        const made = await make({ ...context, database }).catch(() => make(context));
        const change = { id: made.id, payout_status: "voided" } as const;
        await updateAdjustment({ ...context, database }, change).catch(() => null);
        expect(await balances()).toMatchObject([
          { adjusted: (await statusOf(made.id)) === "voided" ? 0 : 5 },
        ]);
        await updateAdjustment(context, change);
        expect(await balances()).toMatchObject([{ adjusted: 0, due: 0 }]);
        expect((await listAdjustments(context, { limit: 10 })).data).toHaveLength(1);
        expect(await brokenRules(context)).toEqual([]);
      });
    },
  );
});

it("is refused by the database if its posting is missing", async () => {
  const { id } = await adjust(5);
  const of = (text: string) => test.database.unsafe(text.replace(":id", `'${id}'`));
  await expect(of("update adjustments set voided = true where id = :id")).rejects.toMatchObject({
    code: "FF003",
  });
  await expect(of("delete from unpaid_commissions where commission_id = :id")).rejects.toMatchObject({
    code: "FF003",
  });
  for (const change of ["amount_minor = 6", "affiliate_id = id", "commission_id = id"])
    await expect(of(`update adjustments set ${change} where id = :id`)).rejects.toThrow();
  await expect(of("delete from adjustments where id = :id")).rejects.toThrow();
});
