import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { FULL_TESTS } from "@findersfee/database/testing/full-tests";
import { OPERATOR } from "@findersfee/domain/actor";
import { createOrganization } from "@findersfee/domain/organizations/create";
import { createEndpoint } from "@findersfee/domain/webhooks/endpoints/create";
import { Receiver } from "@findersfee/worker/testing/receiver";
import { Webhook } from "standardwebhooks";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { CommandLine, type Environment, findersfee, serviceEnvironment } from "../command-line.ts";
import { feedShows, Listening, until } from "./listening.ts";
import { addAffiliate, CAMPAIGN, type Poster, post } from "./posting.ts";

const EVENT_ID = "0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90";
const secrets_key = Buffer.alloc(32, 7);

let test: TestDatabase;
let service: CommandLine;
let url: string;
let folder: string;
let receiver: Receiver;
/** A separate organization for each test. */
let organization: Poster & { organization_id: string };
/**
 * The listener's environment: no service configuration, except invalid values that would stop a service from
 * starting.
 */
let developer: Environment;
const running: Listening[] = [];

beforeAll(async () => {
  test = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), "findersfee-listen-"));
  const SECRETS_KEY = secrets_key.toString("base64");
  service = new CommandLine(["start"], serviceEnvironment(test.url, { SECRETS_KEY, LOG_LEVEL: "fatal" }));
  url = await service.says(/API +(http:\S+)\/v1/);
});

afterAll(async () => {
  await service.end("SIGTERM");
  await test.close();
  await rm(folder, { recursive: true });
});

beforeEach(async () => {
  receiver = await Receiver.start();
  const options = { name: "Test", currency: "USD", subscription_status: "active" } as const;
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

/** Starts listening, and waits until no event can be missed. */
async function listen(parameters: string): Promise<Listening> {
  const listening = new Listening(parameters, developer);
  running.push(listening);
  await listening.notes(/Ready: /);
  return listening;
}

/** The organization's stored events, oldest first. */
async function stored(): Promise<{ id: string; body: string }[]> {
  return await test.database<{ id: string; body: string }[]>`
    select id, body from events where organization_id = ${organization.organization_id} order by position, id`;
}

async function storedIds(): Promise<string[]> {
  return (await stored()).map(({ id }) => id);
}

it("forwards the same bytes as deliveries, in the order of the feed", async () => {
  await createEndpoint(
    {
      database: test.database,
      organization: { id: organization.organization_id, currency: "USD", subscription_status: "active" },
      actor: OPERATOR,
      idempotency: null,
      notifyWorkers: () => {},
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
  await receiver.has(12);

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

/** The headers without those that differ between attempts. */
function unsigned(headers: Record<string, string> = {}): Record<string, string> {
  const { "webhook-timestamp": _timestamp, "webhook-signature": _signature, ...rest } = headers;
  return rest;
}

it.runIf(FULL_TESTS)(
  "stores its position and continues there after Ctrl-C, a closed pipe, or a kill",
  async () => {
    await addAffiliate(organization);
    await feedShows(organization, 1);
    const parameters = `--forward-to ${receiver.url()}`;
    const first = await listen(parameters);
    const secret = await first.notes(/Signing secret: (\S+)/);
    await addAffiliate(organization);
    await first.says(/→ 204/);
    const ended = await first.end("SIGINT");
    expect(ended.code).toBe(0);
    expect(ended.stderr).toMatch(/Stopped; the next run continues from here\.\n$/);

    await addAffiliate(organization);
    const second = await listen(parameters);
    expect(await second.notes(/Ready: (.*)\. Press Ctrl/)).toBe("events since the last run");
    expect(await second.notes(/Signing secret: (\S+)/)).toBe(secret);
    await addAffiliate(organization);
    await second.says(/(?:→ 204[^→]*){2}/);
    await second.end("SIGKILL");

    await addAffiliate(organization);
    await addAffiliate(organization);
    const third = await listen(parameters);
    // Only the event acknowledged during the kill may arrive twice.
    const ids = () => receiver.ids().filter((id, index, all) => id !== all[index - 1]);
    await until(5, ids);
    expect(ids()).toEqual((await storedIds()).slice(1));

    third.child.stdout?.destroy();
    await addAffiliate(organization);
    await addAffiliate(organization);
    expect((await third.outcome()).code).toBe(0);
  },
);

it.runIf(FULL_TESTS)("replays one event with a current signature, and reports a rejection", async () => {
  await addAffiliate(organization);
  await addAffiliate(organization);
  const [event] = await stored();
  const secret = `whsec_${randomBytes(24).toString("base64")}`;
  receiver.answer = ({ path }, response) => {
    if (path === "/refused") response.writeHead(400).end("No signature matches.");
    else response.writeHead(204).end();
  };
  const replay = (path: string, ...parameters: string[]) => {
    const command = [
      "listen",
      "--forward-to",
      receiver.url(path),
      "--replay",
      event?.id ?? "",
      ...parameters,
    ];
    return findersfee(command, { ...developer, WEBHOOK_SECRET: secret });
  };
  const [taken, refused] = await Promise.all([replay("/"), replay("/refused", "--json")]);
  expect(taken).toMatchObject({ code: 0, stderr: expect.stringContaining("the secret from --secret") });
  expect(taken.stderr).not.toContain(secret);
  expect(receiver.ids("/")).toEqual([event?.id]);
  const [request] = receiver.received;
  expect(request?.body).toBe(event?.body);
  expect(() => new Webhook(secret).verify(request?.body ?? "", request?.headers ?? {})).not.toThrow();

  expect(refused.code).toBe(1);
  expect(refused.stderr).toMatch(/^error: The receiver at \S+ did not accept the event\.\n$/m);
  expect(JSON.parse(refused.stdout)).toMatchObject({
    id: event?.id,
    forwarded: { delivered: false, status: 400, error_code: "http_status", attempts: 1 },
  });
});

it("reports an error on one line and a usage hint on another", async () => {
  const { code, stdout, stderr } = await findersfee(`listen --replay ${EVENT_ID}`, developer);
  expect(stderr).toMatch(/^error: --replay: Requires --forward-to, .*\nAdd --help .*\n$/);
  expect([code, stdout]).toEqual([2, ""]);
});
