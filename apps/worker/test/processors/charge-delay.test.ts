/* Charges wait for the checkout of the same payment, so that `commission.created` carries the net amount. */
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { connectProcessor } from "@findersfee/domain/processors/connections/connect";
import { STRIPE_SECRET, stripeEvent } from "@findersfee/domain/testing/processors/signed";
import { processWebhooks } from "@findersfee/domain/testing/work";
import { sampleCheckoutSession } from "@findersfee/samples/stripe/checkout-session";
import { samplePaymentIntent } from "@findersfee/samples/stripe/payment-intent";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import {
  commissionsOf,
  makeTestOrganization,
  messageStates,
  storeStripe,
  type TestOrganization,
} from "../processing.ts";

const VERSION = "2024-11-20.acacia";

let test: TestDatabase;
let organization: TestOrganization;

beforeAll(async () => {
  test = await createTestDatabase();
});

beforeEach(async () => {
  organization = await makeTestOrganization(test.database, { customers: ["cus_1"] });
  const connection = {
    name: "stripe",
    signing_secret: STRIPE_SECRET,
    api_key: null,
    livemode: true,
  } as const;
  await connectProcessor(organization.context, Buffer.alloc(32, 1), connection);
});

afterAll(() => test.close());

/** 119.00 paid just now, 19.00 of it tax. In this version the payment intent does not name its checkout. */
function reports(): { intent: string; checkout: string } {
  const created = Math.floor(Date.now() / 1000);
  const shared = { created, customer: "cus_1" };
  const intent = samplePaymentIntent(VERSION, {
    ...shared,
    id: "pi_1",
    amount: 11_900,
    latest_charge: "ch_1",
  });
  const checkout = sampleCheckoutSession(VERSION, {
    ...shared,
    id: "cs_1",
    mode: "payment",
    payment_status: "paid",
    amount_subtotal: 10_000,
    amount_tax: 1_900,
    email: null,
    payment_intent: "pi_1",
  });
  return {
    intent: stripeEvent("evt_intent", "payment_intent.succeeded", { ...intent }, { created }),
    checkout: stripeEvent("evt_checkout", "checkout.session.completed", { ...checkout }, { created }),
  };
}

async function process(...bodies: string[]): Promise<void> {
  await storeStripe(test.database, organization.organization_id, bodies);
  await processWebhooks(test.database, organization.organization_id);
}

async function revenueOfEvents(): Promise<number[]> {
  const rows = await test.database<{ body: string }[]>`
    select body from events where organization_id = ${organization.organization_id} and type = 'commission.created'`;
  return rows.map(({ body }) => JSON.parse(body).data.revenue_amount);
}

async function endOfDelay(): Promise<void> {
  await test.database`update processor_messages set due_at = now() where state = 'received'`;
  await processWebhooks(test.database, organization.organization_id);
}

it("creates one commission for a payment intent that is reported before its checkout", async () => {
  const { intent, checkout } = reports();
  await process(intent);
  expect(await commissionsOf(test.database, organization.organization_id)).toEqual([]);
  expect(await messageStates(test.database, organization.organization_id)).toEqual({ received: 1 });
  await process(checkout);
  const made = await commissionsOf(test.database, organization.organization_id);
  expect(made).toHaveLength(1);
  expect(await revenueOfEvents()).toEqual([100]);
  await endOfDelay();
  expect(await messageStates(test.database, organization.organization_id)).toEqual({ done: 2 });
  expect(await commissionsOf(test.database, organization.organization_id)).toEqual(made);
  expect(await revenueOfEvents()).toEqual([100]);
});

it("creates a commission for a lone payment intent after the delay", async () => {
  await process(reports().intent);
  await endOfDelay();
  expect(await revenueOfEvents()).toEqual([119]);
});
