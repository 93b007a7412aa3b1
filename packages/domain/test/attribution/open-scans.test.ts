/* Statements of attribution read rows of one organization. */
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { statementsOf } from "@findersfee/database/testing/counted-statements";
import { openScans } from "@findersfee/database/testing/open-scans";
import { afterAll, beforeAll, expect, it } from "vitest";
import { addAffiliate, click, report } from "./program.ts";
import { checkout, payment, refund, second } from "./reported.ts";
import { CLICKED, newProgram } from "./signal-program.ts";

let test: TestDatabase;

beforeAll(async () => {
  test = await createTestDatabase();
});

afterAll(() => test.close());

it("reads rows of one organization alone", async () => {
  const { database } = test;
  const recruiting = { recruiting: { percent: 10, months: 12 } };
  const program = await newProgram(database, { shared_domain: "flag", many_refunds: "flag" }, recruiting);
  const { context, campaign_id, affiliate_id: recruited_by } = program;
  const affiliate_id = await addAffiliate(context, { campaign_id, recruited_by });
  const statements = await statementsOf(database, async () => {
    const click_ids = [await click(context, { affiliate_id, at: CLICKED })];
    const customer_id = "cus_1";
    const email = "buyer@shop.test";
    await report(context, checkout({ subject: "cs_1", customer_id, email, click_ids, at: second(10) }));
    await report(context, payment({ subject: "in_1", customer_id, at: second(30) }));
    await report(context, refund({ subject: "re_1", references: ["in_1"], amount_minor: 10_000n }));
  });
  expect(statements.length).toBeGreaterThan(50);
  expect(await openScans(database, new Set(statements))).toEqual([]);
});
