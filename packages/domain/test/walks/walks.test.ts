/* The number of files that a reader meets below a route: those with a function that one request calls. */
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createCommission } from "../../src/commissions/create.ts";
import { updateCommission } from "../../src/commissions/update.ts";
import type { Context } from "../../src/context.ts";
import { createReferral } from "../../src/referrals/create.ts";
import { addPartner } from "../attribution/program.ts";
import { makeContext } from "../subscriber.ts";
import { filesWalked } from "./walk.ts";

let test: TestDatabase;
let context: Context;
let referral_id: string;

beforeAll(async () => {
  test = await createTestDatabase();
  context = await makeContext(test.database);
  const { affiliate_id } = await addPartner(context);
  const { id } = await createReferral(context, {
    email: "buyer@customers.test",
    affiliate_id,
    subscription_status: "active",
  });
  referral_id = id;
});

afterAll(() => test.close());

const create = () => createCommission(context, { referral_id, revenue_amount: 100, commission_amount: 30 });

/** The failure lists the files. */
function expectAtMost(limit: number, files: string[]): void {
  expect(files.length, files.join("\n")).toBeLessThanOrEqual(limit);
}

it("creates a commission", async () => {
  await create();
  expectAtMost(15, await filesWalked(create));
});

it("updates a commission", async () => {
  const { id } = await create();
  const change = (referral_date: string) => updateCommission(context, { id, referral_date });
  await change("2026-01-01T00:00:00.000Z");
  expectAtMost(23, await filesWalked(() => change("2026-01-02T00:00:00.000Z")));
});
