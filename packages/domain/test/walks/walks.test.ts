/* The number of files that a reader meets below a route: those with a function that one request calls. */
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createCommission } from "../../src/commissions/create.ts";
import { updateCommission } from "../../src/commissions/update.ts";
import type { Context } from "../../src/context.ts";
import { createReferral } from "../../src/referrals/create.ts";
import { addPartner, type Partner } from "../attribution/program.ts";
import { makeContext } from "../subscriber.ts";
import { filesWalked } from "./walk.ts";

let test: TestDatabase;
let context: Context;
let partner: Partner;

beforeAll(async () => {
  test = await createTestDatabase();
  context = await makeContext(test.database);
  partner = await addPartner(context);
});

afterAll(() => test.close());

const limits = { create: 15, update: 20 };

it("creates a commission through few files", async () => {
  const { id: referral_id } = await createReferral(context, {
    email: "buyer@customers.test",
    affiliate_id: partner.affiliate_id,
    subscription_status: "active",
  });
  const create = () => createCommission(context, { referral_id, revenue_amount: 100, commission_amount: 30 });
  const { id } = await create();
  const created = await filesWalked(create);
  expect(created.length).toBeLessThanOrEqual(limits.create);
  await updateCommission(context, { id, referral_date: "2026-01-01T00:00:00.000Z" });
  const updated = await filesWalked(() =>
    updateCommission(context, { id, referral_date: "2026-01-02T00:00:00.000Z" }),
  );
  expect(updated.length).toBeLessThanOrEqual(limits.update);
});
