import { createApiKey } from "@findersfee/domain/api-keys/create";
import { createTRPCClient, httpBatchLink } from "@trpc/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AppRouter } from "../src/router.ts";
import type { V1Router } from "../src/v1/router.ts";
import { CAMPAIGN, storedRows } from "./program.ts";
import { responseError } from "./response-error.ts";
import { type ApiResponse, startTestService, type TestClient, type TestService } from "./test-service.ts";

let service: TestService;
let organization: TestClient;
let staff_key: string;

beforeAll(async () => {
  service = await startTestService();
  organization = await service.organization();
  staff_key = await createStaffKey(organization.organization_id);
});

afterAll(() => service.close());

async function createStaffKey(organization_id: string): Promise<string> {
  const expires_at = new Date(Date.now() + 3_600_000);
  const key = { organization_id, name: "Jane", scopes: ["staff" as const], expires_at };
  return (await createApiKey(service.database, key)).token;
}

async function call(
  path: string,
  { key, body, headers = {} }: { key: string; body?: unknown; headers?: Record<string, string> },
): Promise<ApiResponse> {
  const response = await fetch(`${service.url}${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

describe("/v1/trpc", () => {
  it("answers a tRPC client with an API key, single calls and batches", async () => {
    const client = createTRPCClient<V1Router>({
      links: [
        httpBatchLink({
          url: `${service.url}/v1/trpc`,
          headers: { authorization: `Bearer ${organization.api_key}` },
        }),
      ],
    });
    const { id } = await client.campaigns.create.mutate(CAMPAIGN);
    const [campaign, page] = await Promise.all([
      client.campaigns.get.query({ id }),
      client.campaigns.list.query({}),
    ]);
    expect(page.data).toContainEqual(campaign);
  });

  it.each(["API", "staff"])("hides the dashboard's procedures from a key of the %s", async (kind) => {
    const key = kind === "staff" ? staff_key : organization.api_key;
    for (const name of ["dashboard.endpoints.list", "dashboard.settings.get"]) {
      expect(responseError("trpc", await call(`/v1/trpc/${name}`, { key })).code).toBe("not_found");
    }
  });

  it("shares Idempotency-Key with REST: one key creates one campaign", async () => {
    const headers = { "idempotency-key": "both-surfaces" };
    const key = organization.api_key;
    const rest = await call("/v1/campaigns", { key, body: CAMPAIGN, headers });
    const trpc = await call("/v1/trpc/campaigns.create", { key, body: CAMPAIGN, headers });
    expect(trpc.headers.get("idempotency-replayed")).toBe("true");
    expect(trpc.body.result.data).toEqual(rest.body.data);
  });
});

describe("/trpc", () => {
  it("rejects an API key with the path to use, and changes nothing", async () => {
    const stored = await storedRows(service.database);
    const key = organization.api_key;
    const input = encodeURIComponent(JSON.stringify({ 0: {}, 1: {} }));
    for (const answer of [
      await call("/trpc/campaigns.list?input={}", { key }),
      await call(`/trpc/campaigns.list,campaigns.list?batch=1&input=${input}`, { key }),
      await call("/trpc/campaigns.create", { key, body: CAMPAIGN }),
      await call("/trpc/dashboard.settings.get", { key }),
    ]) {
      const { code, message } = responseError("trpc", answer);
      expect(code).toBe("insufficient_scope");
      expect(message).toContain("/v1/trpc");
    }
    expect(await storedRows(service.database)).toEqual(stored);
  });

  it("answers staff, with the API's procedures and the dashboard's", async () => {
    const client = createTRPCClient<AppRouter>({
      links: [
        httpBatchLink({ url: `${service.url}/trpc`, headers: { authorization: `Bearer ${staff_key}` } }),
      ],
    });
    const [campaigns, endpoints] = await Promise.all([
      client.campaigns.list.query({}),
      client.dashboard.endpoints.list.query(),
    ]);
    expect([campaigns.pagination.page, endpoints]).toEqual([1, []]);
  });
});

it("counts calls of both mounts and of REST against one rate limit per key", async () => {
  const limited = await startTestService({ rate_limit_per_minute: 3 });
  try {
    const { organization_id } = await limited.organization();
    const expires_at = new Date(Date.now() + 3_600_000);
    const staff = { organization_id, name: "Jane", scopes: ["staff" as const], expires_at };
    const authorization = `Bearer ${(await createApiKey(limited.database, staff)).token}`;
    const remaining = [];
    for (const path of [
      "/v1/campaigns",
      "/v1/trpc/campaigns.list?input={}",
      "/trpc/campaigns.list?input={}",
    ]) {
      const { status, headers } = await fetch(`${limited.url}${path}`, { headers: { authorization } });
      remaining.push([status, headers.get("ratelimit-remaining")]);
    }
    expect(remaining).toEqual([
      [200, "2"],
      [200, "1"],
      [200, "0"],
    ]);
  } finally {
    await limited.close();
  }
});
