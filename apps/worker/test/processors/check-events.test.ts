import { required_event_types } from "@findersfee/contract/processors/stripe-events";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { waitForResult } from "@findersfee/database/testing/eventually";
import { failEachCall, LOST_ANSWERS } from "@findersfee/database/testing/faults/each-call";
import { requestEventsCheck } from "@findersfee/domain/processors/connections/check-events";
import { connectProcessor } from "@findersfee/domain/processors/connections/connect";
import { listProcessors } from "@findersfee/domain/processors/connections/get";
import { STRIPE_SECRET } from "@findersfee/domain/testing/processors/signed";
import { pino } from "pino";
import { afterEach, beforeEach, expect, it } from "vitest";
import { checkAllEvents } from "../../src/processors/stripe/check-events.ts";
import { makeTestOrganization, type TestOrganization } from "../processing.ts";
import { SECRETS_KEY } from "../subscriptions.ts";
import { startTestWorker } from "../test-worker.ts";
import { failure, StripeServer } from "./stripe-server.ts";

const FEW = required_event_types.filter(
  (type) => type !== "invoice_payment.paid" && type !== "refund.failed",
);

let test: TestDatabase;
let stripe: StripeServer;
let organization: TestOrganization;
let address: string;

beforeEach(async () => {
  test = await createTestDatabase();
  stripe = await StripeServer.start();
  organization = await makeTestOrganization(test.database);
  address = `https://partners.example.com/processors/stripe/${organization.organization_id}`;
});

afterEach(async () => {
  await stripe.close();
  await test.close();
});

async function connect(api_key: string | null = "rk_live_abcdefgh1234"): Promise<void> {
  await connectProcessor(organization.context, SECRETS_KEY, {
    name: "stripe",
    signing_secret: STRIPE_SECRET,
    api_key,
    livemode: true,
  } as Parameters<typeof connectProcessor>[2]);
}

async function checked() {
  const log = pino({ level: "silent" });
  const parts = {
    database: test.database,
    log,
    secrets_key: SECRETS_KEY,
    stripe_api_url: stripe.url,
    publicUrl: () => null,
  };
  await checkAllEvents(parts, new AbortController().signal);
  const [processor] = await listProcessors(organization.context);
  return { missing: processor?.missing_events, error: processor?.events_check_error };
}

it("lists the event types that the Stripe endpoint lacks", async () => {
  await connect();
  stripe.addEndpoint("https://elsewhere.example.com/stripe", ["*"]);
  stripe.addEndpoint(address, FEW);
  expect(await checked()).toEqual({ missing: ["invoice_payment.paid", "refund.failed"], error: null });
  stripe.addEndpoint(`${address}/`, ["refund.failed"]);
  expect(await checked()).toEqual({ missing: ["invoice_payment.paid"], error: null });
  stripe.addEndpoint(address, ["*"]);
  expect(await checked()).toEqual({ missing: [], error: null });
});

it("finds the endpoint on any page of Stripe's list", async () => {
  await connect();
  for (let number = 0; number < 120; number++) stripe.addEndpoint(`https://example.com/${number}`, ["*"]);
  stripe.addEndpoint(address, FEW);
  expect(await checked()).toMatchObject({ missing: ["invoice_payment.paid", "refund.failed"] });
});

it("explains a check without a result", async () => {
  await connect();
  expect(await checked()).toEqual({ missing: null, error: expect.stringMatching(/no webhook endpoint/) });
  stripe.addEndpoint(address, ["*"], "disabled");
  expect(await checked()).toEqual({ missing: null, error: expect.stringMatching(/disabled at Stripe/) });
  stripe.forbidden.add("webhook_endpoints");
  expect(await checked()).toEqual({
    missing: null,
    error: expect.stringMatching(/permission to read Webhook/),
  });
  stripe.forbidden.clear();
  stripe.faults.push(failure(500, { message: "Down" }));
  expect(await checked()).toEqual({ missing: null, error: expect.stringMatching(/could not be read: Down/) });
});

it("checks events when a key is connected and when staff request it", async () => {
  stripe.addEndpoint(address, FEW);
  const worker = await startTestWorker(test, { stripe_api_url: stripe.url });
  const resultWith = async (missing: number) =>
    await waitForResult(60_000, async () => {
      const [processor] = await listProcessors(organization.context);
      return processor?.missing_events?.length === missing ? processor : null;
    });
  try {
    await connect();
    expect(await resultWith(2)).toMatchObject({ events_check_error: null });
    stripe.addEndpoint(address, ["*"]);
    await requestEventsCheck(organization.context, "stripe");
    await resultWith(0);
  } finally {
    await worker.stop();
  }
});

it.each(LOST_ANSWERS)("repeats the check after a failed call: %s", async (kind) => {
  await connect();
  stripe.addEndpoint(address, FEW);
  const log = pino({ level: "silent" });
  let failed = 0;
  await failEachCall(test.url, kind, async (database) => {
    const parts = {
      database,
      log,
      secrets_key: SECRETS_KEY,
      stripe_api_url: stripe.url,
      publicUrl: () => null,
    };
    await checkAllEvents(parts, new AbortController().signal).catch(() => {
      failed += 1;
    });
  });
  // The two statements. The driver itself repeats a session start that was reset.
  expect(failed).toBeGreaterThanOrEqual(2);
  expect(await checked()).toMatchObject({ missing: ["invoice_payment.paid", "refund.failed"] });
});

it("requires an API key", async () => {
  await connect(null);
  await expect(requestEventsCheck(organization.context, "stripe")).rejects.toThrow();
});
