import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { eventually } from "@findersfee/database/testing/eventually";
import { FULL_TESTS } from "@findersfee/database/testing/full-tests";
import { SHARDS } from "@findersfee/database/work/shards";
import { Receiver } from "@findersfee/worker/testing/receiver";
import { SECRETS_KEY, subscribe } from "@findersfee/worker/testing/subscriptions";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, expect, it } from "vitest";
import { CommandLine, type Environment, findersfee, serviceEnvironment } from "../command-line.ts";
import { CAMPAIGN, type Poster, post } from "../webhooks/posting.ts";

const EVENTS = FULL_TESTS ? 100 : 20;
/** One worker at a time delivers to an endpoint. So many are never all on one worker's shards. */
const PATHS = Array.from({ length: 24 }, (_, number) => `/${number}`);

let test: TestDatabase;
let receiver: Receiver;
let environment: Environment;
let apis: CommandLine[];
let workers: CommandLine[];

beforeAll(async () => {
  test = await createTestDatabase();
  receiver = await Receiver.start();
  environment = serviceEnvironment(test.url, {
    RATE_LIMIT_PER_MINUTE: "0",
    SECRETS_KEY: SECRETS_KEY.toString("base64"),
  });
  apis = [new CommandLine(["api"], environment), new CommandLine(["api"], environment)];
  workers = [new CommandLine(["worker"], environment), new CommandLine(["worker"], environment)];
  for (const worker of workers) await worker.says(/The worker is running/);
});

afterAll(async () => {
  await Promise.all([...workers, ...apis].map((program) => program.end("SIGTERM")));
  await receiver.close();
  await test.close();
});

/** The number of deliveries in a worker's metrics. */
function made(worker: CommandLine): number {
  return worker.stdout.split('"msg":"delivered"').length - 1;
}

it("shares work between two apis and two workers without duplicate deliveries", async () => {
  const { organization_id, api_key } = JSON.parse(
    (await findersfee("org create --name Shared --json", environment)).stdout,
  );
  const secrets = new Map<string, string>();
  for (const path of PATHS)
    secrets.set(path, (await subscribe(test.database, organization_id, receiver.url(path))).secret);
  // Each worker owns half of the shards before anything is due.
  await eventually(async () => {
    const owned = await test.database`
      select count(*)::int as shards from graphile_worker.jobs
      where task_identifier = 'own_shard' and locked_by is not null group by locked_by`;
    expect(owned).toEqual([{ shards: SHARDS / 2 }, { shards: SHARDS / 2 }]);
  });
  const urls = await Promise.all(apis.map((api) => api.says(/served at (http:\S+)\/v1/)));
  const [first, second] = urls.map((url): Poster => ({ url, api_key }));
  if (first === undefined || second === undefined) throw new Error("two apis must start");
  await post(first, "/campaigns", CAMPAIGN);
  const affiliate = await post(second, "/affiliates", { email: "jane@example.com", first_name: "Jane" });
  const referral = await post(first, "/referrals", { affiliate_id: affiliate.id, email: "c@example.com" });
  let asked = 0;
  const make = async (api: Poster) => {
    while (asked < EVENTS) {
      asked += 1;
      await post(api, "/commissions", { referral_id: referral.id, revenue_amount: 10, commission_amount: 3 });
    }
  };
  await Promise.all([first, second, first, second].map(make));

  const events = await test.database<{ id: string }[]>`select id from events`;
  expect(events).toHaveLength(EVENTS + 3);
  const deliveries = events.length * PATHS.length;
  await receiver.has(deliveries);
  await eventually(async () =>
    expect(await test.database`select from deliveries where state <> 'delivered'`).toHaveLength(0),
  );
  const ids = events.map(({ id }) => id).sort();
  for (const path of PATHS) expect(receiver.ids(path).sort()).toEqual(ids);
  for (const { path, body, headers } of receiver.received)
    new Webhook(secrets.get(path) ?? "").verify(body, headers);
  await eventually(() => {
    const shares = workers.map(made);
    expect(shares.reduce((sum, share) => sum + share)).toBe(deliveries);
    for (const share of shares) expect(share).toBeGreaterThan(0);
  });
});
