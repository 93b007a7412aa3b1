import { insertMessages } from "@findersfee/database/processors/messages";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { statementsOf } from "@findersfee/database/testing/counted-statements";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { Context } from "../../src/context.ts";
import { readGenericMessage, readStripeEvent } from "../../src/processors/intake/message.ts";
import { countProcessorMessages } from "../../src/processors/messages/counts.ts";
import { getProcessorMessage } from "../../src/processors/messages/get.ts";
import { listProcessorMessages } from "../../src/processors/messages/list.ts";
import { makeContext } from "../subscriber.ts";
import { processWebhooks } from "../work.ts";
import { stripeEvent } from "./signed.ts";

/** More than a page searches, and more than are looked up by their ids. */
const MANY = 2_100;

let test: TestDatabase;
let context: Context;

beforeAll(async () => {
  test = await createTestDatabase();
});

beforeEach(async () => {
  context = await makeContext(test.database);
});

afterAll(() => test.close());

async function receive(ids: string[], { type = "customer.created", minutes = 0 } = {}): Promise<void> {
  const now = new Date(Date.now() - minutes * 60_000);
  const messages = ids.map((id) => readStripeEvent(stripeEvent(id, type, {}), { livemode: true, now }));
  await insertMessages(test.database, context.organization.id, { source: "webhook", messages });
}

async function report(id: string, type: string, data: object): Promise<void> {
  const now = new Date();
  const body = JSON.stringify({ type, occurred_at: now.toISOString(), data });
  const message = readGenericMessage(body, { id, now });
  await insertMessages(test.database, context.organization.id, { source: "webhook", messages: [message] });
}

const list = (query: object) => listProcessorMessages(context, { limit: 10, ...query });

async function idsOf(query: object): Promise<string[]> {
  return (await list(query)).data.map(({ id }) => id);
}

it("finds messages by the beginning of their id, newest first", async () => {
  await receive(["evt_Ab1"], { minutes: 2 });
  await receive(["evt_Ab2"], { minutes: 1 });
  await receive(["evt_aB3", "evt_B"]);
  expect(await idsOf({ text: "evt_Ab" })).toEqual(["evt_Ab2", "evt_Ab1"]);
  expect(await idsOf({ text: "evt_Ab", type: "invoice.paid" })).toEqual([]);
  expect(await idsOf({ text: "evt_Ab", processor: "generic" })).toEqual([]);
  expect(await idsOf({ text: "%" })).toEqual([]);
});

it("searches a limited number of messages a page for a type or a beginning that many have", async () => {
  await receive(["evt_old"], { type: "invoice.paid", minutes: 1 });
  await receive(Array.from({ length: MANY }, (_, number) => `evt_${number}`));
  const { data, pagination } = await list({ type: "invoice.paid" });
  expect(data).toEqual([]);
  expect(await idsOf({ type: "invoice.paid", cursor: pagination.next_cursor })).toEqual(["evt_old"]);
  const many = await list({ text: "evt_", type: "invoice.paid" });
  expect(many.data).toEqual([]);
  expect(await idsOf({ text: "evt_", cursor: many.pagination.next_cursor, type: "invoice.paid" })).toEqual([
    "evt_old",
  ]);
  const statements = await statementsOf(test.database, () => list({ text: "evt_", type: "invoice.paid" }));
  expect(statements).toHaveLength(3);
});

it("counts messages that wait, that are dead-lettered, and those of the last day", async () => {
  const { id } = context.organization;
  await receive(["evt_1", "evt_2", "evt_3", "evt_4"]);
  await test.database`
    update processor_messages set state = 'parked', due_at = null
    where organization_id = ${id} and id in ('evt_1', 'evt_2')`;
  await test.database`
    update processor_messages set received_at = now() - interval '2 days' where organization_id = ${id} and id = 'evt_1'`;
  await test.database`
    update processor_messages set state = 'done', due_at = null where organization_id = ${id} and id = 'evt_3'`;
  expect(await countProcessorMessages(context, {})).toMatchObject({
    received: 1,
    parked: 2,
    last_day: { received: 1, done: 1, skipped: 0, parked: 1 },
  });
  expect(await countProcessorMessages(context, { processor: "generic" })).toMatchObject({ parked: 0 });
});

it("names the decisions that a message led to: of its payment, or of its customer", async () => {
  const customer_id = "c_1";
  const payment = { customer_id, currency: "USD", revenue_amount: 100 };
  await report("m_customer", "customer", { customer_id, email: "kim@example.com" });
  await report("m_pay_1", "payment", { ...payment, payment_id: "p_1" });
  await report("m_pay_2", "payment", { ...payment, payment_id: "p_2" });
  await report("m_refund", "refund", {
    refund_id: "r_1",
    payment_id: "p_1",
    amount: 40,
    currency: "USD",
    status: "succeeded",
  });
  await report("m_stranger", "customer", { customer_id: "c_2" });
  const led = async (id: string) => {
    const { state, decisions } = await getProcessorMessage(context, { processor: "generic", id });
    return [state, ...decisions.map((one) => one.processor_payment_id).sort()];
  };
  expect(await led("m_pay_1")).toEqual(["received"]);
  await processWebhooks(test.database, context.organization.id);
  expect(await led("m_pay_1")).toEqual(["done", "p_1"]);
  expect(await led("m_refund")).toEqual(["done", "p_1"]);
  expect(await led("m_customer")).toEqual(["done", "p_1", "p_2"]);
  expect(await led("m_stranger")).toEqual(["done"]);
  const statements = await statementsOf(test.database, () => led("m_refund"));
  expect(statements).toHaveLength(4);
});
