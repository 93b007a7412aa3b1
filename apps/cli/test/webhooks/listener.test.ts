import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startTestService, type TestClient, type TestService } from "@findersfee/api/testing/test-service";
import { eventually } from "@findersfee/database/testing/eventually";
import { Receiver } from "@findersfee/worker/testing/receiver";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { Feed, type FeedEvent } from "../../src/webhooks/listen/feed.ts";
import { Forwarder, type Forwarding } from "../../src/webhooks/listen/forwarder.ts";
import { Listener } from "../../src/webhooks/listen/listener.ts";
import { PositionFile } from "../../src/webhooks/listen/position.ts";
import { linePrinter } from "../../src/webhooks/listen/printer.ts";
import { sinceInput } from "../../src/webhooks/listen/since.ts";
import { feedShows, until } from "./listening.ts";
import { addAffiliate, CAMPAIGN } from "./posting.ts";

const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

let service: TestService;
let organization: TestClient;
let receiver: Receiver;
let folder: string;
let position_file: PositionFile;
const listeners: { end(): Promise<void> }[] = [];

beforeAll(async () => {
  service = await startTestService();
});

afterAll(() => service.close());

beforeEach(async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  receiver = await Receiver.start();
  folder = await mkdtemp(join(tmpdir(), "findersfee-listener-"));
  organization = await service.organization();
  await organization.trpc.campaigns.create.mutate(CAMPAIGN);
  position_file = new PositionFile(folder, { base_url: service.url, api_key: organization.api_key });
});

afterEach(async () => {
  for (const running of listeners.splice(0)) await running.end();
  await receiver.close();
  await rm(folder, { recursive: true });
  vi.restoreAllMocks();
});

interface Heard {
  events: FeedEvent[];
  done: (Forwarding | null)[];
  retries: number[];
  end(): Promise<void>;
}

interface Wish {
  since?: string;
  types?: string[];
  forward_to?: string;
  retry_seconds?: number[];
}

/** Starts listening, and resolves when no event can be missed. */
async function listen({ since, types, forward_to, retry_seconds = [0.01, 0.02] }: Wish = {}): Promise<Heard> {
  const end = new AbortController();
  const { signal } = end;
  const notices = vi.mocked(console.error);
  const before = notices.mock.calls.length;
  const forwarder =
    forward_to === undefined
      ? null
      : await Forwarder.open({ url: forward_to, secret: SECRET, retry_seconds }, signal);
  const heard: Omit<Heard, "end"> = { events: [], done: [], retries: [] };
  const listener = new Listener({
    feed: new Feed({ base_url: service.url, api_key: organization.api_key }, signal),
    position_file,
    forwarder,
    types: types ?? null,
    signal,
    printer: {
      event: (event) => heard.events.push(event),
      retry: (_, seconds) => heard.retries.push(seconds),
      done: (_, forwarding) => heard.done.push(forwarding),
    },
  });
  const ended = listener
    .listen(since === undefined ? null : sinceInput.parse(since))
    .catch((error: Error) => error);
  const running = {
    ...heard,
    end: async () => {
      end.abort();
      expect(await ended).toMatchObject({ name: "AbortError" });
      await forwarder?.close();
    },
  };
  listeners.push(running);
  await eventually(() => expect(notices.mock.calls.slice(before).flat().join()).toContain("Ready: "));
  return running;
}

/** Stops the listener, so that another one can continue. */
async function stop(heard: Heard): Promise<void> {
  listeners.splice(listeners.indexOf(heard), 1);
  await heard.end();
}

function add(): Promise<string> {
  return addAffiliate(organization);
}

async function storedIds(): Promise<string[]> {
  const rows = await service.database<{ id: string }[]>`
    select id from events where organization_id = ${organization.organization_id} order by position, id`;
  return rows.map(({ id }) => id);
}

function idsOf({ events }: Heard): string[] {
  return events.map(({ id }) => id);
}

describe("a listener begins", () => {
  it("with new events, in an empty or a filled feed, and then at its position", async () => {
    const first = await listen();
    await add();
    await until(1, () => first.events);
    await stop(first);
    await add();
    const second = await listen();
    await until(1, () => second.events);
    expect([...idsOf(first), ...idsOf(second)]).toEqual(await storedIds());
    await stop(second);
    await add();
    await feedShows(organization, 3);
    const third = await listen({ since: "now" });
    await add();
    await until(1, () => third.events);
    expect(idsOf(third)).toEqual((await storedIds()).slice(-1));
  });

  it("at its position, even if killed before any event", async () => {
    await add();
    await feedShows(organization, 1);
    await stop(await listen());
    await add();
    const later = await listen();
    await until(1, () => later.events);
    expect(idsOf(later)).toEqual((await storedIds()).slice(1));
    await stop(later);
    await stop(await listen({ since: new Date().toISOString() }));
    await add();
    const latest = await listen();
    await until(1, () => latest.events);
    expect(idsOf(latest)).toEqual((await storedIds()).slice(2));
  });

  it("after an event, at a time, and at the oldest event", async () => {
    for (let count = 0; count < 3; count++) await add();
    const ids = await storedIds();
    const by_id = await listen({ since: ids[1]?.toUpperCase() ?? "" });
    await until(2, () => by_id.events);
    expect(idsOf(by_id)).toEqual(ids.slice(1));
    await stop(by_id);
    const by_time = await listen({ since: by_id.events[0]?.created_at ?? "" });
    await until(2, () => by_time.events);
    expect(idsOf(by_time)).toEqual(ids.slice(1));
    for (const since of ["2h", "1970-01-01T00:00:00Z"]) {
      const all = await listen({ since });
      await until(3, () => all.events);
      expect(idsOf(all)).toEqual(ids);
    }
  });

  it("with the oldest event if its position has expired", async () => {
    await add();
    await position_file.write({ after: "0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90" });
    const later = await listen();
    await until(1, () => later.events);
    expect(idsOf(later)).toEqual(await storedIds());
    expect(vi.mocked(console.error).mock.calls.flat().join()).toContain(
      "is no longer available: continuing with",
    );
  });
});

it("reads all pages, and skips other types", async () => {
  const first = await add();
  const referral = await organization.trpc.referrals.create.mutate({
    affiliate_id: first,
    email: "c@example.com",
  });
  for (let count = 0; count < 105; count++) {
    await organization.trpc.commissions.create.mutate({
      referral_id: referral.id,
      revenue_amount: 10,
      commission_amount: 1,
    });
  }
  const all = await listen({ since: "1h" });
  await until(108, () => all.events);
  expect(idsOf(all)).toEqual(await storedIds());
  await stop(all);
  const some = await listen({ since: "1h", types: ["affiliate.created", "referral.converted"] });
  await until(2, () => some.events);
  await eventually(async () => expect(await position_file.read()).toEqual({ after: idsOf(all).at(-1) }));
  expect(some.events.map(({ type }) => type)).toEqual(["affiliate.created", "referral.converted"]);
});

describe("a receiver", () => {
  it("gets the event once it starts", async () => {
    const url = receiver.url("/");
    await receiver.close();
    const heard = await listen({ forward_to: url, retry_seconds: Array(500).fill(0.02) });
    await add();
    await until(3, () => heard.retries);
    await add();
    const late = createServer((_, response) => response.end()).listen(Number(new URL(url).port), "127.0.0.1");
    await until(2, () => heard.done);
    expect(heard.done).toMatchObject([{ answer: { status: 200 } }, { answer: { status: 200 }, attempts: 1 }]);
    expect(heard.done[0]?.attempts).toBeGreaterThan(3);
    late.closeAllConnections();
    late.close();
    receiver = await Receiver.start();
  });

  it("is given up, with one attempt per event until it responds", async () => {
    receiver.answer = (_, response) => response.writeHead(503).end();
    const heard = await listen({ forward_to: receiver.url() });
    for (let count = 0; count < 3; count++) await add();
    await until(3, () => heard.done);
    expect(heard.done.map((result) => [result?.given_up, result?.attempts])).toEqual([
      [true, 3],
      [true, 1],
      [true, 1],
    ]);
    receiver.answer = (_, response) => response.writeHead(204).end();
    await add();
    await until(4, () => heard.done);
    expect(heard.done[3]).toMatchObject({ given_up: false, answer: { delivered: true } });
    receiver.answer = (_, response) => response.socket?.destroy();
    await add();
    await until(5, () => heard.done);
    expect(heard.done[4]).toMatchObject({ given_up: true, attempts: 3, answer: { error_code: "reset" } });
  });

  it("gets an event once, regardless of its response", async () => {
    receiver.answer = (_, response) => response.writeHead(500).end("Oops\u001b[31m\nmore");
    const heard = await listen({ forward_to: receiver.url() });
    await add();
    await until(1, () => heard.done);
    expect(receiver.received).toHaveLength(1);
    const [forwarding] = heard.done;
    if (forwarding === null || forwarding === undefined) throw new Error("the event was not forwarded");
    const log = vi.spyOn(console, "log").mockImplementation(() => {});
    const [event] = heard.events;
    if (event === undefined) throw new Error("the event was not printed");
    linePrinter.done(event, forwarding);
    expect(log.mock.calls).toEqual([[expect.stringMatching(/^ {2}→ 500 in \d+ ms: Oops\ufffd\[31m$/)]]);
  });

  it("gets the event in the next run if unreachable at the end", async () => {
    receiver.answer = (_, response) => response.writeHead(502).end();
    const heard = await listen({ forward_to: receiver.url(), retry_seconds: [60] });
    await add();
    await until(1, () => heard.retries);
    await stop(heard);
    receiver.answer = (_, response) => response.writeHead(204).end();
    const later = await listen({ forward_to: receiver.url() });
    await until(1, () => later.done);
    expect(receiver.ids()).toEqual([...(await storedIds()), ...(await storedIds())]);
  });
});

it("prints untrusted text without terminal controls", async () => {
  const log = vi.spyOn(console, "log").mockImplementation(() => {});
  await addAffiliate(organization, { email: "x@example.com" });
  await organization.trpc.campaigns.create.mutate({ ...CAMPAIGN, name: "Bold \u001b[1m \u202e\u009b" });
  await addAffiliate(organization, { email: "y@example.com" });
  const heard = await listen({ since: "1h" });
  await until(2, () => heard.events);
  for (const event of heard.events) linePrinter.event(event);
  linePrinter.event({
    id: "1",
    type: "payout.paid",
    created_at: "2026-11-20T09:30:00.000Z",
    data: { id: 1 },
  });
  expect(log.mock.calls.flat().map((line) => String(line).slice(24))).toEqual([
    `  affiliate.created   ${heard.events[0]?.id}  x@example.com, in Partner program`,
    `  affiliate.created   ${heard.events[1]?.id}  y@example.com, in Bold \ufffd[1m \ufffd\ufffd`,
    "  payout.paid         1",
  ]);
});
