/* Answers from memory while the database is away. */
import { connect, type Database } from "@findersfee/database/postgres/connect";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { eventually } from "@findersfee/database/testing/eventually";
import { FaultyPostgres } from "@findersfee/database/testing/faults/faulty-postgres";
import { createOrganization } from "@findersfee/domain/organizations/create";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { startApi } from "../../src/server.ts";
import { CAMPAIGN } from "../program.ts";
import { ENDPOINT_POLICY, QUIET } from "../test-service.ts";

const CODE = "jane";
const WEBSITE = "https://shop.example.com/";
const BROWSER = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

let test: TestDatabase;
let proxy: FaultyPostgres;
let database: Database;
let api: Awaited<ReturnType<typeof startApi>>;
let api_key: string;
let publishable_key: string;

async function post(path: string, body: object): Promise<void> {
  const response = await fetch(`${api.url}/v1${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${api_key}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  expect(await response.json()).toMatchObject({ success: true });
}

beforeAll(async () => {
  test = await createTestDatabase();
  proxy = await FaultyPostgres.before(test.url);
  database = connect({ url: proxy.url, poolSize: 5, prepare: true, name: "findersfee api" });
  api = await startApi(QUIET, database, { endpoint_policy: ENDPOINT_POLICY });
  const organization = { name: "Test", currency: "USD", subscription_status: "active" } as const;
  ({ api_key, publishable_key } = await createOrganization(test.database, organization));
  await post("/campaigns", { ...CAMPAIGN, is_default: true, website_url: WEBSITE });
  await post("/affiliates", { email: "jane@example.com", first_name: "Jane", ref_code: CODE });
});

afterAll(async () => {
  proxy.lift();
  await api.close();
  await database.end({ timeout: 1 });
  await proxy.close();
  await test.close();
});

afterEach(() => proxy.lift());

function follow(link_code: string, key = publishable_key): Promise<Response> {
  return fetch(`${api.url}/r/${link_code}?key=${key}&utm_source=news`, {
    redirect: "manual",
    headers: { "user-agent": BROWSER, accept: "text/html" },
  });
}

async function countClicks(): Promise<number> {
  const [row] = await test.database<[{ count: number }]>`select count(*)::int from clicks`;
  return row.count;
}

describe.each([
  ["refuses statements", "cut_before"],
  ["holds statements", "hang_before"],
] as const)("while the database %s", (_name, fault) => {
  it("redirects by known links without a click, and serves documents, scripts and the reference", async () => {
    const before = await follow(CODE);
    expect(before.headers.get("location")).toMatch(/ff_click=/);
    await follow("unknown");
    const clicks = await countClicks();
    proxy.follow(() => fault);
    await eventually(async () => expect((await fetch(`${api.url}/readyz`)).status).toBe(503));

    const { status, headers } = await follow(CODE);
    expect(status).toBe(302);
    expect(headers.get("location")).toBe(`${WEBSITE}?via=${CODE}&utm_source=news`);
    expect(headers.get("set-cookie")).toBeNull();
    expect((await follow("unknown")).headers.get("location")).toBe(`${WEBSITE}?utm_source=news`);
    const stranger = await follow(`new-${fault.slice(0, 3)}`);
    expect([stranger.status, stranger.headers.get("retry-after")]).toEqual([503, "2"]);
    const unknown_key = `${publishable_key.slice(0, -1)}${publishable_key.endsWith("x") ? "y" : "x"}`;
    expect((await follow(CODE, unknown_key)).status).toBe(503);
    for (const path of ["/docs/", "/tracker.js", "/discount.js", "/v1/openapi.json", "/healthz"])
      expect([path, (await fetch(api.url + path)).status]).toEqual([path, 200]);
    const excluding = await fetch(`${api.url}/readyz?exclude=database`);
    expect([excluding.status, await excluding.json()]).toEqual([
      200,
      { status: "ready", database: "unavailable" },
    ]);

    proxy.lift();
    await eventually(async () => expect((await fetch(`${api.url}/readyz`)).status).toBe(200));
    await eventually(async () => expect((await follow(CODE)).headers.get("location")).toMatch(/ff_click=/));
    expect(await countClicks()).toBe(clicks + 1);
    expect((await follow(`new-${fault.slice(0, 3)}`)).headers.get("location")).toBe(
      `${WEBSITE}?utm_source=news`,
    );
  });
});

it("is not ready while it stops, whatever is excluded", async () => {
  api.drain();
  expect((await fetch(`${api.url}/readyz?exclude=database`)).status).toBe(503);
});
