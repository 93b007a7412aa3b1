import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { createEndpoint } from "@findersfee/domain/endpoints/create";
import { createOrganization } from "@findersfee/domain/organizations/create";
import { Receiver } from "@findersfee/worker/testing/receiver";
import { Webhook } from "standardwebhooks";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { CommandLine, type Environment, findersfee } from "./command-line.ts";
import { addAffiliate, CAMPAIGN, feedShows, Listening, type Poster, post, until } from "./listening.ts";

const FEED_MILLISECONDS = 20_000;
const secrets_key = Buffer.alloc(32, 7);

let test: TestDatabase;
let service: CommandLine;
let environment: Environment;
let folder: string;
let receiver: Receiver;
/** An organization of each test's own. */
let organization: Poster & { organization_id: string };
/** What a listener gets: no configuration of a service, but what would keep a service from starting. */
let developer: Environment;
const running: Listening[] = [];

beforeAll(async () => {
  test = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), "findersfee-listen-"));
  environment = {
    DATABASE_URL: test.url,
    SECRETS_KEY: secrets_key.toString("base64"),
    WEBHOOK_ALLOW_HTTP: "true",
    WEBHOOK_ALLOW_PRIVATE: "true",
    LOG_LEVEL: "fatal",
    PORT: "0",
  };
  service = new CommandLine(["start"], environment);
  const { port } = new URL(await service.says(/API +(http:\S+)\/v1/));
  environment = { ...environment, PORT: port };
}, 60_000);

afterAll(async () => {
  await service.end("SIGTERM");
  await test.close();
  await rm(folder, { recursive: true });
});

beforeEach(async () => {
  receiver = await Receiver.start();
  const options = { name: "Test", currency: "USD", subscription_status: "active" } as const;
  const url = `http://127.0.0.1:${environment.PORT}`;
  organization = { ...(await createOrganization(test.database, options)), url };
  developer = {
    FINDERSFEE_API_KEY: organization.api_key,
    FINDERSFEE_URL: url,
    XDG_STATE_HOME: folder,
    DATABASE_URL: "nonsense",
    PORT: "nonsense",
  };
  await post(organization, "/campaigns", CAMPAIGN);
});

afterEach(async () => {
  for (const listening of running.splice(0)) await listening.end("SIGKILL");
  await receiver.close();
});

function launch(parameters: string): Listening {
  const listening = new Listening(parameters, developer);
  running.push(listening);
  return listening;
}

/** Begins to listen, and waits until nothing that happens can be missed. */
async function listen(parameters: string): Promise<Listening> {
  const listening = launch(parameters);
  await listening.notes(/Ready: /);
  return listening;
}

/** The organization's events as they are stored, oldest first. */
async function stored(): Promise<{ id: string; body: string }[]> {
  return await test.database<{ id: string; body: string }[]>`
    select id, body from events where organization_id = ${organization.organization_id} order by position, id`;
}

async function storedIds(): Promise<string[]> {
  return (await stored()).map(({ id }) => id);
}

it("forwards what deliveries send, byte by byte, in the order of the feed", async () => {
  await createEndpoint(
    {
      database: test.database,
      organization: { id: organization.organization_id, currency: "USD", subscription_status: "active" },
      idempotency: null,
      wake: () => {},
    },
    { secrets_key, allow_http: true, allow_private: true },
    { url: receiver.url("/delivered"), event_types: null, description: "" },
  );
  const listening = await listen(`--forward-to ${receiver.url("/forwarded")}`);
  const secret = await listening.notes(/Signing secret: (whsec_\S{44})$/m);

  const affiliate_id = await addAffiliate(organization, {
    first_name: "Zoë \u{1f600} \u2028",
    last_name: '"\\u0041</script>\u001b[31m',
    details: "line\nline\ttab \u007f \ufeff",
  });
  const referral = { affiliate_id, email: "customer+1@example.com", processor_customer_id: "cüs\u2029_1" };
  const { id: referral_id } = await post(organization, "/referrals", referral);
  for (const [revenue_amount, commission_amount] of [
    [0.3, 0.1],
    [999_999_999_999.99, 1e6],
    [1.1, 0.07],
  ]) {
    await post(organization, "/commissions", { referral_id, revenue_amount, commission_amount });
  }
  const events = await stored();
  expect(events).toHaveLength(6);
  await receiver.has(12, FEED_MILLISECONDS);

  expect(receiver.ids("/forwarded")).toEqual(events.map(({ id }) => id));
  expect(receiver.ids("/delivered").toSorted()).toEqual(events.map(({ id }) => id).toSorted());
  const verifier = new Webhook(secret);
  for (const { id, body } of events) {
    const [one, other] = receiver.received.filter((request) => request.id === id);
    expect([one?.body, other?.body]).toEqual([body, body]);
    const forwarded = one?.path === "/forwarded" ? one : other;
    expect(verifier.verify(body, forwarded?.headers ?? {})).toEqual(JSON.parse(body));
    expect(unsigned(one?.headers)).toEqual(unsigned(other?.headers));
  }

  await listening.says(/(?:→ 204 in \d+ ms[^→]*){6}/);
  expect(listening.ids()).toEqual(events.map(({ id }) => id));
  expect(listening.stdout).toMatch(
    / {2}affiliate\.created +\S{36} {2}a\d+@example\.com, in Partner program\n/,
  );
  expect(listening.stdout).toMatch(/ {2}0\.07 USD for a\d+@example\.com, from customer\+1@example\.com\n/);
});

/** The headers but for what differs between any two attempts. */
function unsigned(headers: Record<string, string> = {}): Record<string, string> {
  const { "webhook-timestamp": _timestamp, "webhook-signature": _signature, ...rest } = headers;
  return rest;
}

it("ends at Ctrl-C with its position kept, and goes on there; also when it was killed", async () => {
  await addAffiliate(organization);
  await feedShows(organization, 1);
  const parameters = `--forward-to ${receiver.url()}`;
  const first = await listen(parameters);
  const secret = await first.notes(/Signing secret: (\S+)/);
  await addAffiliate(organization);
  await first.says(/→ 204/);
  const ended = await first.end("SIGINT");
  expect(ended.code).toBe(0);
  expect(ended.stderr).toMatch(/Ended; next time it goes on where it stopped\.\n$/);

  await addAffiliate(organization);
  const second = await listen(parameters);
  expect(await second.notes(/Ready: (.*)\. Ctrl/)).toBe("events from where it stopped");
  expect(await second.notes(/Signing secret: (\S+)/)).toBe(secret);
  await addAffiliate(organization);
  await second.says(/(?:→ 204[^→]*){2}/);
  await second.end("SIGKILL");

  await addAffiliate(organization);
  await addAffiliate(organization);
  await listen(parameters);
  // Only the one that was answered as it was killed could have come twice.
  const ids = () => receiver.ids().filter((id, index, all) => id !== all[index - 1]);
  await until(5, ids);
  expect(ids()).toEqual((await storedIds()).slice(1));
});

it("replays one event with a signature of now, and says when the receiver does not take it", async () => {
  await addAffiliate(organization);
  await addAffiliate(organization);
  const [event] = await stored();
  const secret = `whsec_${randomBytes(24).toString("base64")}`;
  const replay = ["listen", "--forward-to", receiver.url(), "--replay", event?.id ?? ""];
  const taken = await findersfee(replay, { ...developer, WEBHOOK_SECRET: secret });
  expect(taken).toMatchObject({ code: 0, stderr: expect.stringContaining("the secret that was given") });
  expect(taken.stderr).not.toContain(secret);
  expect(receiver.ids()).toEqual([event?.id]);
  const [request] = receiver.received;
  expect(request?.body).toBe(event?.body);
  expect(() => new Webhook(secret).verify(request?.body ?? "", request?.headers ?? {})).not.toThrow();

  receiver.answer = (_, response) => response.writeHead(400).end("No signature matches.");
  const refused = await findersfee([...replay, "--json"], developer);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toMatch(/^error: The receiver at \S+ did not take the event\.\n$/m);
  expect(JSON.parse(refused.stdout)).toMatchObject({
    id: event?.id,
    forwarded: { delivered: false, status: 400, error_code: "http_status", attempts: 1 },
  });
});

it("outlives a restart of the service, and waits for one that is not there yet", async () => {
  const listening = await listen(`--forward-to ${receiver.url()}`);
  await addAffiliate(organization);
  await receiver.has(1, FEED_MILLISECONDS);
  await service.end("SIGTERM");
  await listening.notes(/^No answer from http\S+ .*Trying again until it answers\.$/m);
  const early = launch("--since 1h");
  await early.notes(/Trying again/);
  service = new CommandLine(["start"], environment);
  await service.says(/API +http/);
  await listening.notes(/^The service answers again\.$/m);
  await early.notes(/Ready: events since /);
  await addAffiliate(organization);
  await receiver.has(2, FEED_MILLISECONDS);
  await until(2, () => early.ids());
  expect(receiver.ids()).toEqual(await storedIds());
  expect((await listening.end("SIGTERM")).code).toBe(0);
}, 60_000);

it("ends when nobody reads its events any more", async () => {
  const listening = await listen("");
  listening.child.stdout?.destroy();
  await addAffiliate(organization);
  await addAffiliate(organization);
  expect((await listening.outcome()).code).toBe(0);
});

it("says what to do about what cannot work", async () => {
  const page = createServer((_, response) => response.setHeader("content-type", "text/html").end("<html>"));
  page.listen(0, "127.0.0.1");
  await once(page, "listening");
  const { port } = page.address() as AddressInfo;
  const other = "0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90";
  const cases: [string, Environment, number, RegExp][] = [
    ["", { FINDERSFEE_API_KEY: "" }, 2, /^error: --api-key: Is needed, or FINDERSFEE_API_KEY: a secret key/],
    ["", { FINDERSFEE_API_KEY: "ff_sk_x" }, 1, /^error: .* does not accept the API key: check --api-key /],
    ["--api-key ff_pk_x", {}, 2, /^error: --api-key \(FINDERSFEE_API_KEY\): Is a publishable key/],
    [
      `--base-url http://127.0.0.1:${port}`,
      {},
      1,
      /^error: \S+ answered with an HTML page .*Check --base-url/,
    ],
    [`--since ${other}`, {}, 1, /^error: There is no event with this id; .*webhook-id/],
    ["--since 2999-01-01T00:00:00Z", {}, 2, /^error: --since: Must not be in the future\.$/m],
    [`--replay ${other}`, {}, 2, /^error: --replay: Needs --forward-to/],
    ["", { XDG_STATE_HOME: "/dev/null/x" }, 1, /^error: Nothing can be kept in .*: set XDG_STATE_HOME/],
  ];
  await Promise.all(
    cases.map(async ([parameters, changes, code, message]) => {
      const { stdout, stderr, ...ended } = await findersfee(`listen ${parameters}`, {
        ...developer,
        ...changes,
      });
      const lines = stderr.trimEnd().split("\n");
      expect(lines[0]).toMatch(message);
      expect({ ...ended, stdout, lines: lines.length }).toEqual({ code, stdout: "", lines: code });
    }),
  );
  page.close();
}, 60_000);
