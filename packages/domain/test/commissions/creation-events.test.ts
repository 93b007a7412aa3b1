import { insertCommissions, type NewCommission } from "@findersfee/database/commissions/creation";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { newId } from "../../src/ids.ts";
import { serializeEvent } from "../../src/webhooks/events/data.ts";
import { addEarner, makePayoutContext } from "../ledger/program.ts";

let test: TestDatabase;

beforeAll(async () => {
  test = await createTestDatabase();
});

afterAll(() => test.close());

it("fails for an event of a type without a rule", async () => {
  const context = await makePayoutContext(test.database);
  const earner = await addEarner(context);
  const at = new Date();
  const commission: NewCommission = {
    id: newId(at),
    ...earner,
    revenue_minor: 10_000n,
    commission_minor: 3_000n,
    currency: "USD",
    referral_date: at,
    processor_payment_id: null,
    created_at: at,
    cause: "test",
  };
  const data = { id: commission.id, affiliate: { id: earner.affiliate_id } } as never;
  const converted = serializeEvent("referral.converted", data, at);
  const create = (type: "affiliate.approved" | "commission.created") =>
    insertCommissions(test.database, context.organization.id, {
      creations: [{ commission, created: serializeEvent(type, data, at), converted, answer: null }],
      expired_before: at,
      payment_keys: [],
    });
  await expect(create("affiliate.approved")).rejects.toThrow("no rule for the event affiliate.approved");
  const { created } = await create("commission.created");
  expect(created).toEqual(new Set([commission.id]));
});
