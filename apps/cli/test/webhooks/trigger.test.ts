import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eventBodySchemas, eventTypes } from "@findersfee/contract/webhooks/events";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { casesOf, FULL_TESTS } from "@findersfee/database/testing/full-tests";
import { OPERATOR } from "@findersfee/domain/actor";
import { createOrganization } from "@findersfee/domain/organizations/create";
import { createEndpoint } from "@findersfee/domain/webhooks/endpoints/create";
import { Receiver } from "@findersfee/worker/testing/receiver";
import { Webhook } from "standardwebhooks";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { listenSecret } from "../../src/webhooks/listen/secret.ts";
import { findersfee } from "../command-line.ts";

const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const TYPES =
  "affiliate.created, affiliate.approved, affiliate.tier_changed, referral.created, referral.converted, commission.created";

let receiver: Receiver;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "findersfee-trigger-"));
});

afterAll(() => rm(folder, { recursive: true }));

beforeEach(async () => {
  receiver = await Receiver.start();
});

afterEach(() => receiver.close());

describe("trigger --forward-to", () => {
  it("sends a signed sample of each type like a delivery", async () => {
    const parameters = ["--forward-to", receiver.url(), "--json"];
    const outcomes = await Promise.all(
      eventTypes.map((type) => findersfee(["trigger", type, ...parameters], { WEBHOOK_SECRET: SECRET })),
    );
    const verifier = new Webhook(SECRET);
    for (const [index, type] of eventTypes.entries()) {
      const { code, stdout, stderr } = outcomes[index] ?? { code: null, stdout: "", stderr: "" };
      expect([code, stderr]).toEqual([0, ""]);
      const printed = JSON.parse(stdout);
      expect(printed).toMatchObject({ type, forwarded: { delivered: true, status: 204, attempts: 1 } });
      const request = receiver.received.find(({ id }) => id === printed.id);
      if (request === undefined) throw new Error(`${type} did not arrive`);
      expect(verifier.verify(request.body, request.headers)).toEqual({ type, data: printed.data });
      expect(eventBodySchemas[type].safeParse(JSON.parse(request.body)).error).toBeUndefined();
      expect(request.headers["user-agent"]).toMatch(/^Findersfee-Webhooks\/\d/);
      expect(request.headers["content-type"]).toBe("application/json; charset=utf-8");
    }
    expect(new Set(receiver.ids()).size).toBe(eventTypes.length);
  });

  it("signs with the secret that `listen` uses for the key, and fails when the receiver rejects", async () => {
    receiver.answer = (_, response) => response.writeHead(401).end("Who are you?");
    const outcome = await findersfee(
      ["trigger", "affiliate.created", "--forward-to", receiver.url(), "--api-key", "ff_sk_x"],
      { XDG_STATE_HOME: folder },
    );
    expect(outcome.code).toBe(1);
    expect(outcome.stdout).toMatch(
      /^\S+Z {2}affiliate\.created +\S{36} {2}\S+.*\n {2}→ 401 in \d+ ms: Who are you\?\n$/,
    );
    expect(outcome.stderr).toMatch(/^error: The receiver at \S+ did not accept the event\.\n$/);
    const [request] = receiver.received;
    const verifier = new Webhook(await listenSecret(join(folder, "findersfee"), "ff_sk_x"));
    expect(verifier.verify(request?.body ?? "", request?.headers ?? {})).toMatchObject({
      type: "affiliate.created",
    });
  });
});

describe("trigger --endpoint", () => {
  let test: TestDatabase;

  beforeAll(async () => {
    test = await createTestDatabase();
  });

  afterAll(() => test.close());

  it.runIf(FULL_TESTS)("sends the type only to that endpoint, like `endpoint test`", async () => {
    const secrets_key = Buffer.alloc(32, 7);
    const options = { name: "Test", currency: "USD", subscription_status: "active" } as const;
    const { organization_id: id } = await createOrganization(test.database, options);
    const endpoint = await createEndpoint(
      {
        database: test.database,
        organization: { ...options, id },
        actor: OPERATOR,
        idempotency: null,
        notifyWorkers: () => {},
      },
      { secrets_key, allow_http: true, allow_private: true },
      { url: receiver.url(), event_types: ["commission.created"], description: "" },
    );
    const environment = { DATABASE_URL: test.url, SECRETS_KEY: secrets_key.toString("base64") };
    for (const command of [
      `trigger referral.converted --endpoint ${endpoint.id}`,
      `endpoint test ${endpoint.id} --type referral.converted`,
    ]) {
      const { code, stdout, stderr } = await findersfee(`${command} --json`, environment);
      expect([code, stderr]).toEqual([0, ""]);
      expect(JSON.parse(stdout)).toMatchObject({
        endpoint_id: endpoint.id,
        event_type: "referral.converted",
        state: "pending",
      });
    }
    const events = await test.database`select type, test from events`;
    expect(events).toEqual([
      { type: "referral.converted", test: true },
      { type: "referral.converted", test: true },
    ]);
    const unknown = await findersfee(`trigger referral.converted --endpoint ${id}`, environment);
    expect(unknown).toMatchObject({ code: 1, stderr: "error: There is no endpoint with this id.\n" });
  });
});

it("explains an invalid command line", async () => {
  const to = `--forward-to ${receiver.url()}`;
  const cases = [
    [`trigger commission.deleted ${to}`, `error: <type>: Must be one of ${TYPES}.`],
    [
      "endpoint test 0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90 --type x",
      `error: --type: Must be one of ${TYPES}.`,
    ],
    ["trigger", "error: missing required argument 'type'"],
    ["trigger commission.created", "error: Pass either --forward-to or --endpoint."],
    [
      `trigger commission.created ${to} --endpoint 0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90`,
      "error: Pass either ",
    ],
    [`trigger commission.created ${to}`, "error: --secret: Required (or WEBHOOK_SECRET): "],
  ] as const;
  await Promise.all(
    casesOf(cases, { short: 3 }).map(async ([parameters, message]) => {
      const { code, stdout, stderr } = await findersfee(parameters, {});
      expect(stderr.slice(0, message.length)).toBe(message);
      expect([code, stdout, stderr.trimEnd().split("\n").length]).toEqual([2, "", 2]);
    }),
  );
  expect(receiver.received).toEqual([]);
});
