import { ERRORS } from "@findersfee/contract/errors";
import { createApiKey } from "@findersfee/domain/identity/api-keys/create";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { call, surfaces } from "../operations.ts";
import { startTestService, type TestClient, type TestService } from "../test-service.ts";

const LIMIT = 5;

let service: TestService;
let organization: TestClient;

beforeAll(async () => {
  service = await startTestService({ rate_limit_per_minute: LIMIT });
});

afterAll(() => service.close());

beforeEach(async () => {
  organization = await service.organization();
});

function figures(headers: Headers): (number | null)[] {
  return ["limit", "remaining", "reset"].map((name) => {
    const value = headers.get(`ratelimit-${name}`);
    return value === null ? null : Number(value);
  });
}

describe.each(surfaces)("over %s", (surface) => {
  it("counts down, then rejects until the minute is over", async () => {
    for (let left = LIMIT - 1; left >= 0; left--) {
      const { error, headers } = await call(surface, organization, { name: "campaigns.list" });
      expect(error).toBeNull();
      const [limit, remaining, reset] = figures(headers);
      expect([limit, remaining]).toEqual([LIMIT, left]);
      expect(reset).toBeGreaterThan(50);
      expect(reset).toBeLessThanOrEqual(60);
      expect(headers.get("retry-after")).toBeNull();
    }
    const { error, status, headers } = await call(surface, organization, { name: "campaigns.list" });
    expect(status).toBe(429);
    expect(error).toMatchObject({ code: "rate_limited", message: ERRORS.rate_limited.message });
    const [limit, remaining, reset] = figures(headers);
    expect([limit, remaining]).toEqual([LIMIT, 0]);
    expect(Number(headers.get("retry-after"))).toBe(reset);
  });

  it("rejects a change without changing anything", async () => {
    for (let count = 0; count < LIMIT; count++) await call(surface, organization, { name: "campaigns.list" });
    const input = {
      name: "One too many",
      commission_type: "percentage",
      commission_amount: 1,
      website_url: "https://example.com",
    };
    const { error } = await call(surface, organization, { name: "campaigns.create", input });
    expect(error?.code).toBe("rate_limited");
    const { organization_id } = organization;
    const rows = await service.database`select from campaigns where organization_id = ${organization_id}`;
    expect(rows).toHaveLength(0);
  });
});

it("counts each key separately, across surfaces", async () => {
  const { organization_id } = organization;
  const options = { organization_id, name: "Second", scopes: ["read" as const], expires_at: null };
  const second = service.client((await createApiKey(service.database, options)).token);
  const other = await service.organization();
  for (const surface of ["rest", "trpc", "rest", "trpc", "rest"] as const) {
    expect((await call(surface, organization, { name: "campaigns.list" })).error).toBeNull();
  }
  for (const surface of surfaces) {
    expect((await call(surface, organization, { name: "campaigns.list" })).status).toBe(429);
  }
  for (const client of [second, other]) {
    const { headers } = await call("rest", client, { name: "campaigns.list" });
    expect(figures(headers).slice(0, 2)).toEqual([LIMIT, LIMIT - 1]);
  }
});

function batch(client: TestClient, size: number): Promise<Response> {
  const names = Array.from({ length: size }, () => "campaigns.list").join(",");
  const inputs = Object.fromEntries(Array.from({ length: size }, (_, index) => [index, {}]));
  const url = `${client.url}/v1/trpc/${names}?batch=1&input=${encodeURIComponent(JSON.stringify(inputs))}`;
  return fetch(url, { headers: { authorization: `Bearer ${client.api_key}` } });
}

it("counts every call of a tRPC batch", async () => {
  const first = await batch(organization, 4);
  expect(first.status).toBe(200);
  expect(await first.json()).toHaveLength(4);
  expect(figures(first.headers).slice(0, 2)).toEqual([LIMIT, 1]);
  const second = await batch(organization, 2);
  expect(second.status).toBe(429);
  expect(await second.json()).toMatchObject({ error: { data: { code: "rate_limited" } } });
});

it("counts failing calls, but not invalid keys", async () => {
  const missing = { name: "campaigns.get", input: { id: "nonsense" } };
  for (let count = 0; count < LIMIT; count++) {
    expect((await call("rest", organization, missing)).status).toBe(400);
  }
  expect((await call("rest", organization, missing)).status).toBe(429);
  for (let count = 0; count < LIMIT * 2; count++) {
    const { status, headers } = await call("rest", service.client("none"), { name: "campaigns.list" });
    expect([status, ...figures(headers)]).toEqual([401, null, null, null]);
  }
});

it("sets no limit with 0", async () => {
  const free = await startTestService({ rate_limit_per_minute: 0 });
  try {
    const client = await free.organization();
    for (let count = 0; count < 20; count++) {
      const { status, headers } = await call("rest", client, { name: "campaigns.list" });
      expect([status, ...figures(headers)]).toEqual([200, null, null, null]);
    }
  } finally {
    await free.close();
  }
});
