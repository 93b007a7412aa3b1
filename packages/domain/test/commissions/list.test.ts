/* Commissions by where they stand, of few payouts and of more than are looked up one by one. */
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { CreationContext } from "../../src/commissions/create.ts";
import { listCommissions } from "../../src/commissions/list.ts";
import { movePayouts } from "../../src/payouts/move.ts";
import { addEarner, earn, makePayoutContext, monthsAgo, pay, payOut, payouts } from "../ledger/program.ts";
import { createUnpaidCommissions } from "../ledger/unpaid-commissions.ts";

/** More payouts than are looked up one by one. */
const MANY = 1_050;
const DUE = { currency: "USD", amount_minor: 1_000, held: false };

let test: TestDatabase;
let context: CreationContext;
/** Made after all that was paid. */
let unpaid: string;

beforeAll(async () => {
  test = await createTestDatabase();
});

afterAll(() => test.close());

type Status = "not_paid" | "pending" | "paid";

/** The ids of a list, read by cursor. Checks the total count of the first page by number. */
async function listed(payout_status: Status, more: { created_before?: string } = {}) {
  const ids: string[] = [];
  for (let cursor = ""; ; ) {
    const page = await listCommissions(context, { payout_status, limit: 100, cursor, ...more });
    ids.push(...page.data.map(({ id }) => id));
    if (page.pagination.next_cursor === null) break;
    cursor = page.pagination.next_cursor;
  }
  const { pagination } = await listCommissions(context, { payout_status, limit: 1, page: 1, ...more });
  expect(pagination.total_count).toBe(ids.length);
  expect(ids).toEqual([...ids].sort().reverse());
  return ids;
}

/** The ids by the rows themselves. */
async function storedIds(payout_status: Status): Promise<string[]> {
  const rows = await test.database<{ id: string }[]>`
    select id from commission_states
    where organization_id = ${context.organization.id} and payout_status = ${payout_status} order by id desc`;
  return rows.map(({ id }) => id);
}

async function expectStored(counts: Record<Status, number>): Promise<void> {
  for (const status of ["not_paid", "pending", "paid"] as const) {
    const ids = await listed(status);
    expect([status, ids]).toEqual([status, await storedIds(status)]);
    expect([status, ids.length]).toEqual([status, counts[status]]);
  }
}

/** Pays many affiliates in one run, for this many commissions each. One more commission is created after the run. */
async function payMany(size: number, commissions_each: number): Promise<string[]> {
  const each = Array.from({ length: commissions_each }, () => DUE);
  await createUnpaidCommissions(
    context,
    Array.from({ length: size }, () => each),
  );
  await payOut(context, monthsAgo(1));
  unpaid = await earn(context, await addEarner(context), { amount: 30 });
  return (await payouts(context)).filter(({ period }) => period === monthsAgo(1)).map(({ id }) => id);
}

beforeEach(async () => {
  // The template that the affiliates are copied from earns less than this.
  context = await makePayoutContext(test.database, { minimum_payouts: { USD: 5 } });
});

it("filters commissions by many payouts, by few, and by none", async () => {
  const ids = await payMany(MANY, 1);
  expect(ids).toHaveLength(MANY);
  await expectStored({ not_paid: 2, pending: MANY, paid: 0 });
  expect((await listed("not_paid"))[0]).toBe(unpaid);
  const left = ids.splice(0, 3);
  await pay(context, ids.slice(0, 1_000));
  await pay(context, ids.slice(1_000));
  await expectStored({ not_paid: 2, pending: 3, paid: MANY - 3 });
  await movePayouts(context, { ids: left, status: "failed" });
  await expectStored({ not_paid: 5, pending: 0, paid: MANY - 3 });
});

it("filters commissions by few of many payouts with any other filter", async () => {
  // As autovacuum does: its statistics do not include this organization yet.
  await test.database`analyze`;
  await payMany(2, 5_100);
  const ids = await storedIds("pending");
  expect(ids).toHaveLength(10_200);
  const page = await listCommissions(context, { payout_status: "pending", limit: 100, cursor: "" });
  expect(page.data.map(({ id }) => id)).toEqual(ids.slice(0, 100));
  const [oldest] = await test.database<[{ at: Date }]>`
    select min(created_at) as at from commissions where organization_id = ${context.organization.id}`;
  const none = {
    payout_status: "pending",
    created_before: oldest.at.toISOString(),
    limit: 100,
    cursor: "",
  } as const;
  expect((await listCommissions(context, none)).data).toEqual([]);
});
