/* Changes of payouts, one by one and in bulk, with their commissions and balances. */
import { transaction } from "@findersfee/database/postgres/connect";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { eventually } from "@findersfee/database/testing/eventually";
import { failEachCall, LOST_ANSWERS } from "@findersfee/database/testing/faults/each-call";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type CreationContext, createCommission } from "../../src/commissions/create.ts";
import { updateCommission } from "../../src/commissions/update.ts";
import { createReferral } from "../../src/customers/referrals/create.ts";
import { newId } from "../../src/ids.ts";
import { listBalances } from "../../src/ledger/list-balances.ts";
import { listLedger } from "../../src/ledger/list-entries.ts";
import { verifyLedger } from "../../src/ledger/verify.ts";
import { explainPayout } from "../../src/payouts/explain.ts";
import { listPayouts } from "../../src/payouts/list.ts";
import { movePayouts } from "../../src/payouts/move.ts";
import { startPayoutRun } from "../../src/payouts/runs/start.ts";
import { addAffiliate, addPartner } from "../attribution/program.ts";
import { monthsAgo } from "../ledger/program.ts";
import { payDue } from "../postings.ts";
import { makeContext } from "../subscriber.ts";
import { workPayoutRuns } from "../work.ts";

let test: TestDatabase;
let context: CreationContext;
let affiliate_ids: string[];

const LONG_AGO = "2026-01-01T00:00:00.000Z";

beforeAll(async () => {
  test = await createTestDatabase();
});

afterAll(() => test.close());

beforeEach(async () => {
  context = await makeContext(test.database);
  const { affiliate_id, campaign_id } = await addPartner(context);
  affiliate_ids = [affiliate_id, await addAffiliate(context, { campaign_id })];
});

/** A commission of 30.00 to each affiliate, or of another currency. */
async function earn(fields: { currency?: string; referral_date?: string } = {}): Promise<string[]> {
  const commission_ids: string[] = [];
  for (const affiliate_id of affiliate_ids) {
    const email = `${crypto.randomUUID()}@customers.test`;
    const referral = await createReferral(context, { affiliate_id, email, subscription_status: "active" });
    const commission = await createCommission(context, {
      referral_id: referral.id,
      revenue_amount: 100,
      commission_amount: 30,
      referral_date: LONG_AGO,
      ...fields,
    });
    commission_ids.push(commission.id);
  }
  return commission_ids;
}

/** Pays due commissions; returns the payouts' ids. */
async function run(): Promise<string[]> {
  await startPayoutRun(context, { method: "manual" });
  await workPayoutRuns(context.database, new AbortController().signal);
  const { data } = await listPayouts(context, { limit: 100, cursor: "" });
  return data.map(({ id }) => id);
}

async function commissionStates(): Promise<string[]> {
  const rows = await context.database<{ payout_status: string }[]>`
    select payout_status from commission_states where organization_id = ${context.organization.id} order by id`;
  return rows.map(({ payout_status }) => payout_status);
}

async function lines(): Promise<string[]> {
  const rows = await context.database<{ kind: string }[]>`
    select kind from ledger_entries
    where organization_id = ${context.organization.id} and affiliate_id = ${affiliate_ids[0] ?? ""} order by number`;
  return rows.map(({ kind }) => kind);
}

const balance = async () => (await listBalances(context, affiliate_ids[0] ?? ""))[0];

describe("a payout", () => {
  it("moves from pending to processing to paid with its commissions", async () => {
    await earn();
    const ids = await run();
    expect(await commissionStates()).toEqual(["pending", "pending"]);
    expect(await balance()).toMatchObject({ earned: 30, in_payout: 30, due: 0, paid: 0 });
    const moved = await movePayouts(context, { ids, status: "processing" });
    expect(moved.map(({ status }) => status)).toEqual(["processing", "processing"]);
    await movePayouts(context, { ids, status: "paid" });
    expect(await commissionStates()).toEqual(["paid", "paid"]);
    expect(await balance()).toMatchObject({ earned: 30, in_payout: 0, due: 0, paid: 30 });
    expect(await lines()).toEqual(["earned", "put_into_payout", "paid"]);
    const [row] = await context.database`
      select status_by, status_at from payouts where organization_id = ${context.organization.id} limit 1`;
    expect(row).toEqual({ status_by: "operator", status_at: expect.any(Date) });
  });

  it.each(["failed", "canceled"] as const)("that is %s gives its commissions back", async (status) => {
    await earn();
    const [first = "", second = ""] = await run();
    await movePayouts(context, { ids: [first], status: "processing" });
    await movePayouts(context, { ids: [first, second], status, reason: "No such account" });
    expect(await commissionStates()).toEqual(["not_paid", "not_paid"]);
    expect(await balance()).toMatchObject({ in_payout: 0, due: 30 });
    expect(await lines()).toEqual(["earned", "put_into_payout", "taken_out"]);
  });

  it.each([
    ["pending", "paid"],
    ["paid", "paid"],
    ["paid", "canceled"],
    ["failed", "processing"],
    ["canceled", "processing"],
    ["processing", "processing"],
  ] as const)("that is %s does not become %s, and neither does another one with it", async (from, to) => {
    await earn();
    const [first = "", second = ""] = await run();
    if (from === "paid") await movePayouts(context, { ids: [first], status: "processing" });
    if (from !== "pending") await movePayouts(context, { ids: [first], status: from });
    const before = [await commissionStates(), await lines()];
    await expect(movePayouts(context, { ids: [second, first], status: to })).rejects.toMatchObject({
      code: "payout_locked",
      message: expect.stringContaining(`${first}, which is ${from}`),
    });
    expect([await commissionStates(), await lines()]).toEqual(before);
  });

  it("that does not exist moves no other", async () => {
    await earn();
    const [first = ""] = await run();
    const nowhere = crypto.randomUUID();
    await expect(movePayouts(context, { ids: [first, nowhere], status: "processing" })).rejects.toMatchObject(
      { code: "not_found", message: expect.stringContaining(nowhere) },
    );
    const theirs = await makeContext(test.database);
    await expect(movePayouts(theirs, { ids: [first], status: "processing" })).rejects.toMatchObject({
      code: "not_found",
    });
  });

  it("is created for each currency", async () => {
    await earn();
    await earn({ currency: "JPY" });
    expect(await run()).toHaveLength(4);
    const balances = await listBalances(context, affiliate_ids[0] ?? "");
    expect(balances).toMatchObject([
      { currency: "JPY", in_payout: 30 },
      { currency: "USD", in_payout: 30 },
    ]);
  });
});

describe("a payout that was paid and came back", () => {
  const failures = async () => {
    const checked = await verifyLedger(test.database, context.organization.id);
    return checked.filter(({ found }) => found > 0).map(({ name }) => name);
  };

  it("fails, and its commissions are due again and paid by a later payout", async () => {
    await earn();
    const ids = await run();
    const [first = "", second = ""] = ids;
    await movePayouts(context, { ids, status: "paid", through_processing: true });
    const [moved] = await movePayouts(context, { ids: [first], status: "failed" });
    expect(moved).toMatchObject({ id: first, status: "failed" });
    expect((await commissionStates()).sort()).toEqual(["not_paid", "paid"]);
    const { affiliate, ledger, history, status_reason } = await explainPayout(context, first);
    expect(status_reason).toBe("Returned");
    expect(history.map(({ status, reason }) => [status, reason])).toEqual([
      ["pending", null],
      ["processing", null],
      ["paid", null],
      ["failed", "Returned"],
    ]);
    expect(ledger.map(({ kind, unpaid, in_payout, paid }) => ({ kind, unpaid, in_payout, paid }))).toEqual([
      { kind: "put_into_payout", unpaid: -30, in_payout: 30, paid: 0 },
      { kind: "paid", unpaid: 0, in_payout: -30, paid: 30 },
      { kind: "returned", unpaid: 30, in_payout: 0, paid: -30 },
    ]);
    expect(await listBalances(context, affiliate.id)).toMatchObject([{ due: 30, in_payout: 0, paid: 0 }]);
    expect((await explainPayout(context, second)).status).toBe("paid");
    expect(await failures()).toEqual([]);
    for (const status of ["paid", "processing", "failed", "canceled"] as const) {
      await expect(movePayouts(context, { ids: [first], status })).rejects.toMatchObject({
        code: "payout_locked",
      });
    }
  });

  it("keeps the reason that was given, and so do payouts that fail with it", async () => {
    await earn();
    const [first = "", second = ""] = await run();
    await movePayouts(context, { ids: [first], status: "paid", through_processing: true });
    await movePayouts(context, { ids: [first, second], status: "failed", reason: "Nobody claimed it" });
    const rows = await context.database`
      select distinct status, status_reason from payouts where organization_id = ${context.organization.id}`;
    expect([...rows]).toEqual([{ status: "failed", status_reason: "Nobody claimed it" }]);
    expect(await failures()).toEqual([]);
  });

  it("nets a refund that came while it was paid", async () => {
    const [commission_id = ""] = await earn();
    const ids = await run();
    await movePayouts(context, { ids, status: "paid", through_processing: true });
    await expect(
      updateCommission(context, { id: commission_id, commission_amount: 10 }),
    ).rejects.toMatchObject({
      code: "commission_locked",
    });
    await movePayouts(context, { ids, status: "failed" });
    await updateCommission(context, { id: commission_id, commission_amount: 10 });
    expect(await balance()).toMatchObject({ earned: 10, lost: 20, due: 10, paid: 0 });
    expect(await failures()).toEqual([]);
  });

  it.each(LOST_ANSWERS)(
    "returns with its entries and commissions, or stays paid, when a call fails (%s)",
    async (kind) => {
      await failEachCall(test.url, kind, async (database) => {
        context = await makeContext(test.database);
        const { affiliate_id } = await addPartner(context);
        affiliate_ids = [affiliate_id];
        await earn();
        const [id = ""] = await run();
        await movePayouts(context, { ids: [id], status: "paid", through_processing: true });
        await movePayouts({ ...context, database }, { ids: [id], status: "failed" }).catch(() => null);
        const { status, ledger } = await explainPayout(context, id);
        expect(ledger).toHaveLength(status === "failed" ? 3 : 2);
        expect(await balance()).toMatchObject(
          status === "failed" ? { due: 30, paid: 0 } : { due: 0, paid: 30 },
        );
        expect(await failures()).toEqual([]);
      });
    },
  );
});

describe("payouts that fail together", () => {
  /** A run that pays them in this order. Returns the payouts' ids. */
  async function runInOrder(period: string, payees: readonly string[]): Promise<string[]> {
    await earn();
    const { id: run_id } = await startPayoutRun(context, { period, method: "manual" });
    const ids: string[] = [];
    for (const affiliate_id of payees) {
      const payee = { affiliate_id, currency: "USD" };
      const created = await transaction(test.database, (sql) =>
        payDue(sql, context.organization.id, { run_id, payee }),
      );
      ids.push(...created);
    }
    return ids;
  }

  async function haveWaiting(count: number): Promise<void> {
    await eventually(async () => {
      const waiting = await test.database`
          select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      expect(waiting).toHaveLength(count);
    });
  }

  it("wait for those of another run without a deadlock", async () => {
    const sorted = [...affiliate_ids].sort();
    const first = await runInOrder(monthsAgo(2), sorted);
    const second = await runInOrder(monthsAgo(1), sorted.toReversed());
    const { failing } = await transaction(test.database, async (sql) => {
      await sql`
        select from balances
        where organization_id = ${context.organization.id} and affiliate_id = ${sorted[0] ?? ""} for update`;
      const one = movePayouts(context, { ids: first, status: "failed" });
      await haveWaiting(1);
      const other = movePayouts(context, { ids: second, status: "failed" });
      await haveWaiting(2);
      return { failing: Promise.all([one, other]) };
    });
    await failing;
    expect(await commissionStates()).toEqual(Array(4).fill("not_paid"));
    expect(await balance()).toMatchObject({ earned: 60, in_payout: 0, due: 60 });
  });
});

describe("the database", () => {
  it("rejects changes of paid commissions and of commissions in a payout", async () => {
    const [commission_id = ""] = await earn();
    const ids = await run();
    const { database, organization } = context;
    const own = database`organization_id = ${organization.id} and id = ${commission_id}`;
    const refused = { code: expect.stringMatching(/^FF00[1-5]$/) };
    await expect(database`update commissions set commission_minor = 1 where ${own}`).rejects.toMatchObject(
      refused,
    );
    await expect(database`update commissions set voided = true where ${own}`).rejects.toMatchObject(refused);
    const later = database`update commissions set payable_at = payable_at + interval '1 day' where ${own}`;
    await expect(later).rejects.toMatchObject(refused);
    const [placed, other] = [database`commission_id = ${commission_id}`, ids.at(1) ?? ""];
    for (const change of [
      database`update payout_commissions set payout_id = ${other} where ${placed}`,
      database`delete from payout_commissions where ${placed}`,
      database`truncate payout_commissions`,
    ]) {
      await expect(change).rejects.toMatchObject(refused);
    }
    await movePayouts(context, { ids, status: "processing" });
    await movePayouts(context, { ids, status: "paid" });
    // Without its ledger entry, a paid payout does not fail either.
    for (const status of ["pending", "processing", "failed", "canceled"]) {
      const moved = database`update payouts set status = ${status} where id = ${ids[0] ?? ""}`;
      await expect(moved).rejects.toMatchObject(refused);
    }
    await expect(database`delete from commissions where ${own}`).rejects.toMatchObject(refused);
    await expect(database`delete from payouts where id = ${ids[0] ?? ""}`).rejects.toMatchObject(refused);
  });

  it.each([
    "update ledger_entries set unpaid_minor = 0",
    "delete from ledger_entries",
    "truncate ledger_entries",
    "update unpaid_commissions set commission_minor = 1",
    "delete from unpaid_commissions",
    "truncate unpaid_commissions",
    "insert into payout_commissions select organization_id, affiliate_id, commission_id, gen_random_uuid() from unpaid_commissions",
  ])("rejects to %s", async (statement) => {
    await earn();
    await expect(context.database.unsafe(statement)).rejects.toMatchObject({
      code: expect.stringMatching(/^FF00[1-5]$/),
    });
  });
});

describe("the ledger", () => {
  it("has the names of the people who caused entries", async () => {
    const [id = ""] = await earn();
    const user_id = newId(new Date());
    await context.database`
      insert into users (id, email, name, created_at, updated_at)
      values (${user_id}, ${`${user_id}@example.com`}, 'Morgan Reyes', now(), now())`;
    const by_morgan = { ...context, actor: { kind: "user", id: user_id } as const };
    await updateCommission(by_morgan, { id, payout_status: "voided" });
    const { data } = await listLedger(context, { affiliate_id: affiliate_ids[0] ?? "", limit: 1 });
    expect(data).toMatchObject([{ kind: "voided", cause: `user ${user_id}`, cause_name: "Morgan Reyes" }]);
  });

  it("lists entries newest first with their causes, page by page", async () => {
    const [commission_id = ""] = await earn();
    const ids = await run();
    await movePayouts(context, { ids, status: "processing" });
    await movePayouts(context, { ids, status: "paid" });
    const affiliate_id = affiliate_ids[0] ?? "";
    const first = await listLedger(context, { affiliate_id, limit: 2 });
    expect(ids).toContain(first.data[0]?.payout_id);
    expect(first.data).toMatchObject([
      { kind: "paid", commission_id: null, in_payout: -30, paid: 30, cause: "operator" },
      { kind: "put_into_payout", unpaid: -30, in_payout: 30, cause: expect.stringContaining("payout run") },
    ]);
    const cursor = first.pagination.next_cursor ?? "";
    const second = await listLedger(context, { affiliate_id, limit: 2, cursor });
    expect(second).toMatchObject({
      data: [
        { kind: "earned", unpaid: 30, payout_id: null, commission_id, cause: "operator", cause_name: null },
      ],
      pagination: { has_more: false },
    });
    const nobody = { affiliate_id: crypto.randomUUID(), limit: 2 };
    await expect(listLedger(context, nobody)).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("a balance", () => {
  it("separates held and due amounts", async () => {
    await earn();
    await earn({ referral_date: new Date().toISOString() });
    expect(await balance()).toMatchObject({ earned: 60, held: 30, due: 30 });
  });

  it("shrinks after a reversal and grows after a restoration", async () => {
    const [id = ""] = await earn();
    await updateCommission(context, { id, commission_amount: 10 });
    expect(await balance()).toMatchObject({ earned: 10, lost: 20, due: 10 });
    await updateCommission(context, { id, payout_status: "voided" });
    expect(await balance()).toMatchObject({ earned: 0, lost: 30, due: 0 });
    await updateCommission(context, { id, payout_status: "not_paid" });
    expect(await balance()).toMatchObject({ earned: 10, lost: 20, due: 10 });
    expect(await lines()).toEqual(["earned", "reduced", "voided", "restored"]);
  });

  it("is empty before the first commission, and not_found for an unknown affiliate", async () => {
    expect(await listBalances(context, affiliate_ids[0] ?? "")).toEqual([]);
    await expect(listBalances(context, crypto.randomUUID())).rejects.toMatchObject({ code: "not_found" });
  });
});
