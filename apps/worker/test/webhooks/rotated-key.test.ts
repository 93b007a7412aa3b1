import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { eventually } from "@findersfee/database/testing/eventually";
import { notifyWorkers } from "@findersfee/database/work/shards";
import { claimDatabase } from "@findersfee/domain/secrets/key";
import { rotateSecrets } from "@findersfee/domain/secrets/rotate";
import { withOtherKey } from "@findersfee/domain/secrets/secrets";
import { Webhook } from "standardwebhooks";
import { afterEach, beforeEach, expect, it } from "vitest";
import { Receiver } from "../receiver.ts";
import { makeEvents, makeOrganization, SECRETS_KEY, subscribe } from "../subscriptions.ts";
import { startTestWorker } from "../test-worker.ts";

const NEW_KEY = Buffer.alloc(32, 9);
const ENDPOINTS = 8;

let test: TestDatabase;
let receiver: Receiver;

beforeEach(async () => {
  test = await createTestDatabase();
  receiver = await Receiver.start();
  await claimDatabase(test.database, SECRETS_KEY);
});

afterEach(async () => {
  await receiver.close();
  await test.close();
});

async function delivered(): Promise<number> {
  const [row] = await test.database`select count(*)::int as count from deliveries where state = 'delivered'`;
  return row?.count;
}

it("delivers each event with its endpoint's secret before, during and after a rotation of the key", async () => {
  const { database } = test;
  const organization_id = await makeOrganization(database);
  const secrets = new Map<string, string>();
  for (let index = 0; index < ENDPOINTS; index++) {
    const path = `/${index}`;
    secrets.set(path, (await subscribe(database, organization_id, receiver.url(path))).secret);
  }
  let made = 0;
  const deliver = async (count: number) => {
    await makeEvents(database, organization_id, count);
    made += count;
    await notifyWorkers(database, "events", [organization_id]);
  };
  const keys = { key: NEW_KEY, former: SECRETS_KEY };
  const first = await startTestWorker(test, { secrets_key: withOtherKey(SECRETS_KEY, NEW_KEY) });
  await deliver(5);
  await rotateSecrets(database, keys, { finish: false });
  await deliver(5);
  await eventually(async () => expect(await delivered()).toBe(made * ENDPOINTS));
  await first.stop();

  const second = await startTestWorker(test, { secrets_key: withOtherKey(NEW_KEY, SECRETS_KEY) });
  await deliver(5);
  expect(await rotateSecrets(database, keys, { finish: true })).toMatchObject({ left: 0, is_finished: true });
  await eventually(async () => expect(await delivered()).toBe(made * ENDPOINTS));
  await second.stop();

  const third = await startTestWorker(test, { secrets_key: NEW_KEY });
  await deliver(5);
  await eventually(async () => expect(await delivered()).toBe(made * ENDPOINTS));
  await third.stop();
  for (const { path, headers, body } of receiver.received) {
    expect(new Webhook(secrets.get(path) ?? "").verify(body, headers)).toBeTruthy();
  }
  expect(new Set(receiver.received.map(({ path, id }) => `${path} ${id}`)).size).toBe(made * ENDPOINTS);
  expect([...(await database`select count(*)::int as count from endpoints where enabled`)]).toEqual([
    { count: ENDPOINTS },
  ]);
}, 120_000);
