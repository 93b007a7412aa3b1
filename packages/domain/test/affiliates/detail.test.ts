import { connect, type Database } from "@findersfee/database/postgres/connect";
import { isUnavailable } from "@findersfee/database/postgres/errors";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { FaultyPostgres } from "@findersfee/database/testing/faults/faulty-postgres";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { CreationContext } from "../../src/commissions/create.ts";
import { newId } from "../../src/ids.ts";
import { getAffiliateDetail } from "../../src/reports/affiliate.ts";
import { addEarner, type Earner, earn, makePayoutContext } from "../ledger/program.ts";

let test: TestDatabase;
let faulty: FaultyPostgres;
let proxied: Database;
let context: CreationContext;
let jane: Earner;

beforeAll(async () => {
  test = await createTestDatabase();
  faulty = await FaultyPostgres.before(test.url);
  proxied = connect({ url: faulty.url, poolSize: 5, prepare: true, name: "detail" });
  context = await makePayoutContext(test.database);
  jane = await addEarner(context);
  await earn(context, jane, { amount: 500 });
});
afterAll(async () => {
  await proxied.end();
  await faulty.close();
  await test.close();
});

it("has the balances of an affiliate, and none of one without commissions", async () => {
  const { balances } = await getAffiliateDetail(context, jane.affiliate_id);
  expect(balances).toMatchObject([{ currency: "USD", earned: 500, due: 500 }]);
  const { affiliate_id } = await addEarner(context);
  expect(await getAffiliateDetail(context, affiliate_id)).toMatchObject({ balances: [] });
});

it("fails if the balances cannot be read, instead of showing none", async () => {
  faulty.follow(({ sql }) => (/\bfrom balances\b/.test(sql) ? "cut_before" : null));
  const reading = getAffiliateDetail({ ...context, database: proxied }, jane.affiliate_id);
  await expect(reading).rejects.toSatisfy(isUnavailable);
  expect(faulty.failed.length).toBeGreaterThan(0);
  faulty.lift();
});

it("is not found for an unknown affiliate", async () => {
  await expect(getAffiliateDetail(context, newId(new Date()))).rejects.toMatchObject({ code: "not_found" });
});
