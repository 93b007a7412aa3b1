/*
 * A ban outlives the erasure of the affiliate, by the affiliate or by the organization, and staff can lift
 * it.
 */
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { failEachCall, LOST_ANSWERS } from "@findersfee/database/testing/faults/each-call";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createAffiliate } from "../../src/affiliates/create.ts";
import { liftErasedBan } from "../../src/affiliates/erased-bans.ts";
import { checkImport } from "../../src/affiliates/import/check.ts";
import { updateAffiliate } from "../../src/affiliates/update.ts";
import { withoutPerson } from "../../src/affiliates/without-person.ts";
import { banAffiliates } from "../../src/ban-affiliates.ts";
import type { Context } from "../../src/context.ts";
import { eraseAffiliate } from "../../src/erasure/affiliate.ts";
import { leaveProgram } from "../../src/portal/leave.ts";
import { getAffiliateDetail } from "../../src/reports/affiliate.ts";
import { type JoinProgram, openProgram, rejection, secrets_key } from "../portal/joining.ts";
import { sessionOf } from "../portal/own-session.ts";

const REASON = "Jane Roe made 12 fake customers, see jane@example.com.";

let test: TestDatabase;
let program: JoinProgram;
let context: Context;

beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.close());

beforeEach(async () => {
  program = await openProgram(test.database);
  context = { ...program.context, secrets_key };
});

/** A person who joins, is banned, and erased. */
async function evade(email: string, payout_email: string | null = null): Promise<string> {
  const { id } = await program.join(program.form({ email, first_name: "Jane", last_name: "Roe" }));
  await updateAffiliate(context, { id, payout_email });
  await banAffiliates(context, { ids: [id], reason: REASON });
  await eraseAffiliate(context, id);
  return id;
}

const join = (email: string) => program.join(program.form({ email }));
const add = (input: { email: string; payout_email?: string }) =>
  createAffiliate(context, { campaign_id: program.campaign_id, ...input });

describe("the addresses of an affiliate that was banned and erased", () => {
  it("cannot join again, in any spelling or with a tag", async () => {
    await evade("fraud@example.com");
    for (const email of ["fraud@example.com", "fraud+again@example.com"]) {
      expect(await rejection(join(email))).toMatchObject({
        code: "application_outdated",
        details: { reason: "refused" },
      });
    }
    expect(await join("another@example.com")).toMatchObject({ approved: true });
    // Other organizations know nothing of it.
    const other = await openProgram(test.database);
    expect(await other.join(other.form({ email: "fraud@example.com" }))).toMatchObject({ approved: true });
  });

  it("are shown to programs and staff who add or import them", async () => {
    const id = await evade("fraud@example.com", "Purse@Example.com");
    const shown = { code: "affiliate_banned", details: { affiliate_id: id } };
    await expect(add({ email: "Fraud+1@example.com" })).rejects.toMatchObject(shown);
    await expect(add({ email: "a@example.com", payout_email: "purse@example.com" })).rejects.toMatchObject(
      shown,
    );
    const lines = [
      { email: "fraud@example.com" },
      { email: "b@example.com", payout_email: "purse@example.com" },
      { email: "b@example.com" },
    ];
    const checks = await checkImport(context, { campaign_id: program.campaign_id, lines });
    expect(checks.map(({ outcome, issues }) => [outcome, issues.map(({ path }) => path)])).toEqual([
      ["wrong", ["email"]],
      ["wrong", ["payout_email"]],
      ["new", []],
    ]);
  });

  it("cannot become those of another affiliate later", async () => {
    const banned = await evade("fraud@example.com", "purse@example.com");
    const { id } = await add({ email: "a@example.com", payout_email: "other@example.com" });
    for (const change of [{ email: "fraud@example.com" }, { payout_email: "Purse+1@example.com" }]) {
      await expect(updateAffiliate(context, { id, ...change })).rejects.toMatchObject({
        code: "affiliate_banned",
        details: { affiliate_id: banned },
      });
    }
    await updateAffiliate(context, { id, payout_email: null });
    expect((await getAffiliateDetail(context, id)).affiliate).toMatchObject({
      email: "a@example.com",
      payout_email: null,
    });
  });

  it("can join again once staff lift the ban, which is in the audit log", async () => {
    const id = await evade("fraud@example.com");
    expect((await getAffiliateDetail(context, id)).erased_ban).toEqual({
      reason: "[erased] made 12 fake customers, see [erased]",
      erased_at: expect.any(String),
    });
    expect(await liftErasedBan(context, id)).toEqual({ changed: 1 });
    expect(await liftErasedBan(context, id)).toEqual({ changed: 0 });
    expect((await getAffiliateDetail(context, id)).erased_ban).toBeNull();
    expect(await add({ email: "fraud@example.com" })).toMatchObject({ banned: false });
    const [entry] = await test.database`
      select after from audit_log_entries where resource_id = ${id} order by id desc limit 1`;
    expect(entry).toEqual({ after: { may_join_again: true } });
  });

  it("are free if the affiliate left, or was erased without a ban", async () => {
    const left = await join("left@example.com");
    await leaveProgram(
      { database: test.database, notifyWorkers: () => {} },
      await sessionOf(context, left.id),
      "left@example.com",
    );
    await eraseAffiliate(context, left.id);
    await eraseAffiliate(context, (await join("honest@example.com")).id);
    expect(await join("left@example.com")).toMatchObject({ banned: false });
    expect(await join("honest@example.com")).toMatchObject({ banned: false });
  });

  it.each(LOST_ANSWERS)("are kept with the erasure, or not at all, when a call fails (%s)", async (kind) => {
    await failEachCall(test.url, kind, async (database, number) => {
      const { id } = await join(`fraud${number}@example.com`);
      await banAffiliates(context, { ids: [id], reason: REASON });
      await eraseAffiliate({ ...context, database }, id).catch(() => null);
      const { erased, erased_ban } = await getAffiliateDetail(context, id);
      expect(erased_ban !== null).toBe(erased);
      await eraseAffiliate(context, id);
      expect((await getAffiliateDetail(context, id)).erased_ban).not.toBeNull();
    });
  });
});

it("a reason without the person has no names, addresses, links and long numbers", () => {
  const person = {
    first_name: "Jane",
    last_name: "Roe-Doe",
    email: "jroe@example.com",
    payout_email: null,
    codes: [{ code: "best-deals" }],
  };
  const text =
    "Jane's shop (shop.example) with best-deals: 12 fakes, DE89 370400440532, asked ROE twice. Fraud.";
  expect(withoutPerson(text, person)).toBe(
    "[erased] shop [erased] with [erased] 12 fakes, DE89 [erased] asked [erased] twice. Fraud.",
  );
});
