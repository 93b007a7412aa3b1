/* Claims as affiliates make them. */

import type { PortalClaim } from "@findersfee/contract/portal/claims";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { statementsOf } from "@findersfee/database/testing/counted-statements";
import { failEachCall, LOST_ANSWERS } from "@findersfee/database/testing/faults/each-call";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { CreationContext } from "../../../src/commissions/create.ts";
import { eraseAffiliate } from "../../../src/erasure/affiliate.ts";
import { createClaim, listOwnClaims } from "../../../src/portal/claims.ts";
import { addPartner, type Partner, report } from "../../attribution/program.ts";
import { payment, second } from "../../attribution/reported.ts";
import { onDay } from "../../dates.ts";
import { makeContext } from "../../subscriber.ts";
import { CLAIM, claim, sessionOf } from "./program.ts";

let test: TestDatabase;
let context: CreationContext;
let jane: Partner;
let joe: Partner;

beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.close());

beforeEach(async () => {
  context = await makeContext(test.database);
  jane = await addPartner(context);
  joe = await addPartner(context, { name: "Others" });
});

/** Whether staff see a known payment. */
async function knownOf({ id }: { id: string }): Promise<boolean> {
  const [row] = await test.database<
    [{ payment_known: boolean }]
  >`select payment_known from claims where id = ${id}`;
  return row.payment_known;
}

const stored = async () =>
  await test.database`select * from claims where organization_id = ${context.organization.id} order by id`;
const paidBy = (email: string, at = second(0)) =>
  report(context, payment({ subject: `in_${email}`, email, at }));
const listOf = async ({ affiliate_id }: Partner, query: object = {}) =>
  await listOwnClaims(test.database, sessionOf(context, affiliate_id), { limit: 50, ...query });

describe("reporting a missing sale", () => {
  it("gets the same answer whether a payment of the address is known or not, which only staff see", async () => {
    await paidBy("kim@example.com");
    const { affiliate_id } = jane;
    const known = await claim(context, affiliate_id, { email: "KIM@example.com" });
    const unknown = await claim(context, affiliate_id, { email: "lee@example.com" });
    const without = ({ id: _id, email: _email, created_at: _at, ...rest }: PortalClaim) => rest;
    expect(without(unknown)).toEqual(without(known));
    const listed = (await listOf(jane)).data;
    expect(listed.map(without)).toEqual([without(known), without(known)]);
    expect(await knownOf(known)).toBe(true);
    expect(await knownOf(unknown)).toBe(false);
  });

  it("tells staff whether a payment of the address around that day is known, in any case", async () => {
    await paidBy("kim@example.com");
    const { affiliate_id } = jane;
    expect(await claim(context, affiliate_id, { email: "KIM@example.com" })).toEqual({
      id: expect.any(String),
      email: "kim@example.com",
      paid_on: onDay(0),
      note: "Order 4711",
      state: "open",
      answer: null,
      commission_id: null,
      created_at: expect.any(String),
      decided_at: null,
    });
    for (const [paid_on, known] of [
      [onDay(-4), false],
      [onDay(-3), true],
      [onDay(3), true],
      [onDay(4), false],
    ] as const) {
      expect(await knownOf(await claim(context, affiliate_id, { paid_on })), paid_on).toBe(known);
    }
  });

  it("keeps its answer when the address pays later", async () => {
    await claim(context, jane.affiliate_id);
    await paidBy("kim@example.com");
    expect(await knownOf(await claim(context, jane.affiliate_id))).toBe(false);
  });

  it("knows no payments of other organizations", async () => {
    await paidBy("kim@example.com");
    const other = await makeContext(test.database);
    const { affiliate_id } = await addPartner(other);
    expect(await knownOf(await claim(other, affiliate_id))).toBe(false);
  });

  it("takes the same report again as the same claim, also at the same time", async () => {
    const made = await Promise.all(Array.from({ length: 4 }, () => claim(context, jane.affiliate_id)));
    expect(new Set(made.map(({ id }) => id)).size).toBe(1);
    await expect(claim(context, jane.affiliate_id, { note: "Another" })).rejects.toMatchObject({
      code: "claim_exists",
      details: { claim_id: made[0]?.id },
    });
    expect(await stored()).toHaveLength(1);
    expect((await claim(context, joe.affiliate_id)).id).not.toBe(made[0]?.id);
  });

  it("takes ten a day, also at the same time", async () => {
    const report_one = (number: number) =>
      claim(context, jane.affiliate_id, { email: `customer${number}@example.com` });
    const results = await Promise.allSettled(Array.from({ length: 15 }, (_, number) => report_one(number)));
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(10);
    expect(await stored()).toHaveLength(10);
    const error = await report_one(99).catch((caught: unknown) => caught);
    expect(error).toMatchObject({
      code: "rate_limited",
      message: expect.stringContaining("10 missing sales a day"),
    });
    const { retry_after_seconds } = error as { retry_after_seconds: number };
    expect(retry_after_seconds).toBeGreaterThan(23 * 60 * 60);
    expect(retry_after_seconds).toBeLessThanOrEqual(24 * 60 * 60);
    // One that exists already is still answered, and others have limits of their own.
    const [first] = await stored();
    expect((await claim(context, jane.affiliate_id, { email: first?.email })).id).toBe(first?.id);
    await claim(context, joe.affiliate_id);
  });

  it("rejects a day in the future, and affiliates who are not active", async () => {
    const tomorrow = new Date(Date.now() + 48 * 60 * 60_000).toISOString().slice(0, 10);
    await expect(claim(context, jane.affiliate_id, { paid_on: tomorrow })).rejects.toMatchObject({
      issues: [{ path: "paid_on" }],
    });
    await test.database`update affiliates set banned = true where id = ${jane.affiliate_id}`;
    await expect(claim(context, jane.affiliate_id)).rejects.toMatchObject({ code: "affiliate_not_active" });
    expect(await stored()).toEqual([]);
  });

  it("stores hostile texts unchanged", async () => {
    for (const note of [
      "<script>alert(1)</script>",
      "'; drop table claims; --",
      "\u202Eevil\u202C שלום %00 {{x}}",
      "x".repeat(2000),
    ]) {
      const { id } = await claim(context, jane.affiliate_id, { note, email: `a${note.length}@example.com` });
      expect((await stored()).find((row) => row.id === id)?.note).toBe(note);
    }
  });

  it.each(LOST_ANSWERS)("makes one claim whichever call fails: %s", async (kind) => {
    await failEachCall(test.url, kind, async (database) => {
      const [day] = await test.database`select count(*)::int as count from claims`;
      const fields = { ...CLAIM, email: `failing${day?.count}@example.com` };
      const session = sessionOf(context, joe.affiliate_id);
      await test.database`update claims set id = gen_random_uuid(), created_at = '2026-01-01'`;
      await createClaim(database, session, fields).catch(() => {});
      await createClaim(test.database, session, fields);
      expect((await stored()).filter(({ email }) => email === fields.email)).toHaveLength(1);
    });
  });

  it("runs few statements", async () => {
    expect(await statementsOf(test.database, () => claim(context, jane.affiliate_id))).toHaveLength(5);
    expect(await statementsOf(test.database, () => listOf(jane))).toHaveLength(1);
  });
});

describe("an affiliate's list", () => {
  it("has its own claims only, in pages", async () => {
    const days = [onDay(0), onDay(1), onDay(2)];
    for (const paid_on of days) await claim(context, jane.affiliate_id, { paid_on });
    await claim(context, joe.affiliate_id);
    const first = await listOf(jane, { limit: 2 });
    expect(first.data.map(({ paid_on }) => paid_on)).toEqual([onDay(2), onDay(1)]);
    const rest = await listOf(jane, { limit: 2, after: first.older });
    expect(rest.data.map(({ paid_on }) => paid_on)).toEqual([onDay(0)]);
    expect((await listOf(joe)).data).toHaveLength(1);
  });
});

describe("erasing the affiliate", () => {
  it("erases the customers' addresses and the notes, and ends open claims", async () => {
    await claim(context, jane.affiliate_id);
    await claim(context, jane.affiliate_id, { paid_on: onDay(1) });
    const others = await claim(context, joe.affiliate_id);
    await eraseAffiliate(context, jane.affiliate_id);
    const rows = await stored();
    expect(rows.filter(({ affiliate_id }) => affiliate_id === jane.affiliate_id)).toMatchObject([
      { email: "", note: "", state: "declined", decided_by: "operator" },
      { email: "", note: "", state: "declined" },
    ]);
    expect(rows.find(({ id }) => id === others.id)).toMatchObject({
      email: "kim@example.com",
      state: "open",
    });
    await expect(claim(context, jane.affiliate_id)).rejects.toMatchObject({ code: "affiliate_not_active" });
  });
});
