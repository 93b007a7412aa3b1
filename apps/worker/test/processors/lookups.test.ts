import { isUnavailable } from "@findersfee/database/postgres/errors";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { failEachCall, LOST_ANSWERS } from "@findersfee/database/testing/faults/each-call";
import { rerunPayment } from "@findersfee/domain/attribution/rerun";
import { updateCampaign } from "@findersfee/domain/campaigns/update";
import { connectProcessor } from "@findersfee/domain/processors/connections/connect";
import { updateProcessor } from "@findersfee/domain/processors/connections/update";
import { listLookups } from "@findersfee/domain/processors/lookups/list";
import { retryLookups } from "@findersfee/domain/processors/lookups/retry";
import { STRIPE_SECRET } from "@findersfee/domain/testing/processors/signed";
import { processMessages, reportStripe } from "@findersfee/domain/testing/processors/stripe/report";
import type { ApiVersion } from "@findersfee/samples/stripe/api-version";
import { sampleCheckoutSession } from "@findersfee/samples/stripe/checkout-session";
import { stripeEvent } from "@findersfee/samples/stripe/event";
import { sampleInvoice } from "@findersfee/samples/stripe/invoice";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { lookups } from "../../src/processors/lookups.ts";
import { commissionsOf, makeTestOrganization, type TestOrganization } from "../processing.ts";
import { SECRETS_KEY } from "../subscriptions.ts";
import { runTurns } from "../turns.ts";
import { failure, StripeServer } from "./stripe-server.ts";

const VERSION: ApiVersion = "2026-10-28.endive";
const NOW = Math.floor(Date.now() / 1000);
const API_KEY = "rk_test_abcdefgh1234";

let test: TestDatabase;
let stripe: StripeServer;
let organization: TestOrganization;

beforeEach(async () => {
  test = await createTestDatabase();
  stripe = await StripeServer.start();
  organization = await makeTestOrganization(test.database, { customers: ["cus_1"] });
  await setRates([{ product_id: "prod_pro", amount: 50 }]);
});

afterEach(async () => {
  await stripe.close();
  await test.close();
});

/** 30 % in general, and rates of their own for some products. */
async function setRates(rates: { product_id: string; amount: number }[]): Promise<void> {
  const [campaign] = await test.database<{ id: string }[]>`
    select id from campaigns where organization_id = ${organization.organization_id}`;
  await updateCampaign(organization.context, {
    id: campaign?.id ?? "",
    custom_commission_type: rates.length === 0 ? "none" : "product",
    custom_commissions: rates.map((rate) => ({ ...rate, type: "percentage" as const })),
  } as Parameters<typeof updateCampaign>[1]);
}

async function connect({ api_key = API_KEY as string | null, connected_accounts = [] as string[] } = {}) {
  const input = { name: "stripe", signing_secret: STRIPE_SECRET, livemode: false } as const;
  await connectProcessor(organization.context, SECRETS_KEY, { ...input, api_key, connected_accounts });
}

async function sweep(database = test.database, signal = new AbortController().signal): Promise<void> {
  const log = pino({ level: "silent" });
  const consumer = lookups({
    database,
    log,
    secrets_key: SECRETS_KEY,
    stripe_api_url: stripe.url,
    offerInboundWebhooks: () => {},
  });
  await runTurns(test.database, consumer, signal);
}

async function makeDue(): Promise<void> {
  await test.database`update processor_lookups set due_at = now() where due_at is not null`;
}

async function waiting() {
  return (await listLookups(organization.context, { limit: 100 })).data;
}

async function outcomeOf(payment_id: string) {
  const [row] = await test.database<{ id: string; outcome: string }[]>`
    select id, outcome from payment_decisions
    where organization_id = ${organization.organization_id} and payment_id = ${payment_id}`;
  return row;
}

function checkoutEvent(number = 1) {
  const object = sampleCheckoutSession(VERSION, {
    id: `cs_${number}`,
    created: NOW - 60,
    mode: "payment",
    amount_subtotal: 10_000,
    amount_tax: 1_900,
    email: "cus_1@example.com",
    customer: "cus_1",
    payment_intent: `pi_${number}`,
  });
  stripe.objects.set(`checkout/sessions/cs_${number}`, object);
  return stripeEvent({ type: "checkout.session.completed", object, api_version: VERSION, created: NOW });
}

/** Line items of a session, with tax in their totals. */
function setItems(items: { product: string; total: number; tax: number }[], number = 1): void {
  const listed = items.map(({ product, total, tax }, index) => ({
    id: `li_${index}`,
    object: "item",
    amount_discount: 0,
    amount_subtotal: total - tax,
    amount_tax: tax,
    amount_total: total,
    currency: "usd",
    description: "Pro",
    metadata: null,
    price: { id: `price_${index}`, object: "price", product },
    quantity: 1,
  }));
  stripe.lists.set(`checkout/sessions/cs_${number}/line_items`, listed);
}

/** An invoice of lines of 1.00 each. Its event has the first ten. */
function invoiceEvent(lines: number, { account = null as string | null } = {}) {
  const products = Array.from({ length: lines }, (_, index) => (index % 4 === 0 ? "prod_pro" : "prod_basic"));
  const object = sampleInvoice(VERSION, {
    id: "in_1",
    created: NOW,
    customer: "cus_1",
    customer_email: "cus_1@example.com",
    lines: products.map((product) => ({ product, amount: 100 })),
  });
  const all = (object.lines as { data: { id: string; object: string }[] }).data;
  stripe.objects.set("invoices/in_1", object);
  stripe.lists.set("invoices/in_1/lines", all);
  const shown = { ...object, lines: { object: "list", data: all.slice(0, 10), has_more: lines > 10 } };
  const event = stripeEvent({ type: "invoice.paid", object: shown, api_version: VERSION, created: NOW });
  return account === null ? event : { ...event, account };
}

describe("products that an event lacks", () => {
  it("of a one-time checkout are fetched once and earn at their own rates", async () => {
    await connect();
    setItems([
      { product: "prod_pro", total: 4_760, tax: 760 },
      { product: "prod_basic", total: 7_140, tax: 1_140 },
    ]);
    await reportStripe(organization.context, checkoutEvent());
    expect(await outcomeOf("pi_1")).toMatchObject({ outcome: "products_unknown" });
    expect(await commissionsOf(test.database, organization.organization_id)).toEqual([]);
    expect(await waiting()).toMatchObject([
      { kind: "payment", subject: "pi_1", purpose: "products", object_id: "cs_1" },
    ]);
    await sweep();
    await processMessages(organization.context);
    expect(await commissionsOf(test.database, organization.organization_id)).toEqual(["pi_1:3800"]);
    expect(await waiting()).toEqual([]);
    const calls = stripe.calls.length;
    await sweep();
    expect(stripe.calls).toHaveLength(calls);
  });

  it("of an invoice are fetched page by page", async () => {
    await connect();
    await reportStripe(organization.context, invoiceEvent(240));
    await sweep();
    await processMessages(organization.context);
    // 60 lines of 1.00 at 50 %, 180 at 30 %.
    expect(await commissionsOf(test.database, organization.organization_id)).toEqual(["in_1:8400"]);
    const pages = stripe.calls.filter(({ path }) => path === "/v1/invoices/in_1/lines");
    expect(pages.map(({ query }) => query.get("starting_after"))).toEqual([null, "il_199", "il_1199"]);
  });

  it("are not fetched if the event has all of them or no product has its own rate", async () => {
    await connect();
    await reportStripe(organization.context, invoiceEvent(10));
    await setRates([]);
    await reportStripe(organization.context, checkoutEvent());
    expect(await waiting()).toEqual([]);
    expect(await commissionsOf(test.database, organization.organization_id)).toEqual([
      "in_1:360",
      "pi_1:3000",
    ]);
  });

  it("are fetched when a payment is rerun after a product got a rate", async () => {
    await connect();
    await setRates([]);
    setItems([{ product: "prod_pro", total: 11_900, tax: 1_900 }]);
    await reportStripe(organization.context, checkoutEvent());
    await setRates([{ product_id: "prod_pro", amount: 50 }]);
    await rerunPayment(organization.context, (await outcomeOf("pi_1"))?.id ?? "");
    await sweep();
    await processMessages(organization.context);
    expect(await commissionsOf(test.database, organization.organization_id)).toEqual(["pi_1:5000"]);
  });

  it("are not fetched again when messages are reprocessed in any order", async () => {
    await connect();
    setItems([{ product: "prod_pro", total: 11_900, tax: 1_900 }]);
    await reportStripe(organization.context, checkoutEvent());
    await sweep();
    await processMessages(organization.context);
    const before = await test.database`select * from payment_decisions`;
    const calls = stripe.calls.length;
    for (const order of ["asc", "desc"] as const) {
      const messages = await test.database<{ id: string }[]>`
        select id from processor_messages order by id ${test.database.unsafe(order)}`;
      for (const { id } of messages) {
        await test.database`
          update processor_messages set state = 'received', due_at = now() where id = ${id}`;
        await processMessages(organization.context);
      }
    }
    await sweep();
    expect(stripe.calls).toHaveLength(calls);
    expect(await test.database`select * from payment_decisions`).toEqual(before);
    expect(await commissionsOf(test.database, organization.organization_id)).toEqual(["pi_1:5000"]);
  });

  it("are fetched when an API key is connected", async () => {
    await connect({ api_key: null });
    setItems([{ product: "prod_pro", total: 11_900, tax: 1_900 }]);
    await reportStripe(organization.context, checkoutEvent());
    await sweep();
    expect(await outcomeOf("pi_1")).toMatchObject({ outcome: "products_unknown" });
    await updateProcessor(organization.context, SECRETS_KEY, { name: "stripe", api_key: API_KEY });
    await sweep();
    await processMessages(organization.context);
    expect(await commissionsOf(test.database, organization.organization_id)).toEqual(["pi_1:5000"]);
  });

  it("of a connected account are fetched from that account", async () => {
    await connect({ connected_accounts: ["acct_1"] });
    await reportStripe(organization.context, invoiceEvent(12, { account: "acct_1" }));
    await sweep();
    await processMessages(organization.context);
    expect(await commissionsOf(test.database, organization.organization_id)).toEqual(["in_1:420"]);
    expect(new Set(stripe.calls.map(({ account }) => account))).toEqual(new Set(["acct_1"]));
  });
});

describe("a fetch that fails", () => {
  beforeEach(async () => {
    await connect();
    setItems([{ product: "prod_pro", total: 11_900, tax: 1_900 }]);
    await reportStripe(organization.context, checkoutEvent());
  });

  it.each([
    ["limits requests", 429],
    ["is down", 500],
  ])("is retried if Stripe %s", async (_, status) => {
    stripe.faults.push(failure(status, { message: "Later" }));
    await sweep();
    const [lookup] = await waiting();
    expect(lookup).toMatchObject({ attempts: 1, error: "Later", next_attempt_at: expect.any(String) });
    await makeDue();
    await sweep();
    await processMessages(organization.context);
    expect(await commissionsOf(test.database, organization.organization_id)).toEqual(["pi_1:5000"]);
  });

  it("reports the missing permission and is retried with another key", async () => {
    stripe.forbidden.add("checkout/sessions");
    await sweep();
    expect(await waiting()).toMatchObject([{ error: expect.stringMatching(/rak_checkout_sessions_read/) }]);
    stripe.forbidden.clear();
    await updateProcessor(organization.context, SECRETS_KEY, { name: "stripe", api_key: `${API_KEY}5` });
    await sweep();
    expect(await waiting()).toEqual([]);
  });

  it("ends if Stripe lacks the object, until staff retry it", async () => {
    const session = stripe.objects.get("checkout/sessions/cs_1");
    stripe.objects.delete("checkout/sessions/cs_1");
    await sweep();
    expect(await waiting()).toMatchObject([
      { error: expect.stringMatching(/No such/), next_attempt_at: null },
    ]);
    expect(await outcomeOf("pi_1")).toMatchObject({ outcome: "products_unknown" });
    if (session !== undefined) stripe.objects.set("checkout/sessions/cs_1", session);
    expect(await retryLookups(organization.context)).toEqual({ lookups: 1 });
    await sweep();
    await processMessages(organization.context);
    expect(await commissionsOf(test.database, organization.organization_id)).toEqual(["pi_1:5000"]);
  });

  it("releases its lookups when the worker stops", async () => {
    let release = () => {};
    stripe.delayed_until = new Promise((resolve) => {
      release = resolve;
    });
    const controller = new AbortController();
    const sweeping = sweep(test.database, controller.signal);
    await expect.poll(() => stripe.calls.length).toBe(1);
    controller.abort();
    release();
    await sweeping;
    stripe.delayed_until = null;
    await sweep();
    await processMessages(organization.context);
    expect(await commissionsOf(test.database, organization.organization_id)).toEqual(["pi_1:5000"]);
  });
});

describe("a lost call", () => {
  beforeEach(() => connect());

  async function report(number: number): Promise<void> {
    setItems([{ product: "prod_pro", total: 11_900, tax: 1_900 }], number);
    await reportStripe(organization.context, checkoutEvent(number));
  }

  /** Each payment so far has its one commission, of one answer, and nothing waits. */
  async function expectAnswered(payments: number): Promise<void> {
    await makeDue();
    await sweep();
    await processMessages(organization.context);
    const commissions = await commissionsOf(test.database, organization.organization_id);
    const expected = Array.from({ length: payments }, (_, index) => `pi_${index + 1}:5000`);
    expect(commissions.sort()).toEqual(expected.sort());
    expect(await waiting()).toEqual([]);
    const answers = await test.database`select from processor_messages where source = 'lookup'`;
    expect(answers).toHaveLength(payments);
  }

  it.each(LOST_ANSWERS)("loses and duplicates nothing for any database call: %s", async (kind) => {
    let attempts = 0;
    let failed = 0;
    await failEachCall(test.url, kind, async (database) => {
      attempts += 1;
      await report(attempts);
      await sweep(database).catch((error: unknown) => {
        expect(isUnavailable(error)).toBe(true);
        failed += 1;
      });
      await expectAnswered(attempts);
    });
    expect(failed).toBeGreaterThan(1);
  });

  it.each(["before", "after"])(
    "loses and duplicates nothing for any request to Stripe: %s it took effect",
    async (moment) => {
      for (const number of [1, 2]) {
        await report(number);
        // Stripe's library repeats a request after its connection broke.
        const faults =
          moment === "after" ? ["drop" as const, "drop" as const] : [failure(503, { message: "Down" })];
        let left = number;
        const taken = stripe.calls.push.bind(stripe.calls);
        stripe.calls.push = (...calls) => {
          left -= 1;
          if (left === 0) stripe.faults.push(...faults);
          return taken(...calls);
        };
        await sweep();
        stripe.calls.push = taken;
        expect(await waiting()).toMatchObject([{ attempts: 1 }]);
        await expectAnswered(number);
      }
    },
  );
});
