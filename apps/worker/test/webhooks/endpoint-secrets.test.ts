import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { FULL_TESTS } from "@findersfee/database/testing/full-tests";
import { OPERATOR } from "@findersfee/domain/actor";
import type { Context } from "@findersfee/domain/context";
import { expireEndpointSecret } from "@findersfee/domain/webhooks/endpoints/expire-secret";
import { rotateEndpoint } from "@findersfee/domain/webhooks/endpoints/rotate";
import { updateEndpoint } from "@findersfee/domain/webhooks/endpoints/update";
import { Webhook } from "standardwebhooks";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Worker } from "../../src/worker.ts";
import { type Received, Receiver } from "../receiver.ts";
import { makeEvents, makeOrganization, POLICY, subscribe } from "../subscriptions.ts";
import { startTestWorker } from "../test-worker.ts";

let test: TestDatabase;
let receiver: Receiver;
let worker: Worker;
let organization_id: string;

beforeEach(async () => {
  test = await createTestDatabase();
  receiver = await Receiver.start();
  organization_id = await makeOrganization(test.database);
  worker = await startTestWorker(test);
});

afterEach(async () => {
  await receiver.close();
  await worker.stop();
  await test.close();
});

function context(): Context {
  const organization = { id: organization_id, currency: "USD", subscription_status: "active" } as const;
  return {
    database: test.database,
    organization,
    actor: OPERATOR,
    idempotency: null,
    notifyWorkers: () => {},
  };
}

/** Makes an event; returns its delivery when it has come. */
async function deliver(): Promise<Received> {
  const before = receiver.received.length;
  await makeEvents(test.database, organization_id, 1);
  await receiver.has(before + 1);
  const received = receiver.received.at(-1);
  if (received === undefined) throw new Error("nothing was received");
  return received;
}

/** Whether the reference library accepts a delivery with a secret. */
function verifies(secret: string, { body, headers }: Received): boolean {
  try {
    new Webhook(secret).verify(body, headers);
    return true;
  } catch {
    return false;
  }
}

it("signs with each secret until it expires, after any number of rotations", async () => {
  const { endpoint_id: id, secret: first } = await subscribe(test.database, organization_id, receiver.url());
  const rotate = (overlap_seconds: number) => rotateEndpoint(context(), POLICY, { id, overlap_seconds });
  const second = await rotate(86_400);
  expect(second.secret).not.toBe(first);
  const third = await rotate(3_600);
  const all = [third.secret, second.secret, first];
  const twice_rotated = await deliver();
  expect(all.map((secret) => verifies(secret, twice_rotated))).toEqual([true, true, true]);
  expect(twice_rotated.headers["webhook-signature"]).toMatch(/^v1,\S+ v1,\S+ v1,\S+$/);

  const ends_first = third.secrets.at(-1);
  await expireEndpointSecret(context(), { id, secret_id: ends_first?.id ?? "" });
  const expired = await deliver();
  expect(all.map((secret) => verifies(secret, expired))).toEqual([true, false, true]);

  const fourth = await rotate(0);
  const replaced = await deliver();
  expect([fourth.secret, ...all].map((secret) => verifies(secret, replaced))).toEqual([
    true,
    false,
    false,
    true,
  ]);
});

it.runIf(FULL_TESTS)("stops signing with a former secret when it expires", async () => {
  const { endpoint_id: id, secret } = await subscribe(test.database, organization_id, receiver.url());
  const rotated = await rotateEndpoint(context(), POLICY, { id, overlap_seconds: 2 });
  const ends = Date.parse(rotated.secrets.at(-1)?.expires_at ?? "");
  for (;;) {
    const delivery = await deliver();
    expect(verifies(rotated.secret, delivery)).toBe(true);
    if (!verifies(secret, delivery)) break;
  }
  expect(Date.now()).toBeGreaterThanOrEqual(ends);
});

it("limits the size of a signature header with ten secrets", async () => {
  const { endpoint_id: id } = await subscribe(test.database, organization_id, receiver.url());
  for (let time = 0; time < 9; time++) await rotateEndpoint(context(), POLICY, { id, overlap_seconds: 60 });
  const { headers } = await deliver();
  expect(headers["webhook-signature"]?.split(" ")).toHaveLength(10);
  expect(headers["webhook-signature"]?.length).toBeLessThan(512);
});

it("sends the current custom headers of an endpoint", async () => {
  const { endpoint_id: id } = await subscribe(test.database, organization_id, receiver.url());
  expect((await deliver()).headers).not.toHaveProperty("x-api-key");
  await updateEndpoint(context(), POLICY, {
    id,
    custom_headers: { "X-Api-Key": "5f0b", "X-Tenant": "acme" },
  });
  expect((await deliver()).headers).toMatchObject({ "x-api-key": "5f0b", "x-tenant": "acme" });
  await updateEndpoint(context(), POLICY, { id, custom_headers: { "X-Tenant": null } });
  const { headers } = await deliver();
  expect(headers).toMatchObject({ "x-api-key": "5f0b" });
  expect(headers).not.toHaveProperty("x-tenant");
});
