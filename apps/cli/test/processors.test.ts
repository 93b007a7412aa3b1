import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { STRIPE_SECRET, stripeEvent } from "@findersfee/domain/testing/processors/signed";
import { failure, StripeServer } from "@findersfee/worker/testing/processors/stripe-server";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Environment, serviceEnvironment } from "./command-line.ts";
import { findersfee } from "./in-process.ts";

let test: TestDatabase;
let stripe: StripeServer;
let environment: Environment;
let folder: string;

beforeAll(async () => {
  test = await createTestDatabase();
  stripe = await StripeServer.start();
  folder = await mkdtemp(join(tmpdir(), "findersfee-processor-"));
  environment = serviceEnvironment(test.url, {
    LOG_LEVEL: "fatal",
    STRIPE_API_URL: stripe.url,
  });
  expect((await findersfee("migrate", environment)).stderr).toBe("");
});

afterAll(async () => {
  await stripe.close();
  await test.close();
  await rm(folder, { recursive: true });
});

async function makeOrganization(): Promise<string> {
  const { stdout } = await findersfee(["org", "create", "--name", "Acme", "--json"], environment);
  return JSON.parse(stdout).organization_id;
}

async function json(command: string) {
  const { code, stdout, stderr } = await findersfee(`${command} --json`, environment);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout);
}

describe("findersfee processor", () => {
  it("connects, lists, updates and disconnects, with secrets from files", async () => {
    const org = await makeOrganization();
    const secret = join(folder, "secret.txt");
    const key = join(folder, "key.txt");
    await writeFile(secret, `${STRIPE_SECRET}\n`);
    await writeFile(key, "rk_test_abcdefgh5678\n");
    const connected = await json(
      `processor connect stripe --org ${org} --signing-secret-file ${secret} --api-key-file ${key} --test-mode`,
    );
    expect(connected).toMatchObject({
      signing_secret: STRIPE_SECRET,
      api_key_last_four: "5678",
      livemode: false,
      path: `/processors/stripe/${org}`,
    });
    const rotated = await json(`processor rotate stripe --org ${org} --signing-secret ${STRIPE_SECRET}2`);
    expect(rotated).toMatchObject({ signing_secret: `${STRIPE_SECRET}2` });
    expect(await json(`processor update stripe --org ${org} --no-api-key --live-mode`)).toMatchObject({
      livemode: true,
      api_key_last_four: null,
    });
    expect(
      await json(`processor update stripe --org ${org} --connected-accounts acct_2,acct_1`),
    ).toMatchObject({
      livemode: true,
      connected_accounts: ["acct_1", "acct_2"],
    });
    expect(await json(`processor update stripe --org ${org} --no-connected-accounts`)).toMatchObject({
      connected_accounts: [],
    });
    await json(`processor disconnect stripe --org ${org}`);
    expect(await json(`processor list --org ${org}`)).toEqual([]);
  });

  it("reports invalid options", async () => {
    const org = await makeOrganization();
    const cases: [string, RegExp][] = [
      ["processor connect stripe", /--signing-secret: Required: Stripe shows it/],
      ["processor connect stripe --signing-secret nonsense", /--signing-secret: Must be a signing secret/],
      ["processor connect stripe --signing-secret-file /nowhere", /--signing-secret-file: .*no such file/],
      ["processor update stripe", /Set --api-key/],
      [
        "processor connect stripe --signing-secret whsec_1234567890123456 --connected-accounts shop",
        /--connected-accounts: Must be Stripe's id/,
      ],
      ["processor rerun", /Pass a message/],
      ["stripe reconcile --days 31", /--days: Must be a whole number from 1 to 30/],
    ];
    await Promise.all(
      cases.map(async ([command, message]) => {
        const { code, stderr } = await findersfee(`${command} --org ${org}`, environment);
        expect(stderr).toMatch(message);
        expect(code).toBe(2);
      }),
    );
  });
});

describe("a restricted key alone", () => {
  it("creates the endpoint at Stripe, repairs it, and deletes it when disconnecting", async () => {
    const org = await makeOrganization();
    const key = join(folder, "restricted.txt");
    await writeFile(key, "rk_test_abcdefgh5678\n");
    const command = `processor connect stripe --org ${org} --api-key-file ${key}`;
    const nowhere = await findersfee(command, environment);
    expect(nowhere).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/Stripe cannot reach|PUBLIC_URL/),
    });
    const reachable = { ...environment, PUBLIC_URL: "https://partners.example.com" };
    const run = async (text: string) => {
      const { code, stdout, stderr } = await findersfee(`${text} --json`, reachable);
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      return JSON.parse(stdout);
    };
    const own = () => stripe.endpoints.filter(({ url }) => String(url).endsWith(org));
    expect(await run(command)).toMatchObject({
      endpoint_state: "active",
      livemode: false,
      missing_events: [],
      missing_rights: [],
      endpoint_url: `https://partners.example.com/processors/stripe/${org}`,
    });
    expect(own()).toHaveLength(1);
    Object.assign(own()[0] ?? {}, { enabled_events: ["invoice.paid"] });
    expect((await run(`processor check --org ${org}`)).missing_events).toContain("invoice_payment.paid");
    expect(await run(`processor repair --org ${org}`)).toMatchObject({ endpoint_state: "active" });
    stripe.forbidden_to_write.add("webhook_endpoints");
    expect(await findersfee(`processor disconnect stripe --org ${org}`, reachable)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/could not be deleted.*lacks Webhook Endpoints: Write/),
    });
    stripe.forbidden_to_write.clear();
    await run(`processor disconnect stripe --org ${org}`);
    expect(own()).toEqual([]);
    expect(await run(`processor list --org ${org}`)).toEqual([]);
  });

  it("names the permission that it lacks", async () => {
    const org = await makeOrganization();
    const reachable = { ...environment, PUBLIC_URL: "https://partners.example.com" };
    stripe.forbidden_to_write.add("webhook_endpoints");
    const command = `processor connect stripe --org ${org} --api-key rk_live_abcdefgh1`;
    expect(await findersfee(command, reachable)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/lacks Webhook Endpoints: Write/),
    });
    stripe.forbidden_to_write.clear();
    expect(await findersfee(`${command} --test-mode`, reachable)).toMatchObject({ code: 2 });
  });
});

it("findersfee stripe reconcile imports missed events", async () => {
  const org = await makeOrganization();
  await json(
    `processor connect stripe --org ${org} --signing-secret ${STRIPE_SECRET} --api-key rk_live_abcdefgh1`,
  );
  stripe.events = [JSON.parse(stripeEvent("evt_1", "invoice.paid", {}))];
  expect(await json(`stripe reconcile --org ${org}`)).toMatchObject({ read: 1, stored: 1, finished: true });
  expect(await json(`processor messages --org ${org} --state received`)).toMatchObject([{ id: "evt_1" }]);
  stripe.faults.push(failure(403, { message: "The key has not the permission" }));
  expect(await findersfee(`stripe reconcile --org ${org}`, environment)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/not the permission/),
  });
});

describe("data missing from Stripe's events", () => {
  it("is reported on connecting and by a check: event types that the endpoint lacks", async () => {
    const org = await makeOrganization();
    stripe.addEndpoint(`https://partners.example.com/processors/stripe/${org}`, ["invoice.paid"]);
    const secrets = `--signing-secret ${STRIPE_SECRET} --api-key rk_live_abcdefgh1`;
    const connected = await json(`processor connect stripe --org ${org} ${secrets}`);
    expect(connected.missing_events).toContain("invoice_payment.paid");
    expect(connected.missing_events).not.toContain("invoice.paid");
    stripe.forbidden.add("webhook_endpoints");
    expect(await json(`processor check --org ${org}`)).toMatchObject({
      missing_events: null,
      events_check_error: expect.stringMatching(/may not read webhook endpoints/),
    });
    stripe.forbidden.clear();
  });

  it("is listed as waiting, and retried", async () => {
    const org = await makeOrganization();
    expect(await json(`processor waiting --org ${org}`)).toEqual([]);
    const { code, stderr } = await findersfee(
      `processor waiting --org ${org} --retry --purpose payment`,
      environment,
    );
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(/cannot be combined/i) });
    await test.database`
      insert into payment_facts (organization_id, processor, kind, subject, customer_id, state_at, rank, message_id, data)
      values (${org}, 'stripe', 'refund', 're_1', gen_random_uuid(), now(), 0, 'evt_1', '{}')`;
    await test.database`
      insert into processor_lookups (organization_id, processor, kind, subject, purpose, object_id, wanted_at, reason)
      values (${org}, 'stripe', 'refund', 're_1', 'payment', 'pi_1', now(), 'No such payment_intent')`;
    expect(await json(`processor waiting --org ${org} --purpose payment`)).toMatchObject([
      { kind: "refund", subject: "re_1", object_id: "pi_1", error: "No such payment_intent" },
    ]);
    expect(await json(`processor waiting --org ${org} --retry`)).toEqual({ lookups: 1 });
  });
});
