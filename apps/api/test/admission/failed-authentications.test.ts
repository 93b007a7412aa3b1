import { randomBytes } from "node:crypto";
import { base62 } from "@findersfee/domain/identity/api-keys/token";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { call, surfaces } from "../operations.ts";
import { responseError } from "../response-error.ts";
import { startTestService, type TestService } from "../test-service.ts";
import { click, createTrackedProgram } from "../tracking-program.ts";

const LIMIT = 5;

let service: TestService;

// Each with its own minute.
beforeEach(async () => {
  service = await startTestService({ failed_authentications_per_minute: LIMIT, trust_proxy: 1 });
});

afterEach(() => service.close());

function from(address: string): Record<string, string> {
  return { "x-forwarded-for": address };
}

/** The status and headers of a call with a key from an address. */
async function list(surface: (typeof surfaces)[number], key: string, address: string) {
  const { status, headers } = await call(surface, service.client(key), {
    name: "campaigns.list",
    headers: from(address),
  });
  return { status, headers };
}

function unknownKey(kind: "sk" | "pk" = "sk"): string {
  return `ff_${kind}_${base62(randomBytes(32))}`;
}

describe.each(surfaces)("invalid keys over %s", (surface) => {
  it("are limited per address", async () => {
    const keys = [unknownKey(), "nonsense", unknownKey(), unknownKey(), unknownKey()];
    for (const key of keys) expect((await list(surface, key, "203.0.113.7")).status).toBe(401);
    for (const other of surfaces) {
      const { status, headers } = await list(other, unknownKey(), "203.0.113.7");
      expect(status).toBe(429);
      expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
      expect(Number(headers.get("retry-after"))).toBeLessThanOrEqual(60);
    }
    expect((await list(surface, unknownKey(), "203.0.113.8")).status).toBe(401);
  });

  it("do not affect the address's earlier valid keys or other addresses", async () => {
    const { api_key } = await service.organization();
    const { api_key: new_key } = await service.organization();
    expect((await list(surface, api_key, "203.0.113.7")).status).toBe(200);
    for (let count = 0; count < LIMIT; count++) await list(surface, unknownKey(), "203.0.113.7");
    expect((await list(surface, unknownKey(), "203.0.113.7")).status).toBe(429);
    expect((await list(surface, api_key, "203.0.113.7")).status).toBe(200);
    expect((await list(surface, new_key, "203.0.113.7")).status).toBe(429);
    expect((await list(surface, new_key, "203.0.113.8")).status).toBe(200);
  });

  it("count even if they were valid before", async () => {
    const { api_key, organization_id } = await service.organization();
    expect((await list(surface, api_key, "203.0.113.7")).status).toBe(200);
    await service.database`
      update api_keys set revoked_at = now() where organization_id = ${organization_id}`;
    await expect.poll(async () => (await list(surface, api_key, "203.0.113.7")).status).toBe(401);
    for (let count = 1; count < LIMIT; count++) await list(surface, api_key, "203.0.113.7");
    expect((await list(surface, api_key, "203.0.113.7")).status).toBe(429);
  });
});

it("does not count successes", async () => {
  const { api_key } = await service.organization();
  for (let count = 0; count < LIMIT * 3; count++) {
    expect((await list("rest", api_key, "203.0.113.7")).status).toBe(200);
  }
});

it("counts guesses of publishable keys", async () => {
  const program = await createTrackedProgram(service);
  const guess = () => click(program, { key: unknownKey("pk") }, from("203.0.113.7"));
  for (let count = 0; count < LIMIT; count++)
    expect(responseError("rest", await guess()).code).toBe("unauthorized");
  expect(responseError("rest", await guess()).code).toBe("rate_limited");
  expect((await click(program, {}, from("203.0.113.8"))).status).toBe(200);
  // Cached by now.
  expect((await click(program, {}, from("203.0.113.7"))).status).toBe(200);
});

it("counts guesses of unsubscribe links", async () => {
  const guess = () =>
    fetch(`${service.url}/unsubscribe/${randomBytes(64).toString("base64url")}`, {
      headers: from("203.0.113.7"),
    });
  for (let count = 0; count < LIMIT; count++) expect((await guess()).status).toBe(404);
  expect((await guess()).status).toBe(429);
});
