import { createApiKey } from "@findersfee/domain/identity/api-keys/create";
import { createTRPCClient, httpBatchLink } from "@trpc/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AppRouter } from "../../src/router.ts";
import type { V1Router } from "../../src/v1-router.ts";
import { CAMPAIGN, storedRows } from "../program.ts";
import { responseError } from "../response-error.ts";
import { type ApiResponse, startTestService, type TestClient, type TestService } from "../test-service.ts";

let service: TestService;
let organization: TestClient;
let admin_key: string;

beforeAll(async () => {
  service = await startTestService();
  organization = await service.organization();
  admin_key = await createAdminKey(service, organization.organization_id);
});

afterAll(() => service.close());

/** A key for the API's and the dashboard's operations. */
async function createAdminKey({ database }: TestService, organization_id: string): Promise<string> {
  const scopes = ["read" as const, "write" as const, "admin" as const];
  const key = { organization_id, name: "Script", scopes, expires_at: null };
  return (await createApiKey(database, key)).token;
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

  it.each(["API", "dashboard"])("hides the dashboard's procedures from a key for the %s", async (kind) => {
    const key = kind === "dashboard" ? admin_key : organization.api_key;
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
  it("rejects a key for the API with the path to use, and changes nothing", async () => {
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

  it("answers a key for the dashboard, with the API's procedures and the dashboard's", async () => {
    const client = createTRPCClient<AppRouter>({
      links: [
        httpBatchLink({ url: `${service.url}/trpc`, headers: { authorization: `Bearer ${admin_key}` } }),
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
    const authorization = `Bearer ${await createAdminKey(limited, organization_id)}`;
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
