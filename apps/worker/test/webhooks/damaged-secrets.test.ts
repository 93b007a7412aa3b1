import { Writable } from "node:stream";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { eventually } from "@findersfee/database/testing/eventually";
import { casesOf, FULL_TESTS } from "@findersfee/database/testing/full-tests";
import { notifyWorkers } from "@findersfee/database/work/shards";
import { OPERATOR } from "@findersfee/domain/actor";
import type { Context } from "@findersfee/domain/context";
import { newId } from "@findersfee/domain/ids";
import { claimDatabase } from "@findersfee/domain/secrets/key";
import { sealSecret } from "@findersfee/domain/secrets/secrets";
import { enableEndpoint } from "@findersfee/domain/webhooks/endpoints/enable";
import { getEndpoint, getEndpointSecret } from "@findersfee/domain/webhooks/endpoints/get";
import { rotateEndpoint } from "@findersfee/domain/webhooks/endpoints/rotate";
import { updateEndpoint } from "@findersfee/domain/webhooks/endpoints/update";
import { pino } from "pino";
import { Webhook } from "standardwebhooks";
import { afterEach, beforeEach, expect, it } from "vitest";
import { MailServer } from "../mail-server.ts";
import { setOwners } from "../owners.ts";
import { Receiver } from "../receiver.ts";
import { makeEvents, makeOrganization, POLICY, SECRETS_KEY, subscribe } from "../subscriptions.ts";
import { startTestWorker, type TestWorkerOptions } from "../test-worker.ts";

const OTHER_KEY = Buffer.alloc(32, 9);

let test: TestDatabase;
let receiver: Receiver;
let mails: MailServer;
const closed: (() => Promise<void>)[] = [];

beforeEach(async () => {
  test = await createTestDatabase();
  receiver = await Receiver.start();
  mails = await MailServer.start();
  await claimDatabase(test.database, SECRETS_KEY);
});

afterEach(async () => {
  for (const close of closed.splice(0).reverse()) await close();
  await receiver.close();
  await mails.close();
  await test.close();
});

async function work(options: TestWorkerOptions = {}): Promise<void> {
  const mail = { smtp_url: mails.url, from: "findersfee@example.com" };
  const worker = await startTestWorker(test, { mail, ...options });
  closed.push(() => worker.stop());
}

function contextOf(organization_id: string): Context {
  const organization = { id: organization_id, currency: "USD", subscription_status: "active" } as const;
  const notify = () => void notifyWorkers(test.database, "events", [organization_id]);
  return { database: test.database, organization, actor: OPERATOR, idempotency: null, notifyWorkers: notify };
}

/** An organization with an owner, and an endpoint at a path of the receiver. */
async function subscriber(path: string) {
  const organization_id = await makeOrganization(test.database);
  await setOwners(test.database, organization_id, [`${path.slice(1)}@example.com`]);
  const { endpoint_id, secret } = await subscribe(test.database, organization_id, receiver.url(path));
  return { organization_id, endpoint_id, secret };
}

async function states(endpoint_id: string): Promise<Record<string, number>> {
  const rows = await test.database<{ state: string; count: number }[]>`
    select state, count(*)::int as count from deliveries where endpoint_id = ${endpoint_id} group by state`;
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
}

async function disabledReason(endpoint_id: string): Promise<string | null> {
  const [row] = await test.database`select disabled_reason from endpoints where id = ${endpoint_id}`;
  return row?.disabled_reason;
}

async function setSecret(endpoint_id: string, sealed: Buffer): Promise<void> {
  await test.database`
    update endpoint_secrets set secret_encrypted = ${sealed} where endpoint_id = ${endpoint_id}`;
}

type Subscriber = Awaited<ReturnType<typeof subscriber>>;

const DAMAGES: [string, (subscriber: Subscriber) => Promise<unknown>][] = [
  [
    "was encrypted under another key",
    ({ organization_id, endpoint_id, secret }) =>
      setSecret(endpoint_id, sealSecret(OTHER_KEY, { organization_id, endpoint_id }, secret)),
  ],
  [
    "was encrypted for another endpoint",
    ({ organization_id, endpoint_id, secret }) =>
      setSecret(
        endpoint_id,
        sealSecret(SECRETS_KEY, { organization_id, endpoint_id: newId(new Date()) }, secret),
      ),
  ],
  ["is cut off", ({ endpoint_id }) => setSecret(endpoint_id, Buffer.of(1, 2, 3))],
  [
    "is gone",
    ({ endpoint_id }) => test.database`delete from endpoint_secrets where endpoint_id = ${endpoint_id}`,
  ],
  [
    "is fine, but its custom headers are damaged",
    async ({ organization_id, endpoint_id: id }) => {
      await updateEndpoint(contextOf(organization_id), POLICY, { id, custom_headers: { "X-Api-Key": "1" } });
      await test.database`update endpoints set custom_headers_encrypted = '\\x00' where id = ${id}`;
    },
  ],
];

it.each(casesOf(DAMAGES, { short: 1 }))(
  "disables only an endpoint with a secret that %s",
  async (_, damage) => {
    const damaged = await subscriber("/damaged");
    const others = [await subscriber("/one"), await subscriber("/two"), await subscriber("/three")];
    await damage(damaged);
    for (const { organization_id } of [damaged, ...others])
      await makeEvents(test.database, organization_id, 20);
    await work();
    for (const { endpoint_id } of others) {
      await eventually(async () => expect(await states(endpoint_id)).toEqual({ delivered: 20 }));
      expect(await disabledReason(endpoint_id)).toBeNull();
    }
    await eventually(async () => expect(await states(damaged.endpoint_id)).toEqual({ canceled: 20 }));
    expect(await disabledReason(damaged.endpoint_id)).toBe("secret");
    expect(receiver.ids("/damaged")).toEqual([]);
    await mails.has(1);
    expect(mails.received.map(({ recipients }) => recipients)).toEqual([["damaged@example.com"]]);
    expect(mails.received[0]?.text).toContain("can't be read");
    expect(mails.received[0]?.text).toContain("Rotate the secret");
    const [entry] = await test.database`
    select actor, after from audit_log_entries where resource_id = ${damaged.endpoint_id} and action = 'disabled'`;
    expect(entry).toMatchObject({ actor: "job deliver", after: { disabled_reason: "secret" } });
  },
);

const ROTATED: [string, (endpoint_id: string) => Promise<unknown>][] = [
  ["gone", (id) => test.database`delete from endpoint_secrets where endpoint_id = ${id}`],
  ["damaged", (id) => setSecret(id, Buffer.of(1))],
];

it.each(casesOf(ROTATED, { short: 1 }))(
  "enables and replays an endpoint with a %s secret after a rotation",
  async (_, damage) => {
    const { organization_id, endpoint_id: id } = await subscriber("/damaged");
    const context = contextOf(organization_id);
    await damage(id);
    const ids = await makeEvents(test.database, organization_id, 5);
    await work();
    await eventually(async () => expect(await states(id)).toEqual({ canceled: 5 }));
    expect(await getEndpoint(context, id)).toMatchObject({ disabled_reason: "secret" });
    expect(await getEndpointSecret(context, POLICY, id)).toEqual({ secret: null });
    await expect(enableEndpoint(context, { id, replay_missed: true }, POLICY)).rejects.toMatchObject({
      code: "invalid_request",
      message: expect.stringContaining("Rotate it"),
    });
    const { secret, secrets } = await rotateEndpoint(context, POLICY, { id, overlap_seconds: 86_400 });
    expect(secrets).toHaveLength(1);
    await enableEndpoint(context, { id, replay_missed: true }, POLICY);
    await eventually(async () => expect(await states(id)).toEqual({ delivered: 5 }));
    expect(receiver.ids("/damaged").sort()).toEqual([...ids].sort());
    for (const { body, headers } of receiver.received) new Webhook(secret).verify(body, headers);
  },
);

it.runIf(FULL_TESTS)(
  "disables no endpoint with a wrong key, and leaves deliveries to workers with the right key",
  async () => {
    const subscribers = [await subscriber("/one"), await subscriber("/two"), await subscriber("/three")];
    for (const { organization_id } of subscribers) await makeEvents(test.database, organization_id, 10);
    const lines: string[] = [];
    const log = pino(
      new Writable({
        write: (chunk, _, done) => {
          lines.push(String(chunk));
          done();
        },
      }),
    );
    const wrong = await startTestWorker(test, { secrets_key: OTHER_KEY, log });
    await eventually(() =>
      expect(lines.filter((line) => line.includes("SECRETS_KEY is not the key")).length).toBeGreaterThan(2),
    );
    for (const { endpoint_id } of subscribers) {
      expect(await disabledReason(endpoint_id)).toBeNull();
      expect(await states(endpoint_id)).toEqual({ pending: 10 });
    }
    await wrong.stop();
    await work();
    for (const { endpoint_id } of subscribers)
      await eventually(async () => expect(await states(endpoint_id)).toEqual({ delivered: 10 }));
    expect(await test.database`select from audit_log_entries where action = 'disabled'`).toEqual([]);
    expect(mails.received).toEqual([]);
  },
);

it("signs with the current secret if a former one is damaged", async () => {
  const { organization_id, endpoint_id: id } = await subscriber("/damaged");
  const { secret, secrets } = await rotateEndpoint(contextOf(organization_id), POLICY, {
    id,
    overlap_seconds: 86_400,
  });
  await test.database`
    update endpoint_secrets set secret_encrypted = '\\x00' where id = ${secrets[1]?.id ?? ""}`;
  await makeEvents(test.database, organization_id, 1);
  await work();
  await receiver.has(1);
  const [received] = receiver.received;
  new Webhook(secret).verify(received?.body ?? "", received?.headers ?? {});
  expect(await disabledReason(id)).toBeNull();
});
