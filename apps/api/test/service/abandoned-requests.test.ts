import { request } from "node:http";
import { connect, type Database } from "@findersfee/database/postgres/connect";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { eventually } from "@findersfee/database/testing/eventually";
import { createOrganization } from "@findersfee/domain/organizations/create";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { LIMITS } from "../../src/limits.ts";
import { startApi } from "../../src/server.ts";
import { surfaces } from "../operations.ts";
import { CAMPAIGN } from "../program.ts";
import { responseError } from "../response-error.ts";
import { ENDPOINT_POLICY, QUIET } from "../test-service.ts";

/** One connection: a statement that goes on keeps everybody else waiting. */
const POOL = 1;
const HANDLER_MILLISECONDS = 1_500;
const READS = { rest: "/v1/campaigns", trpc: "/v1/trpc/campaigns.list?input={}" };

let test: TestDatabase;
let database: Database;
let api: Awaited<ReturnType<typeof startApi>>;
let api_key: string;

beforeAll(async () => {
  test = await createTestDatabase();
  database = connect({ url: test.url, prepare: true, name: "findersfee api", poolSize: POOL });
  const limits = { ...LIMITS, handler_milliseconds: HANDLER_MILLISECONDS };
  api = await startApi(QUIET, database, { endpoint_policy: ENDPOINT_POLICY, limits });
  const organization = { name: "Test", currency: "USD", subscription_status: "active" } as const;
  api_key = (await createOrganization(test.database, organization)).api_key;
});

afterAll(async () => {
  await api.close();
  await database.end({ timeout: 0 });
  await test.close();
});

const headers = () => ({ authorization: `Bearer ${api_key}` });

async function waiting(): Promise<number> {
  const rows = await test.database`
    select from pg_stat_activity
    where datname = current_database() and application_name = 'findersfee api' and wait_event_type = 'Lock'`;
  return rows.length;
}

beforeEach(async () => {
  // Authenticates, so that only the read itself waits.
  expect((await fetch(api.url + READS.rest, { headers: headers() })).status).toBe(200);
});

it.each(surfaces)("ends the statement of a read over %s whose client disconnects", async (surface) => {
  await test.database.begin(async (sql) => {
    await sql`lock table campaigns`;
    const asked = request(api.url + READS[surface], { headers: headers() });
    asked.on("error", () => {});
    asked.end();
    await eventually(async () => expect(await waiting()).toBe(1));
    asked.destroy();
    await eventually(async () => expect(await waiting()).toBe(0));
  });
  expect((await fetch(api.url + READS[surface], { headers: headers() })).status).toBe(200);
});

it("ends the statement of a read that took too long, and says so", async () => {
  await test.database.begin(async (sql) => {
    await sql`lock table campaigns`;
    const response = await fetch(api.url + READS.rest, { headers: headers() });
    const answer = { status: response.status, headers: response.headers, body: await response.json() };
    expect(responseError("rest", answer)).toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("took too long"),
    });
    await eventually(async () => expect(await waiting()).toBe(0));
  });
});

it("lets a change go on whose client disconnects", async () => {
  const campaigns = () => test.database`select from campaigns`;
  const before = (await campaigns()).length;
  await test.database.begin(async (sql) => {
    await sql`lock table campaigns in access exclusive mode`;
    const body = JSON.stringify(CAMPAIGN);
    const asked = request(`${api.url}/v1/campaigns`, {
      method: "POST",
      headers: { ...headers(), "content-type": "application/json", "content-length": body.length },
    });
    asked.on("error", () => {});
    asked.end(body);
    await eventually(async () => expect(await waiting()).toBe(1));
    asked.destroy();
  });
  await eventually(async () => expect((await campaigns()).length).toBe(before + 1));
});
