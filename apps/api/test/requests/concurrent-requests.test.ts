import { eventually } from "@findersfee/database/testing/eventually";
import { awaitWaiting, holdTransaction } from "@findersfee/database/testing/held-transaction";
import { createApiKey } from "@findersfee/domain/identity/api-keys/create";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { call, surfaces } from "../operations.ts";
import type { RawConnection } from "../raw-connection.ts";
import { responseError } from "../response-error.ts";
import { sendSlowBody } from "../slow-body.ts";
import { type Surfaces, startTestService, type TestClient, type TestService } from "../test-service.ts";
import { click, createTrackedProgram } from "../tracking-program.ts";

const PER_KEY = 3;
const PER_ORGANIZATION = 5;
const PER_ADDRESS = 2;

const PATHS = { rest: "/v1/campaigns", trpc: "/v1/trpc/campaigns.create" };

let service: TestService;
let organization: TestClient;
let slow: RawConnection[];

beforeAll(async () => {
  const concurrent_requests = {
    per_key: PER_KEY,
    per_organization: PER_ORGANIZATION,
    per_address: PER_ADDRESS,
  };
  // Requests of an organization that wait for a lock hold a connection each.
  const options = { poolSize: PER_ORGANIZATION + 5 };
  service = await startTestService({ trust_proxy: 1, concurrent_requests }, undefined, {}, options);
});

afterAll(() => service.close());

beforeEach(async () => {
  organization = await service.organization();
  slow = [];
});

afterEach(() => {
  for (const connection of slow) connection.close();
});

/** Sends partial requests until the key has no slot left. */
async function occupyAll(client: Surfaces, surface: (typeof surfaces)[number] = "rest"): Promise<void> {
  const headers = { authorization: `Bearer ${client.api_key}` };
  await eventually(async () => {
    const status = await statusOf(client);
    if (status === 200) slow.push(await sendSlowBody(service.url, PATHS[surface], headers));
    expect(status).toBe(429);
  });
}

async function secondKey(): Promise<Surfaces> {
  const { organization_id } = organization;
  const options = {
    organization_id,
    name: "Second",
    scopes: ["read" as const, "write" as const],
    expires_at: null,
  };
  return service.client((await createApiKey(service.database, options)).token);
}

function statusOf(client: Surfaces, surface: (typeof surfaces)[number] = "rest"): Promise<number> {
  return call(surface, client, { name: "campaigns.list" }).then(({ status }) => status);
}

describe.each(surfaces)("slow requests over %s", (surface) => {
  it("hold slots of their key only", async () => {
    await occupyAll(organization, surface);
    for (const other of surfaces) {
      const { error, headers } = await call(other, organization, { name: "campaigns.list" });
      expect(error).toMatchObject({
        code: "rate_limited",
        message: expect.stringMatching(/concurrent.*the limit is 3\./),
      });
      expect(headers.get("retry-after")).toBe("1");
      expect(await statusOf(await secondKey(), other)).toBe(200);
      expect(await statusOf(await service.organization(), other)).toBe(200);
    }
    for (const connection of slow) connection.close();
    await eventually(async () => expect(await statusOf(organization)).toBe(200));
  });

  it("hold slots of their organization only", async () => {
    const second = await secondKey();
    await occupyAll(organization, surface);
    await occupyAll(second, surface);
    const { error } = await call(surface, second, { name: "campaigns.list" });
    expect(error?.message).toMatch(/organization/);
    expect(await statusOf(await service.organization(), surface)).toBe(200);
  });
});

describe("slow requests of a person", () => {
  it("hold slots of that person only, in all organizations", async () => {
    const { organization_id } = organization;
    const second = await service.organization();
    const jane = await service.staff(organization_id);
    await service.database`
      insert into members (organization_id, user_id, role, created_at)
      values (${second.organization_id}, ${jane.user_id}, 'viewer', now())`;
    const sent = { ...jane.headers, "sec-fetch-site": "same-origin" };
    const list = async (headers: Record<string, string>) => {
      const response = await fetch(`${service.url}/trpc/campaigns.list?input={}`, { headers });
      return { status: response.status, text: await response.text() };
    };
    await eventually(async () => {
      const { status } = await list(jane.headers);
      if (status === 200) slow.push(await sendSlowBody(service.url, "/trpc/campaigns.create", sent));
      expect(status).toBe(429);
    });
    const elsewhere = await list({ ...jane.headers, "findersfee-organization": second.organization_id });
    expect(elsewhere.text).toMatch(/concurrent requests from this user: the limit is 3/);
    expect(await statusOf(organization)).toBe(200);
    expect((await list((await service.staff(organization_id)).headers)).status).toBe(200);
    for (const connection of slow) connection.close();
    await eventually(async () => expect((await list(jane.headers)).status).toBe(200));
  });
});

describe("a tRPC batch", () => {
  function batch(size: number): Promise<Response> {
    const names = Array.from({ length: size }, () => "campaigns.list").join(",");
    const inputs = Object.fromEntries(Array.from({ length: size }, (_, index) => [index, {}]));
    const url = `${service.url}/v1/trpc/${names}?batch=1&input=${encodeURIComponent(JSON.stringify(inputs))}`;
    return fetch(url, { headers: { authorization: `Bearer ${organization.api_key}` } });
  }

  it("takes a slot per call", async () => {
    const held = await holdTransaction(service.database);
    await held.sql`lock table campaigns`;
    const waiting = batch(PER_KEY);
    await awaitWaiting(service.database);
    expect(await statusOf(organization)).toBe(429);
    expect(await statusOf(organization, "trpc")).toBe(429);
    await held.rollBack();
    expect((await waiting).status).toBe(200);
    expect(await statusOf(organization)).toBe(200);
  });

  it("is rejected if it exceeds the key's slots", async () => {
    const response = await batch(PER_KEY + 1);
    const body: unknown = await response.json();
    expect(body).toMatchObject({ error: { message: "A batch can have at most 3 calls." } });
    expect(response.status).toBe(400);
  });
});

describe("requests without a valid key", () => {
  it("hold their address's slots while waiting for the database", async () => {
    const held = await holdTransaction(service.database);
    await held.sql`lock table api_keys`;
    const guess = (address: string, digit: string) =>
      fetch(`${service.url}/v1/campaigns`, {
        headers: { authorization: `Bearer ff_sk_${digit.repeat(43)}`, "x-forwarded-for": address },
      });
    const waiting = Array.from({ length: PER_ADDRESS }, (_, index) => guess("203.0.113.7", String(index)));
    await awaitWaiting(service.database, PER_ADDRESS);
    const refused = await guess("203.0.113.7", "9");
    const { status, headers } = refused;
    expect(responseError("rest", { status, headers, body: await refused.json() }).code).toBe("rate_limited");
    const other = guess("203.0.113.8", "8");
    await awaitWaiting(service.database, PER_ADDRESS + 1);
    await held.rollBack();
    for (const answer of await Promise.all([...waiting, other])) expect(answer.status).toBe(401);
  });

  it("hold their address's slots while tracking", async () => {
    const program = await createTrackedProgram(service);
    const held = await holdTransaction(service.database);
    await held.sql`lock table clicks`;
    const from = (address: string) => click(program, {}, { "x-forwarded-for": address });
    const waiting = Array.from({ length: PER_ADDRESS }, () => from("203.0.113.9"));
    await awaitWaiting(service.database);
    await eventually(async () => expect((await from("203.0.113.9")).status).toBe(429));
    const other = from("203.0.113.10");
    await held.rollBack();
    // Recorded, or timed out on a slow machine, but never rejected for a limit.
    for (const { status } of await Promise.all([...waiting, other])) expect([200, 503]).toContain(status);
  });
});

it("sets no limit with 0", async () => {
  const free = await startTestService();
  try {
    const client = await free.organization();
    const statuses = Array.from({ length: 150 }, () => statusOf(client));
    expect(new Set(await Promise.all(statuses))).toEqual(new Set([200]));
  } finally {
    await free.close();
  }
});
