import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { rowsReadBy } from "@findersfee/database/testing/rows-read";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listAffiliateRows } from "../../src/affiliates/list-rows.ts";
import type { CreationContext } from "../../src/commissions/create.ts";
import { listCommissionRows } from "../../src/commissions/list-rows.ts";
import { listReferralRows } from "../../src/customers/referrals/list-rows.ts";
import { listPayoutRows } from "../../src/payouts/list-rows.ts";
import { addPartner, type Partner } from "../attribution/program.ts";
import { makeContext } from "../subscriber.ts";
import { fillUnanalyzed } from "./fill.ts";

/** More than lists search at once. */
const ROWS = 2_500;

/**
 * Without statistics, Postgres may choose an index that reads all rows of a table for each row of a page, in a few tables. A
 * list never reads all rows for each row.
 */
const LIMIT = 50;
const MOST_READ = 3 * LIMIT * ROWS;

let test: TestDatabase;
let context: CreationContext;
let partner: Partner;

beforeAll(async () => {
  test = await createTestDatabase({ poolSize: 1, fresh: true });
  context = await makeContext(test.database);
  partner = await addPartner(context);
  await fillUnanalyzed(context, { campaign_id: partner.campaign_id, count: ROWS });
});

afterAll(() => test.close());

const LISTS = {
  affiliates: listAffiliateRows,
  referrals: listReferralRows,
  commissions: listCommissionRows,
  payouts: listPayoutRows,
} as const;

const TEXTS = [{}, { text: "many" }, { text: "many7" }, { text: "partner" }, { text: "nobody" }];

/** The filters of each list, to be combined with each text. */
const FILTERS: { [List in keyof typeof LISTS]: object[] } = {
  affiliates: [{}, { state: "active" }, { state: "banned" }, { sort: "earned" }, { owed: true }],
  referrals: [{}, { statuses: ["past_due"] }, { statuses: ["active", "past_due"] }],
  commissions: [{}, { state: "due" }, { state: "paid" }, { state: "voided" }],
  payouts: [{}, { status: "paid" }, { status: "failed" }, { status: "open" }],
};

describe("the lists of rows that Postgres has no statistics of", () => {
  const cases = Object.entries(FILTERS).flatMap(([list, filters]) =>
    filters.flatMap((filter) => TEXTS.map((text) => ({ list, query: { ...filter, ...text } }))),
  );

  it.each(cases)("are read once for each row of a page at most: $list $query", async ({ list, query }) => {
    const read = LISTS[list as keyof typeof LISTS] as typeof listAffiliateRows;
    const rows = await rowsReadBy(test.database, () => read(context, { limit: LIMIT, ...query }));
    expect(rows).toBeLessThan(MOST_READ);
  });
});
