import { required_event_types } from "@findersfee/contract/processors/stripe-events";
import { stripe_rights } from "@findersfee/contract/processors/stripe-rights";
import type { Database } from "@findersfee/database/postgres/connect";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { waitForResult } from "@findersfee/database/testing/eventually";
import { failEachCall, LOST_ANSWERS } from "@findersfee/database/testing/faults/each-call";
import { FULL_TESTS } from "@findersfee/database/testing/full-tests";
import { requestEventsCheck } from "@findersfee/domain/processors/connections/check-events";
import { connectStripe, stripeSetup } from "@findersfee/domain/processors/connections/connect-stripe";
import { disconnectProcessor } from "@findersfee/domain/processors/connections/disconnect";
import { listProcessors } from "@findersfee/domain/processors/connections/get";
import { repairStripe } from "@findersfee/domain/processors/connections/repair-stripe";
import { openSigningSecret } from "@findersfee/domain/processors/connections/secrets";
import { updateProcessor } from "@findersfee/domain/processors/connections/update";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { checkAllEvents, checkEventsOf } from "../../src/processors/stripe/check-events.ts";
import { syncEndpoint } from "../../src/processors/stripe/sync-endpoint.ts";
import { makeTestOrganization, type TestOrganization } from "../processing.ts";
import { SECRETS_KEY } from "../subscriptions.ts";
import { startTestWorker } from "../test-worker.ts";
import { failure, StripeServer } from "./stripe-server.ts";

const PUBLIC_URL = "https://partners.example.com/";
const KEY = "rk_live_abcdefgh1234";

let test: TestDatabase;
let stripe: StripeServer;
let organization: TestOrganization;
let address: string;
let logged: string[];

beforeEach(async () => {
  test = await createTestDatabase();
  stripe = await StripeServer.start();
  organization = await makeTestOrganization(test.database);
  address = `https://partners.example.com/processors/stripe/${organization.organization_id}`;
  logged = [];
});

afterEach(async () => {
  await stripe.close();
  await test.close();
});

const connect = (api_key = KEY, public_url: string | null = PUBLIC_URL) =>
  connectStripe(organization.context, { secrets_key: SECRETS_KEY, public_url }, { api_key });

function dependencies(database: Database = test.database, public_url: string | null = PUBLIC_URL) {
  const log = pino({ level: "trace" }, { write: (line: string) => logged.push(line) });
  return { database, log, secrets_key: SECRETS_KEY, stripe_api_url: stripe.url, publicUrl: () => public_url };
}

/** One attempt of the job; true: it wants another. */
const sync = (database?: Database) => syncEndpoint(dependencies(database), organization.organization_id);

async function connection() {
  const [found] = await listProcessors(organization.context);
  return found ?? null;
}

/** The secret that is stored; null: none. */
async function storedSecret(): Promise<string | null> {
  const [row] = await test.database<{ secret_encrypted: Buffer | null }[]>`
    select secret_encrypted from processors where organization_id = ${organization.organization_id}`;
  if (row === undefined || row.secret_encrypted === null) return null;
  const owner = { organization_id: organization.organization_id, name: "stripe" } as const;
  return openSigningSecret(SECRETS_KEY, owner, row.secret_encrypted);
}

/** The endpoint at Stripe is the stored one, with its secret, and there is no other. */
async function expectOneEndpoint(): Promise<void> {
  expect(stripe.endpoints).toHaveLength(1);
  const [endpoint] = stripe.endpoints;
  expect(endpoint).toMatchObject({ url: address, status: "enabled" });
  expect(await connection()).toMatchObject({
    endpoint_state: "active",
    endpoint_id: endpoint?.id,
    endpoint_error: null,
    missing_events: [],
  });
  expect(await storedSecret()).toBe(`whsec_secret_of_${endpoint?.id}_0123456789`);
}

describe("connecting by a key", () => {
  it("creates the endpoint with its events, in the mode of the key, and stores its secret", async () => {
    expect(await connect("rk_test_abcdefgh1234")).toMatchObject({
      livemode: false,
      endpoint_state: "creating",
      api_key_last_four: "1234",
    });
    expect(await sync()).toBe(false);
    await expectOneEndpoint();
    expect(stripe.endpoints[0]).toMatchObject({
      enabled_events: [...required_event_types],
      api_version: "2026-10-28.endive",
      metadata: { findersfee_organization: organization.organization_id },
    });
    expect(await connection()).toMatchObject({ missing_rights: [] });
  });

  it("is done by the worker when somebody connects", async () => {
    const worker = await startTestWorker(test, { stripe_api_url: stripe.url, public_url: PUBLIC_URL });
    try {
      await connect();
      await waitForResult(60_000, async () =>
        (await connection())?.endpoint_state === "active" ? true : null,
      );
      await expectOneEndpoint();
      await disconnectProcessor(organization.context, { name: "stripe", leave_endpoint: false });
      await waitForResult(60_000, async () => ((await connection()) === null ? true : null));
      expect(stripe.endpoints).toEqual([]);
    } finally {
      await worker.stop();
    }
  });

  it.each([
    [null, /PUBLIC_URL is not set/],
    ["http://partners.example.com", /no https address/],
    ["https://localhost:8080", /this machine or of a private network/],
    ["https://10.0.0.7", /this machine or of a private network/],
  ])("says that Stripe cannot reach %s", async (public_url, reason) => {
    await expect(connect(KEY, public_url)).rejects.toThrow();
    expect(await stripeSetup(organization.context, public_url)).toMatchObject({
      endpoint_url: null,
      problem: expect.stringMatching(reason),
    });
    expect(await connection()).toBeNull();
  });

  it("names each right that the key lacks", async () => {
    const read = {
      events: "events:read",
      "checkout/sessions": "checkout_sessions:read",
      invoices: "invoices:read",
      payment_intents: "payment_intents:read",
      charges: "charges:read",
      balance_transactions: "balance:read",
      coupons: "coupons:read",
    };
    await connect();
    for (const [resource, right] of Object.entries(read)) {
      stripe.forbidden.clear();
      stripe.forbidden.add(resource);
      await checkEventsOf(dependencies(), { organization_id: organization.organization_id });
      expect(await connection()).toMatchObject({ endpoint_state: "active", missing_rights: [right] });
    }
    stripe.forbidden.clear();
    stripe.forbidden_to_write.add("promotion_codes").add("webhook_endpoints");
    await sync();
    expect((await connection())?.missing_rights).toEqual([
      "webhook_endpoints:write",
      "promotion_codes:write",
    ]);
    for (const resource of [...Object.keys(read), "webhook_endpoints", "promotion_codes"]) {
      stripe.forbidden.add(resource);
    }
    await sync();
    expect((await connection())?.missing_rights).toEqual(stripe_rights.map(({ id }) => id));
    expect(stripe.codes).toEqual([]);
  });

  it("creates no endpoint without the right, and does so when the key has it", async () => {
    stripe.forbidden_to_write.add("webhook_endpoints");
    await connect();
    expect(await sync()).toBe(false);
    expect(await connection()).toMatchObject({
      endpoint_state: "failed",
      endpoint_error: expect.stringMatching(/lacks Webhook Endpoints: Write/),
    });
    stripe.forbidden_to_write.clear();
    await sync();
    await expectOneEndpoint();
  });

  it("asks for another key when Stripe does not know this one, and never repeats the key", async () => {
    stripe.unknown_keys.add(KEY);
    await connect();
    await sync();
    expect(await connection()).toMatchObject({
      endpoint_state: "failed",
      endpoint_error: expect.stringMatching(/does not accept the API key.*rk_live_…1234/),
    });
    await updateProcessor(organization.context, SECRETS_KEY, {
      name: "stripe",
      api_key: "rk_live_another5678",
    });
    await sync();
    await expectOneEndpoint();
    const entries = await test.database`select before, after from audit_log_entries`;
    for (const text of [JSON.stringify(entries), logged.join(""), JSON.stringify(await connection())]) {
      expect(text).not.toMatch(/abcdefgh|another5678|whsec_/);
    }
  });

  it("leaves an endpoint of a person alone, and says that there is one", async () => {
    stripe.addEndpoint(address, ["*"]);
    await connect();
    await sync();
    expect(await connection()).toMatchObject({
      endpoint_state: "failed",
      endpoint_error: expect.stringMatching(/another endpoint with this address, we_0/),
    });
    stripe.endpoints.splice(0);
    await repairStripe(organization.context);
    await sync();
    await expectOneEndpoint();
  });

  it("leaves the endpoint of a copy of this database at another address alone", async () => {
    await connect();
    await sync();
    await test.database`update processors set endpoint_state = 'creating', endpoint_id = null, endpoint_url = null`;
    const copy = dependencies(test.database, "https://staging.example.com");
    await syncEndpoint(copy, organization.organization_id);
    expect(stripe.endpoints.map(({ url }) => url)).toEqual([
      address,
      `https://staging.example.com/processors/stripe/${organization.organization_id}`,
    ]);
  });
});

describe("calls that fail", () => {
  const FAULTS = { lost: "lose", answered: failure(500, { message: "Down" }), unanswered: "drop" } as const;

  const nextOf = (number: number, rights: number) => (FULL_TESTS ? number + 1 : Math.max(number + 1, rights));

  /**
   * Makes each call to Stripe fail in turn, in the first of two attempts, and checks what is left after the second. The short form has
   * one of the equal checks of rights, which come first.
   */
  async function failEachStripeCall(
    fault: (typeof FAULTS)[keyof typeof FAULTS],
    {
      prepare,
      check,
      rights = 0,
    }: { prepare: () => Promise<unknown>; check: () => Promise<void>; rights?: number },
  ): Promise<number> {
    for (let number = 0; ; number = nextOf(number, rights)) {
      await test.database`delete from processors`;
      stripe.endpoints.splice(0);
      await prepare();
      stripe.faults.push(...Array.from({ length: number }, () => null), fault);
      if (await sync()) await sync();
      const is_past = stripe.faults.splice(0).length > 0;
      await check();
      if (is_past) return number;
    }
  }

  it.each(Object.entries(FAULTS))(
    "create one endpoint when each call to Stripe fails in turn: %s",
    async (_, fault) => {
      const rights = stripe_rights.length;
      const calls = await failEachStripeCall(fault, { prepare: connect, check: expectOneEndpoint, rights });
      // The checks of the rights, the list, and the creation.
      expect(calls).toBe(rights + 2);
    },
  );

  it.each(Object.entries(FAULTS))(
    "repair the endpoint when each call to Stripe fails in turn: %s",
    async (_, fault) => {
      const prepare = async () => {
        await connect();
        await sync();
        Object.assign(stripe.endpoints[0] ?? {}, { status: "disabled", enabled_events: ["invoice.paid"] });
        await repairStripe(organization.context);
      };
      const rights = stripe_rights.length;
      const calls = await failEachStripeCall(fault, { prepare, check: expectOneEndpoint, rights });
      expect(calls).toBe(rights + 2);
    },
  );

  it.each(Object.entries(FAULTS))(
    "delete the endpoint when each call to Stripe fails in turn: %s",
    async (_, fault) => {
      const prepare = async () => {
        await connect();
        await sync();
        await disconnectProcessor(organization.context, { name: "stripe", leave_endpoint: false });
      };
      const check = async () => {
        expect(stripe.endpoints).toEqual([]);
        expect(await connection()).toBeNull();
      };
      expect(await failEachStripeCall(fault, { prepare, check })).toBe(2);
    },
  );

  it("replace an endpoint whose secret was lost with the answer", async () => {
    await connect();
    await sync();
    await test.database`
      update processors set endpoint_state = 'creating', endpoint_id = null, secret_encrypted = null,
        endpoint_request_id = gen_random_uuid()`;
    await sync();
    await expectOneEndpoint();
    expect(stripe.endpoints[0]?.id).toBe("we_made1");
  });

  it.each(LOST_ANSWERS)(
    "create one endpoint when each call of the database fails in turn: %s",
    async (kind) => {
      await failEachCall(test.url, kind, async (database) => {
        await test.database`delete from processors`;
        stripe.endpoints.splice(0);
        await connect();
        await sync(database).catch(() => true);
        await sync();
        await expectOneEndpoint();
      });
    },
  );

  it.each(LOST_ANSWERS)(
    "delete the endpoint and the connection when each call fails in turn: %s",
    async (kind) => {
      await failEachCall(test.url, kind, async (database) => {
        await test.database`delete from processors`;
        stripe.endpoints.splice(0);
        await connect();
        await sync();
        await disconnectProcessor(organization.context, { name: "stripe", leave_endpoint: false });
        await sync(database).catch(() => true);
        await sync();
        expect(stripe.endpoints).toEqual([]);
        expect(await connection()).toBeNull();
      });
    },
  );

  it("create one endpoint when two processes do so at once", async () => {
    for (let round = 0; round < 5; round++) {
      await test.database`delete from processors`;
      stripe.endpoints.splice(0);
      await connect();
      await Promise.all([sync(), sync(), sync()]);
      await sync();
      await expectOneEndpoint();
    }
  });

  it("leave no endpoint when somebody disconnects during the creation", async () => {
    await connect();
    let release = () => {};
    stripe.delayed_until = new Promise((resolve) => {
      release = resolve;
    });
    const creation = sync();
    await expect.poll(() => stripe.calls.length).toBeGreaterThan(0);
    await disconnectProcessor(organization.context, { name: "stripe", leave_endpoint: false });
    release();
    await creation;
    await sync();
    expect(stripe.endpoints).toEqual([]);
    expect(await connection()).toBeNull();
  });
});

describe("a check", () => {
  beforeEach(async () => {
    await connect();
    await sync();
  });

  it.each([
    ["events_missing", () => Object.assign(stripe.endpoints[0] ?? {}, { enabled_events: ["invoice.paid"] })],
    ["disabled", () => Object.assign(stripe.endpoints[0] ?? {}, { status: "disabled" })],
    ["moved", () => Object.assign(stripe.endpoints[0] ?? {}, { url: "https://elsewhere.example.com/hook" })],
    ["deleted", () => stripe.endpoints.splice(0)],
  ] as const)("finds that the endpoint is %s, and a repair mends it", async (state, change) => {
    change();
    await checkAllEvents(dependencies(), new AbortController().signal);
    expect(await connection()).toMatchObject({ endpoint_state: state });
    expect(await repairStripe(organization.context)).toMatchObject({ endpoint_state: "creating" });
    await sync();
    await expectOneEndpoint();
  });

  it("keeps the state when Stripe does not answer, and says so", async () => {
    stripe.faults.push(...Array.from({ length: 20 }, () => failure(500, { message: "Down" })));
    await requestEventsCheck(organization.context, "stripe");
    expect(await sync()).toBe(false);
    expect(await connection()).toMatchObject({
      endpoint_state: "active",
      endpoint_error: expect.stringMatching(/Down/),
    });
    stripe.faults.splice(0);
    await sync();
    await expectOneEndpoint();
  });

  it("keeps event types that a person added", async () => {
    Object.assign(stripe.endpoints[0] ?? {}, { enabled_events: ["invoice.paid", "payout.paid"] });
    await repairStripe(organization.context);
    await sync();
    expect(stripe.endpoints[0]?.enabled_events).toContain("payout.paid");
    await expectOneEndpoint();
  });
});

describe("disconnecting", () => {
  beforeEach(async () => {
    await connect();
    await sync();
  });

  it("says that the endpoint could not be deleted, and can leave it", async () => {
    stripe.forbidden_to_write.add("webhook_endpoints");
    await disconnectProcessor(organization.context, { name: "stripe", leave_endpoint: false });
    await sync();
    expect(await connection()).toMatchObject({
      endpoint_state: "undeletable",
      endpoint_error: expect.stringMatching(/lacks Webhook Endpoints: Write/),
    });
    await expect(repairStripe(organization.context)).rejects.toThrow();
    await disconnectProcessor(organization.context, { name: "stripe", leave_endpoint: true });
    expect(await connection()).toBeNull();
    expect(stripe.endpoints).toHaveLength(1);
  });

  it("without a key names the reason, and with the permission deletes the endpoint", async () => {
    await updateProcessor(organization.context, SECRETS_KEY, { name: "stripe", api_key: null });
    await disconnectProcessor(organization.context, { name: "stripe", leave_endpoint: false });
    await sync();
    expect(await connection()).toMatchObject({
      endpoint_state: "undeletable",
      endpoint_error: expect.stringMatching(/no API key/),
    });
  });

  it("allows no other mode", async () => {
    await expect(
      updateProcessor(organization.context, SECRETS_KEY, {
        name: "stripe",
        livemode: false,
        api_key: "rk_test_abcdefgh1234",
      }),
    ).rejects.toThrow();
  });
});
