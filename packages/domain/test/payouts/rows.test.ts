import { payoutStatuses } from "@findersfee/contract/payouts/payouts";
import type { RowRange } from "@findersfee/database/commissions/list-rows";
import { findLastSearched, listPayoutRows as listRows } from "@findersfee/database/payouts/list-rows";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { statementsOf } from "@findersfee/database/testing/counted-statements";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { CreationContext } from "../../src/commissions/create.ts";
import { listCommissionRows } from "../../src/commissions/list-rows.ts";
import { newId } from "../../src/ids.ts";
import { explainPayout } from "../../src/payouts/explain.ts";
import { listOpenPayouts } from "../../src/payouts/list-open.ts";
import { listPayoutRows } from "../../src/payouts/list-rows.ts";
import { movePayouts } from "../../src/payouts/move.ts";
import { referenceOf } from "../../src/payouts/reference.ts";
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
let context: CreationContext;
let run_id: string;
let earners: Earner[];
/** The payouts' ids, in the order of the list. */
let ids: string[];

beforeAll(async () => {
  test = await createTestDatabase();
});

afterAll(() => test.close());

beforeEach(async () => {
  context = await makePayoutContext(test.database);
  earners = [];
  for (const amount of [10, 20, 30]) {
    const earner = await addEarner(context);
    earners.push(earner);
    await earn(context, earner, { amount });
    await earn(context, earner, { amount: 0.5 });
  }
  run_id = await payOut(context, monthsAgo(0));
  ids = (await payouts(context))
    .map(({ id }) => id)
    .sort()
    .reverse();
});

const list = async (query: Partial<Parameters<typeof listPayoutRows>[1]> = {}) =>
  await listPayoutRows(context, { limit: 50, run_id, ...query });

const idsOf = ({ data }: Awaited<ReturnType<typeof list>>) => data.map(({ id }) => id);

describe("the list of payouts", () => {
  it("goes down and up again by pages, whatever their states", async () => {
    await movePayouts(context, { ids: [ids[1] ?? ""], status: "processing" });
    const first = await list({ limit: 2 });
    expect(idsOf(first)).toEqual(ids.slice(0, 2));
    const next = await list({ limit: 2, after: first.older ?? "" });
    expect(idsOf(next)).toEqual(ids.slice(2));
    const back = await list({ limit: 2, before: next.newer ?? "" });
    expect(idsOf(back)).toEqual(ids.slice(0, 2));
  });

  it("filters by state, text, id and reference", async () => {
    const [one = "", two = "", three = ""] = ids;
    await movePayouts(context, { ids: [one], status: "failed", reason: "account closed" });
    await movePayouts(context, { ids: [two], status: "processing" });
    expect(idsOf(await list({ status: "open" }))).toEqual([two, three]);
    expect(idsOf(await list({ status: "processing" }))).toEqual([two]);
    expect((await list({ status: "failed" })).data).toMatchObject([
      { id: one, status_reason: "account closed" },
    ]);
    expect(idsOf(await list({ text: two.toUpperCase() }))).toEqual([two]);
    expect(idsOf(await list({ text: ` ${referenceOf(three)} ` }))).toEqual([three]);
    const { data } = await list({ affiliate_id: earners[0]?.affiliate_id ?? "" });
    const email = data[0]?.affiliate.email ?? "";
    expect(idsOf(await list({ text: email.slice(0, -2) }))).toEqual([data[0]?.id]);
    expect(idsOf(await list({ text: email.slice(1, -1).toUpperCase() }))).toEqual([data[0]?.id]);
    expect(idsOf(await list({ text: two.slice(0, 30) }))).toEqual([two]);
    expect(idsOf(await list({ text: "nobody" }))).toEqual([]);
  });

  it("lists all runs, by currency and time", async () => {
    const program = await makePayoutContext(test.database);
    const earner = await addEarner(program);
    const all = async (query: Partial<Parameters<typeof listPayoutRows>[1]> = {}) =>
      (await listPayoutRows(program, { limit: 50, ...query })).data;
    await earn(program, earner, { amount: 5 });
    await payOut(program, monthsAgo(1));
    const [dollar] = await all();
    await earn(program, earner, { amount: 7, currency: "EUR" });
    await payOut(program, monthsAgo(0));
    const [euro, ...others] = await all();
    if (euro === undefined || dollar === undefined) throw new Error("no payouts");
    expect(euro.currency).toBe("EUR");
    expect(others).toEqual([dollar]);
    expect(await all({ currency: "EUR" })).toEqual([euro]);
    expect(await all({ currency: "USD" })).toEqual([dollar]);
    expect(await all({ currency: "EUR", status: "paid" })).toEqual([]);
    expect(await all({ created_from: euro.created_at })).toEqual([euro]);
    expect(await all({ created_until: euro.created_at })).toEqual([dollar]);
  });

  it("searches for a frequent text among so many payouts, and says where to continue", async () => {
    const { database, organization } = context;
    const [one = "", two = "", three = ""] = ids;
    await database`
      update affiliates set last_name = 'Rare' where organization_id = ${organization.id} and id = (
        select affiliate_id from payouts where organization_id = ${organization.id} and id = ${three})`;
    const filter = { statuses: payoutStatuses, text: { lower: "rare", affiliate_ids: null } };
    const search = (range: Partial<RowRange>) => ({
      filter,
      range: { after: null, before: null, limit: 2, ...range },
      most: 2,
    });
    const found = async (range: Partial<RowRange>) =>
      (await listRows(database, organization.id, search(range))).map(({ id }) => id);
    expect(await found({})).toEqual([]);
    expect(await findLastSearched(database, organization.id, search({}))).toBe(two);
    expect(await found({ after: two })).toEqual([three]);
    expect(await findLastSearched(database, organization.id, search({ after: two }))).toBe(null);
    expect(await found({ before: one })).toEqual([]);
    const whole = { ...search({}), most: null };
    expect((await listRows(database, organization.id, whole)).map(({ id }) => id)).toEqual([three]);
  });

  it("says when a run or an affiliate does not exist", async () => {
    await expect(list({ run_id: newId(new Date()) })).rejects.toMatchObject({ code: "not_found" });
    const affiliate_id = newId(new Date());
    await expect(list({ affiliate_id })).rejects.toMatchObject({ code: "not_found" });
  });

  it("is of one organization, and costs the same for one row and for many", async () => {
    const other = await makePayoutContext(test.database);
    expect((await listPayoutRows(other, { limit: 50 })).data).toEqual([]);
    const statements = async (limit: number) =>
      (await statementsOf(test.database, () => list({ limit, text: "a" }))).length;
    expect(await statements(50)).toBe(await statements(1));
  });

  it("lists what is open, for a move of all", async () => {
    const [one = "", ...others] = ids;
    await movePayouts(context, { ids: [one], status: "canceled" });
    expect(await listOpenPayouts(context, run_id)).toEqual({ ids: others.reverse(), has_more: false });
  });
});

describe("one payout", () => {
  it("has its commissions, ledger entries and each status with time and source", async () => {
    const [id = ""] = ids;
    await movePayouts(context, { ids: [id], status: "paid", through_processing: true });
    const payout = await explainPayout(context, id);
    expect(payout).toMatchObject({
      amount: 30.5,
      payment_count: 2,
      reference: referenceOf(id),
      run: { id: run_id },
    });
    expect(payout.lines.map(({ amount }) => amount)).toEqual([30, 0.5]);
    expect(payout.history.map(({ status, actor }) => `${status} ${actor}`)).toEqual([
      "pending operator",
      "processing operator",
      "paid operator",
    ]);
    expect(payout.ledger.map(({ kind }) => kind)).toEqual(["put_into_payout", "paid"]);
    const filtered = await listCommissionRows(context, { limit: 50, payout_id: id });
    expect(filtered.data.map(({ commission_amount }) => commission_amount)).toEqual([0.5, 30]);
  });

  it("keeps its commissions and the reason after it failed", async () => {
    const [id = ""] = ids;
    await movePayouts(context, { ids: [id], status: "failed", reason: "account closed" });
    const payout = await explainPayout(context, id);
    expect(payout.lines).toHaveLength(2);
    expect(payout.status_reason).toBe("account closed");
    expect(payout.history.at(-1)).toMatchObject({ status: "failed", reason: "account closed" });
    expect((await listCommissionRows(context, { limit: 50, payout_id: id })).data).toEqual([]);
  });

  it("hides customers on the statement if the campaign hides them", async () => {
    await test.database`
      update campaigns set hide_emails = true where organization_id = ${context.organization.id}`;
    const [line] = (await explainPayout(context, ids[0] ?? "")).lines;
    expect(line?.statement_customer).toMatch(/^c…[0-9]@customers.test$/);
    expect(line?.customer_email).toMatch(/^customer[0-9]+@customers.test$/);
  });

  it("is not found in another organization", async () => {
    const other = await makePayoutContext(test.database);
    await expect(explainPayout(other, ids[0] ?? "")).rejects.toMatchObject({ code: "not_found" });
    const payout_id = newId(new Date());
    await expect(listCommissionRows(context, { limit: 50, payout_id })).rejects.toMatchObject({
      code: "not_found",
    });
  });
});

describe("moving payouts to paid through processing", () => {
  it("moves pending and processing ones together, or none", async () => {
    const [one = "", two = "", three = ""] = ids;
    await movePayouts(context, { ids: [one], status: "processing" });
    await movePayouts(context, { ids: [three], status: "failed" });
    const paid = { status: "paid" as const, through_processing: true };
    await expect(movePayouts(context, { ids, ...paid })).rejects.toMatchObject({ code: "payout_locked" });
    expect(idsOf(await list({ status: "pending" }))).toEqual([two]);
    await movePayouts(context, { ids: [one, two], ...paid });
    expect(idsOf(await list({ status: "paid" }))).toEqual([one, two]);
  });

  it("is not implied", async () => {
    await expect(movePayouts(context, { ids, status: "paid" })).rejects.toMatchObject({
      code: "payout_locked",
    });
  });
});
