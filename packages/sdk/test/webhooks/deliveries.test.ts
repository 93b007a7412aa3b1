import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { eventually } from "@findersfee/database/testing/eventually";
import { OPERATOR } from "@findersfee/domain/actor";
import { newSigningSecret } from "@findersfee/domain/secrets/secrets";
import { rotateEndpoint } from "@findersfee/domain/webhooks/endpoints/rotate";
import {
  makeEvents,
  makeOrganization,
  SECRETS_KEY,
  type Subscription,
  subscribe,
} from "@findersfee/worker/testing/subscriptions";
import { startTestWorker } from "@findersfee/worker/testing/test-worker";
import type { Worker } from "@findersfee/worker/worker";
import express from "express";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { expressHandler, memoryDeduplication, type OnEvent } from "../../src/webhooks.ts";
import { FRAMEWORKS, listen, type RunningReceiver } from "./frameworks.ts";

let test: TestDatabase;
let organization_id: string;
let worker: Worker | null;
let receivers: RunningReceiver[];

beforeEach(async () => {
  test = await createTestDatabase();
  organization_id = await makeOrganization(test.database);
  worker = null;
  receivers = [];
});

afterEach(async () => {
  await worker?.stop();
  for (const receiver of receivers) await receiver.close();
  await test.close();
});

/**
 * Subscribes a receiver that gets its secret only afterwards, since an endpoint is created for an existing
 * URL.
 */
async function receive(
  start: (secret: string[]) => Promise<RunningReceiver>,
): Promise<Subscription & { secrets: string[] }> {
  const secrets: string[] = [];
  const receiver = await start(secrets);
  receivers.push(receiver);
  const subscription = await subscribe(test.database, organization_id, receiver.url);
  secrets.push(subscription.secret);
  return { ...subscription, secrets };
}

/** Rotates an endpoint's secret this many times; returns the new secrets. */
async function rotate(id: string, times: number): Promise<string[]> {
  const organization = { id: organization_id, currency: "USD", subscription_status: "active" } as const;
  const context = {
    database: test.database,
    organization,
    actor: OPERATOR,
    idempotency: null,
    notifyWorkers: () => {},
  };
  const policy = { secrets_key: SECRETS_KEY, allow_http: true, allow_private: true };
  const secrets: string[] = [];
  for (let time = 0; time < times; time++)
    secrets.push((await rotateEndpoint(context, policy, { id, overlap_seconds: 3600 })).secret);
  return secrets;
}

async function states(): Promise<Record<string, number>> {
  const rows = await test.database<{ state: string; count: number }[]>`
    select state, count(*)::int as count from deliveries group by state`;
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
}

it("accepts deliveries from the service in every framework", async () => {
  const handled = new Map<string, string[]>();
  for (const [name, start] of Object.entries(FRAMEWORKS)) {
    const ids: string[] = [];
    const onEvent: OnEvent = ({ data }, { id }) => {
      expect(data).toEqual({ id, note: "naïve – ✓" });
      ids.push(id);
    };
    await receive((secret) => start({ secret, onEvent, deduplication: memoryDeduplication() }));
    handled.set(name, ids);
  }
  const ids = await makeEvents(test.database, organization_id, 20);
  worker = await startTestWorker(test);
  await eventually(async () => expect(await states()).toEqual({ delivered: 20 * handled.size }));
  for (const seen of handled.values()) expect(seen.toSorted()).toEqual(ids.toSorted());
});

it("accepts deliveries of an endpoint with ten valid secrets, given any of them", async () => {
  const start = FRAMEWORKS.Fastify;
  if (start === undefined) throw new Error("no Fastify receiver");
  const onEvent = vi.fn();
  const positions = [0, 5, 9];
  for (const position of positions) {
    const { endpoint_id, secrets } = await receive((secret) => start({ secret, onEvent }));
    const valid = [...secrets, ...(await rotate(endpoint_id, 9))];
    secrets.splice(0, 1, valid[position] ?? "");
  }
  await makeEvents(test.database, organization_id, 3);
  worker = await startTestWorker(test);
  await eventually(async () => expect(await states()).toEqual({ delivered: 3 * positions.length }));
  expect(onEvent).toHaveBeenCalledTimes(3 * positions.length);
});

it("shows the receiver's mistake in the delivery's log", async () => {
  await receive((secret) => {
    const app = express();
    app.use(express.json());
    app.post("/hooks", expressHandler({ secret, onEvent: () => {}, onError: () => {} }));
    return listen(app);
  });
  await receive(() => listen(expressHandler({ secret: newSigningSecret(), onEvent: () => {} })));
  await makeEvents(test.database, organization_id, 1);
  worker = await startTestWorker(test);
  await eventually(async () => {
    const attempts = await test.database`select status, response from attempts order by status`;
    expect(attempts).toMatchObject([
      { status: 400, response: expect.stringMatching(/^no_match: .*secret is not that of this endpoint/) },
      { status: 500, response: expect.stringMatching(/^parsed_body: .*before express\.json\(\)/) },
    ]);
  });
});
