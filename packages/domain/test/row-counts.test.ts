/* The numbers of rows of the dashboard's lists, and the rows that a change of all of them gets. */

import { MAX_COUNTED_ROWS } from "@findersfee/contract/counted-rows";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { countAffiliates, listAffiliateRows, matchAffiliates } from "../src/affiliates/list-rows.ts";
import { countMatchingPayments, listPaymentRows, matchPayments } from "../src/attribution/list-rows.ts";
import { countAuditEntries, listAuditEntries } from "../src/audit-log/list.ts";
import type { CreationContext } from "../src/commissions/create.ts";
import { countCommissions, listCommissionRows, matchCommissions } from "../src/commissions/list-rows.ts";
import { countClaims } from "../src/customers/claims/list.ts";
import { countReferrals, listReferralRows } from "../src/customers/referrals/list-rows.ts";
import { countPayouts, listPayoutRows, matchPayouts } from "../src/payouts/list-rows.ts";
import { countRows } from "../src/row-counts.ts";
import { countListedDeliveries } from "../src/webhooks/deliveries/list.ts";
import { countEvents } from "../src/webhooks/events/list-rows.ts";
import { addPartner } from "./attribution/program.ts";
import { makeContext } from "./subscriber.ts";
import { fillUnanalyzed } from "./unanalyzed/fill.ts";

/** More than are counted. */
const ROWS = MAX_COUNTED_ROWS + 500;

let test: TestDatabase;
let context: CreationContext;
let stranger: CreationContext;
let affiliate_id: string;

beforeAll(async () => {
  test = await createTestDatabase({ fresh: true });
  context = await makeContext(test.database);
  stranger = await makeContext(test.database);
  const partner = await addPartner(context);
  ({ affiliate_id } = partner);
  await fillUnanalyzed(context, { campaign_id: partner.campaign_id, count: ROWS });
  await test.database`analyze`;
});

afterAll(() => test.close());

const MANY = { count: MAX_COUNTED_ROWS, has_more: true };
const exactly = (count: number) => ({ count, has_more: false });

describe("the number of rows", () => {
  it("is exact up to a limit, of each list", async () => {
    expect(await countAffiliates(context, {})).toEqual(MANY);
    expect(await countAffiliates(context, { state: "banned" })).toEqual(exactly(ROWS / 100));
    expect(await countAffiliates(context, { owed: true })).toEqual(MANY);
    expect(await countAffiliates(context, { sort: "earned", state: "banned" })).toEqual(exactly(ROWS / 100));
    expect(await countAffiliates(context, { sort: "clicks" })).toEqual(exactly(0));
    expect(await countReferrals(context, {})).toEqual(MANY);
    expect(await countReferrals(context, { statuses: ["past_due"] })).toEqual(exactly(ROWS / 2));
    expect(await countReferrals(context, { affiliate_id })).toEqual(exactly(0));
    expect(await countCommissions(context, {})).toEqual(MANY);
    expect(await countCommissions(context, { state: "due" })).toEqual(exactly(ROWS / 2));
    expect(await countCommissions(context, { state: "voided" })).toEqual(exactly(0));
    expect(await countPayouts(context, {})).toEqual(exactly(ROWS / 2));
    expect(await countPayouts(context, { status: "failed" })).toEqual(exactly(ROWS / 100));
    expect(await countClaims(context, { states: ["open", "declined"] })).toEqual(exactly(0));
    expect(await countMatchingPayments(context, { outcomes: ["commission"] })).toEqual(exactly(0));
    expect(await countEvents(context, {})).toMatchObject({ has_more: false });
    expect(await countListedDeliveries(context, { type: "affiliate.created" })).toEqual(exactly(0));
    expect(await countAuditEntries(context, { resource: "payout_run" })).toEqual(exactly(0));
  });

  it("is that of the list itself", async () => {
    const lists = [
      { list: listAffiliateRows, count: countAffiliates, filter: { text: "many105" } },
      { list: listReferralRows, count: countReferrals, filter: { text: "many105" } },
      { list: listCommissionRows, count: countCommissions, filter: { text: "many105" } },
      { list: listPayoutRows, count: countPayouts, filter: { text: "many1050" } },
      { list: listPaymentRows, count: countMatchingPayments, filter: {} },
    ];
    for (const { list, count, filter } of lists) {
      const { data } = await list(context, { limit: 100, ...filter });
      expect(await count(context, filter), list.name).toEqual(exactly(data.length));
    }
    const { data } = await listAuditEntries(context, { limit: 100, resource: "campaign" });
    expect(await countAuditEntries(context, { resource: "campaign" })).toEqual(exactly(data.length));
  });

  it("counts no rows of other organizations", async () => {
    for (const count of [countAffiliates, countReferrals, countCommissions, countPayouts, countClaims]) {
      expect(await count(stranger, {}), count.name).toEqual(exactly(0));
    }
  });

  it("is not known if counting takes too long", async () => {
    const counted = countRows(context, async (sql) => {
      await sql`select pg_sleep(60)`;
      return 0;
    });
    expect(await counted).toEqual({ count: null, has_more: true });
  });
});

describe("the rows that match", () => {
  it("are those of all pages, with their states, up to a limit", async () => {
    const banned = await matchAffiliates(context, { state: "banned" });
    expect(banned.has_more).toBe(false);
    expect(banned.data).toHaveLength(ROWS / 100);
    expect(new Set(banned.data.map(({ state }) => state))).toEqual(new Set(["banned"]));
    const { data } = await listAffiliateRows(context, { limit: 100, state: "banned" });
    expect(banned.data.slice(0, 100).map(({ id }) => id)).toEqual(data.map(({ id }) => id));

    const earning = await matchAffiliates(context, { sort: "earned" });
    expect(earning).toMatchObject({ has_more: true });
    expect(earning.data).toHaveLength(MAX_COUNTED_ROWS);
    const first = await listAffiliateRows(context, { limit: 10, sort: "earned" });
    expect(earning.data.slice(0, 10).map(({ id }) => id)).toEqual(first.data.map(({ id }) => id));

    const due = await matchCommissions(context, { state: "due" });
    expect(due.data).toHaveLength(ROWS / 2);
    expect(new Set(due.data.map(({ state }) => state))).toEqual(new Set(["not_paid"]));

    const failed = await matchPayouts(context, { status: "failed" });
    expect(failed.data).toHaveLength(ROWS / 100);
    expect(new Set(failed.data.map(({ state }) => state))).toEqual(new Set(["failed"]));
    expect(await matchPayouts(stranger, {})).toEqual({ data: [], has_more: false });
    expect(await matchPayments(context, { outcomes: ["commission"] })).toEqual({ data: [], has_more: false });
  });
});
