import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { eventually } from "@findersfee/database/testing/eventually";
import { casesOf, FULL_TESTS } from "@findersfee/database/testing/full-tests";
import { addJob } from "@findersfee/database/work/queue";
import { notifyWorkers } from "@findersfee/database/work/shards";
import { showTime } from "@findersfee/domain/mails/amounts";
import { pino } from "pino";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Worker } from "../../src/worker.ts";
import { MailServer, type Refusal } from "../mail-server.ts";
import { setOwners } from "../owners.ts";
import { RawServer } from "../raw-server.ts";
import { Receiver } from "../receiver.ts";
import { makeEvents, makeOrganization, subscribe } from "../subscriptions.ts";
import { startTestWorker, type TestWorkerOptions } from "../test-worker.ts";

const FROM = "Findersfee <findersfee@example.com>";

let test: TestDatabase;
let receiver: Receiver;
let mails: MailServer;
let organization_id: string;
const workers: Worker[] = [];

beforeEach(async () => {
  test = await createTestDatabase();
  receiver = await Receiver.start();
  mails = await MailServer.start();
  organization_id = await makeOrganization(test.database);
  await test.database`update organizations set time_zone = 'Asia/Tokyo' where id = ${organization_id}`;
  await setOwners(test.database, organization_id, ["ann@example.com", "bob@example.org"]);
  receiver.answer = ({ path }, response) => {
    const status = /^\/[0-9]{3}$/.test(path) ? Number(path.slice(1)) : 204;
    response.writeHead(status).end();
  };
});

afterEach(async () => {
  for (const worker of workers.splice(0)) await worker.stop();
  await Promise.all([receiver.close(), mails.close()]);
  await test.close();
});

async function work({
  smtp_url = mails.url,
  ...options
}: TestWorkerOptions & { smtp_url?: string | null } = {}) {
  const worker = await startTestWorker(test, {
    mail: { smtp_url, from: FROM },
    ...options,
  });
  workers.push(worker);
  return worker;
}

/** The mails that are still to be sent. */
async function pending() {
  return await test.database`
    select failures, reason, due_at > now() as later from mails where state = 'due'`;
}

/** Resolves when all mails are sent. */
async function allSent(): Promise<void> {
  await eventually(async () => {
    expect(await test.database`select from mails`).not.toEqual([]);
    expect(await pending()).toEqual([]);
  });
}

/** Makes the postponed mails due now, and notifies the workers: they search only every few seconds. */
async function makeDue(): Promise<void> {
  await test.database`update mails set due_at = now() where due_at > now()`;
  await notifyWorkers(test.database, "mails", [organization_id]);
}

/** Resolves when this many mails have failed and wait for their next attempt, and no others are due; returns the reasons. */
async function hasFailed(count: number): Promise<string[]> {
  return await eventually(async () => {
    const failed = await pending();
    expect(failed).toHaveLength(count);
    for (const mail of failed) expect(mail).toMatchObject({ later: true });
    return failed.map(({ reason }) => String(reason));
  });
}

/** Has an endpoint disabled by a delivery that it answers with 410; returns its URL. */
async function loseEndpoint(events = 1): Promise<string> {
  const url = receiver.url("/410");
  await subscribe(test.database, organization_id, url);
  await makeEvents(test.database, organization_id, events);
  return url;
}

it("notifies each owner once about an endpoint that responded with 410 several times", async () => {
  const url = await loseEndpoint(50);
  await work();
  await mails.has(2);
  await allSent();
  expect(mails.received).toHaveLength(2);
  expect(mails.received.map(({ recipients }) => recipients).sort()).toEqual([
    ["ann@example.com"],
    ["bob@example.org"],
  ]);
  const [endpoint] = await test.database`select disabled_at from endpoints`;
  for (const { sender, recipients, headers, text } of mails.received) {
    expect(sender).toBe("findersfee@example.com");
    expect(headers).toMatchObject({
      from: FROM,
      to: recipients[0],
      subject: `Webhook endpoint disabled: ${new URL(url).host}`,
    });
    expect(text).toContain("A webhook endpoint of Acme was disabled");
    expect(text).toContain(url);
    expect(text).toContain(showTime(endpoint?.disabled_at, { language: "en", time_zone: "Asia/Tokyo" }));
    expect(text).toContain("Japan Standard Time");
    expect(text).toContain("410 Gone");
    expect(text).not.toContain("5 days");
  }
});

it("notifies the owners about an endpoint that failed for 5 days", async () => {
  const url = receiver.url("/500");
  await subscribe(test.database, organization_id, url);
  await makeEvents(test.database, organization_id, 1);
  await work();
  await eventually(async () => expect(await test.database`select from endpoint_health`).toHaveLength(1));
  await test.database`update endpoint_health set failing_since = last_failed_at - interval '5 days'`;
  await addJob(test.database, "disable_failing");
  await mails.has(2);
  await allSent();
  expect(mails.received.flatMap(({ recipients }) => recipients).sort()).toEqual([
    "ann@example.com",
    "bob@example.org",
  ]);
  for (const { text } of mails.received) {
    expect(text).toContain(url);
    expect(text).toContain("every delivery to it has failed for 5 days");
    expect(text).not.toContain("410 Gone");
  }
  // The endpoint is disabled, and no second mail is sent.
  await addJob(test.database, "disable_failing", { key: "again" });
  await eventually(async () =>
    expect(await test.database`select from graphile_worker.jobs where key = 'again'`).toEqual([]),
  );
  expect(await pending()).toEqual([]);
  expect(mails.received).toHaveLength(2);
});

it.runIf(FULL_TESTS)("notifies the owners of each organization about each of its endpoints", async () => {
  const other = await makeOrganization(test.database);
  await setOwners(test.database, other, ["eve@example.net"]);
  await setOwners(test.database, organization_id, ["ann@example.com"]);
  const urls = [receiver.url("/410"), receiver.url("/410?two"), receiver.url("/410?other")];
  receiver.answer = (_, response) => response.writeHead(410).end();
  for (const url of urls)
    await subscribe(test.database, url.endsWith("other") ? other : organization_id, url);
  await makeEvents(test.database, organization_id, 1);
  await makeEvents(test.database, other, 1);
  await work();
  await mails.has(3);
  await allSent();
  const reported = mails.received.map(({ recipients, text }) => [
    ...recipients,
    urls.filter((url) => text.split(/\s/).includes(url)),
  ]);
  expect(reported.sort()).toEqual([
    ["ann@example.com", [urls[0]]],
    ["ann@example.com", [urls[1]]],
    ["eve@example.net", [urls[2]]],
  ]);
});

/** The worker delivers as if nothing had happened. */
async function expectDeliveries(): Promise<void> {
  const healthy = await makeOrganization(test.database);
  await subscribe(test.database, healthy, receiver.url("/healthy"));
  const ids = await makeEvents(test.database, healthy, 5);
  await eventually(() => expect(receiver.ids("/healthy").sort()).toEqual([...ids].sort()));
}

const REFUSALS: readonly Refusal[] = [
  { at: "recipient", code: 550 },
  { at: "connection", code: 421 },
  { at: "sender", code: 550 },
  { at: "message", code: 451 },
];

it.each(casesOf(REFUSALS, { short: 1 }))(
  "retries a mail if the server rejects its $at with $code",
  async (refusal) => {
    mails.refusal = refusal;
    await loseEndpoint();
    await work();
    for (const why of await hasFailed(2)) expect(why).toContain(String(refusal.code));
    await makeDue();
    await eventually(async () => {
      for (const { failures } of await pending()) expect(failures).toBeGreaterThan(1);
    });
    await hasFailed(2);
    expect(mails.received).toEqual([]);
    await expectDeliveries();

    mails.refusal = null;
    await makeDue();
    await mails.has(2);
    await allSent();
    expect(mails.received).toHaveLength(2);
  },
);

it.runIf(FULL_TESTS)(
  "notifies the other owners once if an address is rejected, and that one later",
  async () => {
    mails.refusal = { at: "recipient", code: 450, recipient: "ann@example.com" };
    await loseEndpoint();
    await work();
    const [why] = await hasFailed(1);
    expect(why).toContain("450");
    expect(mails.received.map(({ recipients }) => recipients)).toEqual([["bob@example.org"]]);
    mails.refusal = null;
    await makeDue();
    await mails.has(2);
    await allSent();
    expect(mails.received.map(({ recipients }) => recipients)).toEqual([
      ["bob@example.org"],
      ["ann@example.com"],
    ]);
  },
);

it.runIf(FULL_TESTS)("delivers webhooks and loses no mail while the mail server is down", async () => {
  const { port, url } = mails;
  await mails.close();
  await loseEndpoint();
  await work({ smtp_url: url });
  for (const why of await hasFailed(2)) expect(why).toContain("ECONNREFUSED");
  await expectDeliveries();
  mails = await MailServer.start(port);
  await makeDue();
  await mails.has(2);
  await allSent();
  expect(mails.received).toHaveLength(2);
});

it.runIf(FULL_TESTS)("stops while a mail server is silent, without losing the mail", async () => {
  const silent = await RawServer.start(() => {});
  await loseEndpoint();
  const worker = await work({ smtp_url: `smtp://127.0.0.1:${silent.port}` });
  await eventually(() => expect(silent.connections).toBe(2));
  await expectDeliveries();
  const asked_at = performance.now();
  await worker.stop();
  expect(performance.now() - asked_at).toBeLessThan(20_000);
  workers.splice(0);
  await silent.close();
  // A process would be gone by now; this one lives on, and sees its connections break.
  for (const why of await hasFailed(2)) expect(why).toContain("Error");
  await makeDue();
  await work();
  await mails.has(2);
  await allSent();
});

it.runIf(FULL_TESTS)("sends no mail about an endpoint that was enabled again before the mail", async () => {
  mails.refusal = { at: "recipient", code: 550 };
  await loseEndpoint();
  await work();
  await hasFailed(2);
  await test.database`update endpoints set enabled = true, disabled_at = null, disabled_reason = null`;
  const { connections } = mails;
  mails.refusal = null;
  await makeDue();
  await allSent();
  expect(mails.connections).toBe(connections);
  expect(mails.received).toEqual([]);
});

it("logs in with the credentials of SMTP_URL", async () => {
  await loseEndpoint();
  await work({ smtp_url: `smtp://ff%40example.com:p%3Aw@127.0.0.1:${mails.port}` });
  await mails.has(2);
  expect(mails.login).toBe("ff@example.com:p:w");
});

/** Log lines as an operator sees them. */
function recordingLog() {
  const lines: Record<string, unknown>[] = [];
  return { lines, log: pino({ level: "info" }, { write: (line) => lines.push(JSON.parse(line)) }) };
}

it("logs to whom a mail is not sent without a mail server", async () => {
  const { lines, log } = recordingLog();
  await loseEndpoint();
  await work({ smtp_url: null, log });
  const reported = () => lines.filter(({ msg }) => String(msg).includes("SMTP_URL"));
  await eventually(async () => {
    const states = await test.database<{ state: string }[]>`select state from mails`;
    expect(states.map(({ state }) => state)).toEqual(["dropped", "dropped"]);
  });
  expect(reported()).toHaveLength(2);
  expect(
    reported()
      .flatMap(({ to }) => to)
      .sort(),
  ).toEqual(["ann@example.com", "bob@example.org"]);
  expect(mails.connections).toBe(0);
});

it("logs an organization without owners to notify", async () => {
  const { lines, log } = recordingLog();
  await setOwners(test.database, organization_id, []);
  await loseEndpoint();
  await work({ log });
  await eventually(() =>
    expect(lines.find(({ msg }) => String(msg).includes("without owners to notify"))).toMatchObject({
      organization_id,
    }),
  );
  expect(await test.database`select from mails`).toEqual([]);
  expect(mails.connections).toBe(0);
});
