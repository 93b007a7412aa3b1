/* A sale that fails on its way, at any database call, is completed by playing it again. */
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { failEachCall, LONG_TESTS_EVERY, LOST_ANSWERS } from "@findersfee/database/testing/faults/each-call";
import { afterAll, beforeAll, expect, it } from "vitest";
import { newId } from "../../src/ids.ts";
import { isDamaged, verifyLedger } from "../../src/ledger/verify.ts";
import { getTestSale, playSale } from "../../src/onboarding/play-sale.ts";
import { removeTestData } from "../../src/onboarding/test-organization.ts";
import { addPartner } from "../attribution/program.ts";
import { makeContext } from "../subscriber.ts";
import { openSales, playDecided, rowsOf } from "./played.ts";

let test: TestDatabase;

beforeAll(async () => {
  test = await createTestDatabase();
});

afterAll(() => test.close());

it.each(LOST_ANSWERS)("survives each call that fails: %s", async (kind) => {
  let calls = 0;
  await failEachCall(
    test.url,
    kind,
    async (database, number, faulty) => {
      const context = await makeContext(test.database);
      await addPartner(context);
      const id = newId(new Date());
      const failing = { ...context, database };
      await playSale(failing, openSales(database), { id }).catch(() => {});
      if (faulty.failed[0] === undefined) calls = number - 1;
      const organization = await playDecided(context, id);
      expect(await getTestSale(context, id)).toMatchObject({ state: "decided", outcome: "commission" });
      expect(await rowsOf(test.database, organization.id)).toMatchObject({
        affiliates: 1,
        campaigns: 1,
        processors: 1,
        processor_messages: 2,
        referrals: 1,
        commissions: 1,
      });
      const tests = await test.database`
      select from organizations where test_of = ${context.organization.id}`;
      expect(tests).toHaveLength(1);
      await removeTestData(failing, organization.id).catch(() => {});
      await removeTestData(context, organization.id);
      expect(isDamaged(await verifyLedger(test.database, organization.id))).toBe(false);
    },
    { every: LONG_TESTS_EVERY },
  );
  expect(calls).toBeGreaterThan(15);
});
