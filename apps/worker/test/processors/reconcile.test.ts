import { findProcessor } from "@findersfee/database/processors/processors";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { connectProcessor } from "@findersfee/domain/processors/connections/connect";
import { listProcessors } from "@findersfee/domain/processors/connections/get";
import { requestReconciliation } from "@findersfee/domain/processors/connections/reconcile";
import { STRIPE_SECRET } from "@findersfee/domain/testing/processors/signed";
import { pino } from "pino";
import { afterEach, beforeEach, expect, it } from "vitest";
import { reconcile, reconcileAll, reconcileRequested } from "../../src/processors/stripe/reconcile.ts";
import { makeTestOrganization, messageStates, storeStripe, type TestOrganization } from "../processing.ts";
import { SECRETS_KEY } from "../subscriptions.ts";
import { failure, StripeServer } from "./stripe-server.ts";

const HOUR_SECONDS = 3_600;
const NEVER = new AbortController().signal;

let test: TestDatabase;
let stripe: StripeServer;
let organization: TestOrganization;

beforeEach(async () => {
  test = await createTestDatabase();
  stripe = await StripeServer.start();
  organization = await makeTestOrganization(test.database);
  const api_key = "rk_live_abcdefgh1234";
  await connectProcessor(organization.context, SECRETS_KEY, {
    name: "stripe",
    signing_secret: STRIPE_SECRET,
    api_key,
    livemode: true,
  });
});

afterEach(async () => {
  await stripe.close();
  await test.close();
});

/** An event from this many hours ago. */
function event(number: number, { hours = number / 100, type = "invoice.paid", livemode = true } = {}) {
  const created = Math.floor(Date.now() / 1000 - hours * HOUR_SECONDS);
  return { id: `evt_${number}`, object: "event", type, created, livemode, data: { object: {} } };
}

function parts() {
  const log = pino({ level: "silent" });
  return { database: test.database, log, secrets_key: SECRETS_KEY, stripe_api_url: stripe.url };
}

async function run(options: { days?: number; signal?: AbortSignal } = {}) {
  const row = await findProcessor(test.database, organization.organization_id, "stripe");
  if (row === null) throw new Error("it is not connected");
  return await reconcile(parts(), { row, days: 3, signal: NEVER, ...options });
}

it("imports only missed events, page by page", async () => {
  stripe.events = [
    ...Array.from({ length: 230 }, (_, number) => event(number)),
    event(998, { hours: 71, type: "payout.paid" }),
    event(999, { hours: 71, livemode: false }),
    event(1_000, { hours: 73 }),
  ];
  await storeStripe(
    test.database,
    organization.organization_id,
    stripe.events.slice(0, 100).map((event) => JSON.stringify(event)),
  );
  expect(await run()).toMatchObject({ read: 232, stored: 131, finished: true, error: null });
  expect(stripe.calls).toHaveLength(3);
  expect(await messageStates(test.database, organization.organization_id)).toEqual({
    received: 230,
    skipped: 1,
  });
  const [came] = await test.database`
    select count(*)::int as count from processor_messages where source = 'reconciliation'`;
  expect(came).toEqual({ count: 131 });
  expect(await run({ days: 30 })).toMatchObject({ read: 233, stored: 1, finished: true });
  const row = await findProcessor(test.database, organization.organization_id, "stripe");
  expect(row?.reconciled_at?.getTime()).toBeGreaterThan(Date.now() - 60_000);
});

/** A signal that the call with this number to Stripe aborts. */
function abortedByCall(number: number): AbortSignal {
  const controller = new AbortController();
  const calls = stripe.calls.push.bind(stripe.calls);
  stripe.calls.push = (...made) => {
    if (stripe.calls.length === number - 1) controller.abort();
    return calls(...made);
  };
  return controller.signal;
}

it("resumes after an interruption", async () => {
  stripe.events = Array.from({ length: 250 }, (_, number) => event(number));
  expect(await run({ signal: abortedByCall(2) })).toMatchObject({ read: 200, finished: false });
  expect(await run()).toMatchObject({ read: 50, stored: 50, finished: true });
  expect(stripe.calls.at(-1)?.query.get("starting_after")).toBe("evt_199");
  expect(await messageStates(test.database, organization.organization_id)).toEqual({ received: 250 });
});

it("waits as long as Stripe requests", async () => {
  stripe.events = [event(1)];
  stripe.faults.push(failure(429, { message: "Too many requests", code: "rate_limit" }), "drop");
  expect(await run()).toMatchObject({ stored: 1, finished: true });
  expect(stripe.calls).toHaveLength(3);
});

it("logs a failed organization and continues with the others", async () => {
  stripe.events = [event(1)];
  stripe.unknown_keys.add("sk_live_notallowed12");
  const other = await makeTestOrganization(test.database);
  await connectProcessor(other.context, SECRETS_KEY, {
    name: "stripe",
    signing_secret: STRIPE_SECRET,
    api_key: "sk_live_notallowed12",
    livemode: true,
  });
  const all = await reconcileAll(parts(), { days: 3, signal: NEVER });
  expect(all).toMatchObject([
    { organization_id: organization.organization_id, stored: 1, error: null },
    { organization_id: other.organization_id, stored: 0, error: expect.stringMatching(/Invalid API Key/) },
  ]);
});

it("imports what was missed on request, and shows its progress", async () => {
  const payload = { organization_id: organization.organization_id };
  const job = () => reconcileRequested(parts(), { payload, signal: NEVER });
  const shown = async () => (await listProcessors(organization.context))[0];
  stripe.events = [event(1), event(2)];
  await job();
  expect(stripe.calls).toHaveLength(0);
  await requestReconciliation(organization.context, "stripe");
  expect(await shown()).toMatchObject({
    reconcile_requested_at: expect.any(String),
    reconciled_events: null,
  });
  await job();
  expect(await shown()).toMatchObject({
    reconcile_requested_at: null,
    reconciled_at: expect.any(String),
    reconciled_events: 2,
    reconcile_error: null,
    last_message_type: "invoice.paid",
  });
  stripe.faults.push(failure(401, { message: "Invalid API Key" }));
  await requestReconciliation(organization.context, "stripe");
  await job();
  expect(await shown()).toMatchObject({
    reconcile_requested_at: null,
    reconcile_error: expect.stringContaining("Invalid API Key"),
  });
});

it("reads again when the request came during a reading that it continues", async () => {
  stripe.events = Array.from({ length: 250 }, (_, number) => event(number));
  await run({ signal: abortedByCall(1) });
  await requestReconciliation(organization.context, "stripe");
  stripe.events.unshift(event(1_000, { hours: 0 }));
  await reconcileRequested(parts(), {
    payload: { organization_id: organization.organization_id },
    signal: NEVER,
  });
  expect(await messageStates(test.database, organization.organization_id)).toEqual({ received: 251 });
});
