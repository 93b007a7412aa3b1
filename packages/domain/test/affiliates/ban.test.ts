import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { failEachCall, LOST_ANSWERS } from "@findersfee/database/testing/faults/each-call";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { updateAffiliate } from "../../src/affiliates/update.ts";
import { banAffiliates } from "../../src/ban-affiliates.ts";
import type { CreationContext } from "../../src/commissions/create.ts";
import { eraseAffiliate } from "../../src/erasure/affiliate.ts";
import { getClosed } from "../../src/portal/closed.ts";
import { getAffiliateDetail } from "../../src/reports/affiliate.ts";
import { addPartner } from "../attribution/program.ts";
import { history } from "../audit-log/history.ts";
import { makePayoutContext } from "../ledger/program.ts";
import { sessionOf } from "../portal/own-session.ts";

const REASON = "Ads on our name.";

let test: TestDatabase;
let context: CreationContext;
let id: string;

beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.close());

beforeEach(async () => {
  context = await makePayoutContext(test.database);
  id = (await addPartner(context, {}, { email: "jane@example.com" })).affiliate_id;
});

const ban = (reason: string | null, database = test.database) =>
  banAffiliates({ ...context, database }, { ids: [id], reason });

const entriesOf = async () =>
  (await history(context)).filter(({ resource_id, action }) => resource_id === id && action === "updated");

describe("the reason of a ban", () => {
  it("is shown to the affiliate and staff, is in the audit log, and ends with the ban", async () => {
    expect(await ban(`  ${REASON} `)).toEqual({ changed: 1 });
    expect(await getAffiliateDetail(context, id)).toMatchObject({ state: "banned", ban_reason: REASON });
    expect((await getClosed(test.database, await sessionOf(context, id))).reason).toBe(REASON);
    expect(JSON.stringify(await entriesOf())).toContain(REASON);
    // Once more, without a reason: it stays, and nothing is written.
    const written = (await entriesOf()).length;
    expect(await ban(null)).toEqual({ changed: 0 });
    expect(await getAffiliateDetail(context, id)).toMatchObject({ ban_reason: REASON });
    expect(await entriesOf()).toHaveLength(written);
    await updateAffiliate(context, { id, banned: false });
    expect(await getAffiliateDetail(context, id)).toMatchObject({ state: "active", ban_reason: null });
    await ban(null);
    expect((await getClosed(test.database, await sessionOf(context, id))).reason).toBeNull();
  });

  it("is erased with the affiliate, also in the audit log", async () => {
    await ban(REASON);
    await eraseAffiliate(context, id);
    await ban(REASON);
    const [row] = await test.database`select ban_reason from affiliates where id = ${id}`;
    expect(row).toEqual({ ban_reason: null });
    expect(JSON.stringify(await entriesOf())).not.toContain(REASON);
  });

  it.each(LOST_ANSWERS)("is written with the ban, or not at all, when a call fails (%s)", async (kind) => {
    await failEachCall(test.url, kind, async (database) => {
      await updateAffiliate(context, { id, banned: false });
      const before = (await entriesOf()).length;
      await ban(REASON, database).catch(() => null);
      const { state, ban_reason } = await getAffiliateDetail(context, id);
      expect(ban_reason).toBe(state === "banned" ? REASON : null);
      expect((await entriesOf()).length - before).toBe(state === "banned" ? 2 : 0);
    });
  });
});
