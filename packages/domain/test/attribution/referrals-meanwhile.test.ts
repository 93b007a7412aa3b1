/* Referrals that the backend creates or changes while reports about the same customer are being processed. */
import { type Transaction, transaction } from "@findersfee/database/postgres/connect";
import { lockPayments } from "@findersfee/database/processors/due-messages";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { eventually } from "@findersfee/database/testing/eventually";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { PaymentFact } from "../../src/attribution/facts/payment-fact.ts";
import { recordFacts } from "../../src/attribution/record-facts.ts";
import type { CreationContext } from "../../src/commissions/create.ts";
import { createReferral } from "../../src/customers/referrals/create.ts";
import { updateReferral } from "../../src/customers/referrals/update.ts";
import { verifyLedger } from "../../src/ledger/verify.ts";
import { makeContext } from "../subscriber.ts";
import { addPartner, click, outcomes, report, sourceOf } from "./program.ts";
import { payment, signUp } from "./reported.ts";

const EMAIL = "buyer@customers.test";

let test: TestDatabase;
let context: CreationContext;
let affiliate_id: string;

beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.close());
beforeEach(async () => {
  context = await makeContext(test.database);
  const lead_commissions = [{ kind: "signup", amount: 2, daily_limit: 1 }];
  ({ affiliate_id } = await addPartner(context, { lead_commissions }));
});

const create = (fields: { email?: string; processor_customer_id?: string } = {}) =>
  createReferral(context, { affiliate_id, email: EMAIL, subscription_status: "signed_up", ...fields });

/** Processes a report, and has `work` begin once that is under way. */
async function whileReporting<Result>(fact: PaymentFact, work: () => Promise<Result>): Promise<Result> {
  const process = async (sql: Transaction) => {
    await lockPayments(sql, context.organization.id);
    const done = work();
    // Its failure is thrown below.
    done.catch(() => {});
    await eventually(async () => {
      const waiting = await test.database`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      expect(waiting.length).toBe(1);
    });
    await recordFacts(sql, context.organization, [
      { processor: sourceOf(fact), message_id: "evt_now", fact },
    ]);
    // A transaction would await a promise.
    return { done };
  };
  return await (await transaction(context.database, process)).done;
}

async function leads(): Promise<string[]> {
  const rows = await context.database<{ outcome: string }[]>`
    select outcome from leads where organization_id = ${context.organization.id} order by outcome`;
  return rows.map(({ outcome }) => outcome);
}

async function expectSound(): Promise<void> {
  const found = await verifyLedger(context.database, context.organization.id);
  expect(found.filter(({ rows }) => rows.length > 0)).toEqual([]);
}

it("pays for a sign-up once that a page reports at the same time", async () => {
  const at = new Date();
  const click_id = await click(context, { affiliate_id, at });
  await whileReporting(signUp({ click_id, email: EMAIL, at }), create);
  expect(await leads()).toEqual(["commission", "referral_withdrawn"]);
  await expectSound();
});

it("earns for a payment that is reported while its referral is created", async () => {
  await whileReporting(payment({ subject: "in_1", email: EMAIL, at: new Date() }), create);
  expect(await outcomes(context)).toEqual({ in_1: "commission" });
  await expectSound();
});

it("earns for a payment that is reported while its referral gets the customer's id", async () => {
  const { id } = await create();
  const paid = payment({ subject: "in_1", email: null, customer_id: "cus_1", at: new Date() });
  await whileReporting(paid, () => updateReferral(context, { id, processor_customer_id: "cus_1" }));
  expect(await outcomes(context)).toEqual({ in_1: "commission" });
  await expectSound();
});

it.each([null, "cus_a"])(
  "creates a referral of two known customers, one with the id %s",
  async (customer_id) => {
    const at = new Date(Date.now() - 600_000);
    await report(context, payment({ subject: "in_a", email: EMAIL, customer_id, at }));
    const other = { email: "other@customers.test", customer_id: "cus_b" };
    await report(context, payment({ subject: "in_b", ...other, at }));
    await create({ processor_customer_id: "cus_b" });
    expect(await leads()).toEqual(["commission"]);
    await expectSound();
  },
);
