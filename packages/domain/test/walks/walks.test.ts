/* The number of files that a reader meets below a route: those with a function that one request calls. */

import { insertMessages } from "@findersfee/database/processors/messages";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { api_versions } from "@findersfee/samples/stripe/api-version";
import { sampleCheckoutSession } from "@findersfee/samples/stripe/checkout-session";
import { stripeEvent } from "@findersfee/samples/stripe/event";
import { sampleInvoice } from "@findersfee/samples/stripe/invoice";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type CreationContext, createCommission } from "../../src/commissions/create.ts";
import { updateCommission } from "../../src/commissions/update.ts";
import { createReferral } from "../../src/customers/referrals/create.ts";
import { processInboundWebhooks } from "../../src/processors/process-inbound-webhooks.ts";
import { addPartner, click } from "../attribution/program.ts";
import { makeContext } from "../subscriber.ts";
import { ownOrganization } from "../work.ts";
import { filesWalked } from "./walk.ts";

let test: TestDatabase;
let context: CreationContext;
let affiliate_id: string;
let referral_id: string;

beforeAll(async () => {
  test = await createTestDatabase();
  context = await makeContext(test.database);
  affiliate_id = (await addPartner(context)).affiliate_id;
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
  expectAtMost(21, await filesWalked(() => change("2026-01-02T00:00:00.000Z")));
});

/** Stores a checkout with a click, and the invoice that it paid, as Stripe reports them. */
async function storeCheckout(number: number): Promise<void> {
  const created = Math.floor(Date.now() / 1000);
  const buyer = { customer: `cus_${number}`, subscription: `sub_${number}` };
  const email = `buyer-${number}@customers.test`;
  const [version] = api_versions;
  const client_reference_id = await click(context, { affiliate_id, at: new Date(Date.now() - 60_000) });
  const session = {
    id: `cs_${number}`,
    created,
    mode: "subscription" as const,
    amount_subtotal: 2_900,
    email,
  };
  const checkout = { ...session, ...buyer, client_reference_id, invoice: `in_${number}` };
  const paid = {
    id: `in_${number}`,
    created,
    ...buyer,
    customer_email: email,
    payment_intent: `pi_${number}`,
  };
  const lines = [{ amount: 2_900, product: "prod_Pro" }];
  const reported = [
    { type: "checkout.session.completed", object: sampleCheckoutSession(version, checkout) },
    { type: "invoice.paid", object: sampleInvoice(version, { ...paid, lines }) },
  ];
  const messages = reported.map(({ type, object }) => {
    const event = stripeEvent({ type, object, created, api_version: version });
    const at = new Date();
    const state = { state: "received" as const, reason: null, occurred_at: at, received_at: at, due_at: at };
    return {
      processor: "stripe" as const,
      id: event.id,
      type,
      account: null,
      body: JSON.stringify(event),
      ...state,
    };
  });
  await insertMessages(test.database, context.organization.id, { source: "webhook", messages });
}

it("processes a checkout and its invoice", async () => {
  const owner = await ownOrganization(test.database, context.organization.id);
  const process = () =>
    processInboundWebhooks(test.database, context.organization.id, { owner, secrets_key: Buffer.alloc(32) });
  await storeCheckout(1);
  await process();
  await storeCheckout(2);
  const files = await filesWalked(async () => expect(await process()).toMatchObject({ done: 2 }));
  expectAtMost(60, files);
});
