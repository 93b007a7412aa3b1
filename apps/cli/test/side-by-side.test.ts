import { randomBytes } from "node:crypto";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { Receiver } from "@findersfee/worker/testing/receiver";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { CommandLine, findersfee } from "./command-line.ts";

const EVENTS = 400;

let test: TestDatabase;
let receiver: Receiver;
let environment: Record<string, string>;
let apis: CommandLine[];
let workers: CommandLine[];

beforeAll(async () => {
  test = await createTestDatabase();
  receiver = await Receiver.start();
  environment = {
    DATABASE_URL: test.url,
    SECRETS_KEY: randomBytes(32).toString("base64"),
    WEBHOOK_ALLOW_HTTP: "true",
    WEBHOOK_ALLOW_PRIVATE: "true",
    RATE_LIMIT_PER_MINUTE: "0",
    PORT: "0",
  };
  apis = [new CommandLine(["api"], environment), new CommandLine(["api"], environment)];
  workers = [new CommandLine(["worker"], environment), new CommandLine(["worker"], environment)];
  for (const worker of workers) await worker.says(/The worker runs/);
}, 60_000);

afterAll(async () => {
  await Promise.all([...workers, ...apis].map((one) => one.end("SIGTERM")));
  await receiver.close();
  await test.close();
}, 60_000);

interface Organization {
  organization_id: string;
  api_key: string;
}

async function post(url: string, body: object, { api_key }: Organization): Promise<{ id: string }> {
  const response = await fetch(url, {
    method: "POST",
    headers: { authorization: `Bearer ${api_key}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const answer: { data: { id: string } } = JSON.parse(await response.text());
  if (response.status !== 200) throw new Error(JSON.stringify(answer));
  return answer.data;
}

/** How many deliveries a worker says that it made. */
function made(worker: CommandLine): number {
  return worker.stdout.split('"msg":"delivered"').length - 1;
}

it("shares the work between two apis and two workers, and delivers nothing twice", async () => {
  const urls = await Promise.all(apis.map((api) => api.says(/served at (http:\S+\/v1)/)));
  const [first = "", second = ""] = urls;
  const organization: Organization = JSON.parse(
    (await findersfee("org create --name Shared --json", environment)).stdout,
  );
  const { secret } = JSON.parse(
    (
      await findersfee(
        `endpoint create --org ${organization.organization_id} --url ${receiver.url()} --json`,
        environment,
      )
    ).stdout,
  );
  const campaign = { name: "Partner program", commission_type: "percentage", commission_amount: 30 };
  await post(
    `${first}/campaigns`,
    { ...campaign, website_url: "https://example.com", is_default: true },
    organization,
  );
  const affiliate = await post(
    `${second}/affiliates`,
    { email: "jane@example.com", first_name: "Jane" },
    organization,
  );
  const referral = await post(
    `${first}/referrals`,
    { affiliate_id: affiliate.id, email: "c@example.com" },
    organization,
  );
  let asked = 0;
  const make = async (url: string) => {
    while (asked < EVENTS) {
      asked += 1;
      const commission = { referral_id: referral.id, revenue_amount: 10, commission_amount: 3 };
      await post(`${url}/commissions`, commission, organization);
    }
  };
  await Promise.all([first, second, first, second].map(make));

  const events = await test.database<{ id: string }[]>`select id from events`;
  expect(events).toHaveLength(EVENTS + 3);
  await receiver.has(events.length);
  await vi.waitFor(
    async () =>
      expect(await test.database`select from deliveries where state <> 'delivered'`).toHaveLength(0),
    { timeout: 10_000 },
  );
  expect(receiver.ids().sort()).toEqual(events.map(({ id }) => id).sort());
  const verifier = new Webhook(secret);
  for (const { body, headers } of receiver.received) verifier.verify(body, headers);
  await vi.waitFor(() => {
    const shares = workers.map(made);
    expect(shares.reduce((sum, share) => sum + share)).toBe(events.length);
    for (const share of shares) expect(share).toBeGreaterThan(0);
  });
}, 60_000);
