import { connect, type Database } from "@findersfee/database/postgres/connect";
import { readTimeLimits } from "@findersfee/database/postgres/time-limits";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { eventually } from "@findersfee/database/testing/eventually";
import { FaultyPostgres } from "@findersfee/database/testing/faults/faulty-postgres";
import { createOrganization } from "@findersfee/domain/organizations/create";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startApi } from "../../src/server.ts";
import { CAMPAIGN } from "../program.ts";
import { responseError } from "../response-error.ts";
import { type ApiResponse, ENDPOINT_POLICY, QUIET } from "../test-service.ts";

const POOL = 4;
const SECONDS = 1;

let test: TestDatabase;
let proxy: FaultyPostgres;
let database: Database;
let api: Awaited<ReturnType<typeof startApi>>;
let api_key: string;

beforeAll(async () => {
  test = await createTestDatabase();
  proxy = await FaultyPostgres.before(test.url);
  const options = { url: proxy.url, prepare: true, name: "findersfee api" };
  database = connect({ ...options, poolSize: POOL, limits: await readTimeLimits(options, SECONDS) });
  api = await startApi(QUIET, database, { endpoint_policy: ENDPOINT_POLICY });
  const organization = { name: "Test", currency: "USD", subscription_status: "active" } as const;
  api_key = (await createOrganization(test.database, organization)).api_key;
});

afterAll(async () => {
  await api.close();
  await database.end({ timeout: 0 });
  await proxy.close();
  await test.close();
});

async function ask(method: "GET" | "POST"): Promise<ApiResponse> {
  const response = await fetch(`${api.url}/v1/campaigns`, {
    method,
    headers: { authorization: `Bearer ${api_key}`, "content-type": "application/json" },
    ...(method === "POST" ? { body: JSON.stringify(CAMPAIGN) } : {}),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

async function expectRecovery(): Promise<void> {
  await eventually(async () => {
    const answers = await Promise.all(Array.from({ length: POOL * 3 }, () => ask("GET")));
    for (const { status } of answers) expect(status).toBe(200);
  });
}

it("returns unavailable when a statement times out, and frees its connection", async () => {
  await test.database.begin(async (sql) => {
    await sql`lock table campaigns`;
    const answers = await Promise.all(Array.from({ length: POOL * 2 }, () => ask("POST")));
    for (const answer of answers) expect(responseError("rest", answer).code).toBe("unavailable");
    // None of these statements still waits for the lock.
    const waiting = await sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    expect(waiting).toHaveLength(0);
  });
  expect((await ask("POST")).status).toBe(200);
});

it("returns unavailable in a network partition, and recovers", async () => {
  await expectRecovery();
  proxy.follow(() => "hang_before");
  const answers = await Promise.all(Array.from({ length: POOL * 2 }, () => ask("GET")));
  for (const answer of answers) expect(responseError("rest", answer).code).toBe("unavailable");
  // New connections work; hanging ones stay so.
  proxy.follow(() => null);
  await expectRecovery();
});
