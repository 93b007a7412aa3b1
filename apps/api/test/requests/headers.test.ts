import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { call, surfaces } from "../operations.ts";
import { CAMPAIGN } from "../program.ts";
import { head, sendRaw } from "../raw-connection.ts";
import { responseError } from "../response-error.ts";
import { sharedTestService, type TestClient, type TestService } from "../test-service.ts";

let service: TestService;
let organization: TestClient;

beforeAll(async () => {
  service = await sharedTestService();
  organization = await service.organization();
});

afterAll(() => service.close());

const PATHS = { rest: "/v1/campaigns", trpc: "/v1/trpc/campaigns.list?input={}" };

describe.each(surfaces)("Authorization over %s", (surface) => {
  function ask(authorization: string | null) {
    return sendRaw(service.url, head(`GET ${PATHS[surface]} HTTP/1.1`, { authorization }));
  }

  it("accepts one key after Bearer in any case", async () => {
    const { api_key } = organization;
    for (const value of [
      `Bearer ${api_key}`,
      `bearer ${api_key}`,
      `BEARER   ${api_key}  `,
      `\tBearer ${api_key}\t`,
    ]) {
      expect((await ask(value)).status).toBe(200);
    }
  });

  it("rejects everything else with the same message", async () => {
    const { api_key, publishable_key } = organization;
    const unknown = `${api_key.slice(0, -1)}${api_key.endsWith("0") ? "1" : "0"}`;
    const messages = new Set<string>();
    for (const value of [
      null,
      "",
      "Bearer",
      "Bearer ",
      api_key,
      `Basic ${Buffer.from(`${api_key}:`).toString("base64")}`,
      `Token ${api_key}`,
      `Bearer${api_key}`,
      `Bearer ${api_key} x`,
      `Bearer ${api_key},Bearer ${api_key}`,
      `Bearer "${api_key}"`,
      `Bearer ${api_key.toUpperCase()}`,
      `Bearer ${api_key}x`,
      `Bearer ${api_key.slice(0, -1)}`,
      `Bearer ${unknown}`,
      `Bearer ff_sk_`,
      `Bearer ff_sk_${"x".repeat(10_000)}`,
      `Bearer ${publishable_key}x`,
      `Bearer \xff\xfe`,
      `Bearer ${api_key}\xa0`,
      "Bearer null",
      "Bearer ' or 1=1 --",
    ]) {
      const error = responseError(surface, await ask(value));
      expect([error.code, value]).toEqual(["unauthorized", value]);
      messages.add(error.message);
    }
    expect(messages.size).toBe(1);
  });

  it("uses the first of two headers", async () => {
    const good = `authorization: Bearer ${organization.api_key}\r\n`;
    const bad = "authorization: Bearer x\r\n";
    const start = `GET ${PATHS[surface]} HTTP/1.1\r\nhost: x\r\n`;
    expect((await sendRaw(service.url, `${start}${good}${bad}\r\n`)).status).toBe(200);
    expect((await sendRaw(service.url, `${start}${bad}${good}\r\n`)).status).toBe(401);
  });

  it("is required before the body is read", async () => {
    const path = surface === "rest" ? "/v1/campaigns" : "/v1/trpc/campaigns.create";
    for (const headers of [{ "content-type": "text/html" }, { "content-length": "99999999" }, {}]) {
      const answer = await sendRaw(
        service.url,
        head(`POST ${path} HTTP/1.1`, { "content-length": "0", ...headers }),
      );
      expect(responseError(surface, answer).code).toBe("unauthorized");
    }
  });
});

describe.each(surfaces)("Idempotency-Key over %s", (surface) => {
  async function create(key: string) {
    const path = surface === "rest" ? "/v1/campaigns" : "/v1/trpc/campaigns.create";
    const body = JSON.stringify(CAMPAIGN);
    const text = head(`POST ${path} HTTP/1.1`, {
      authorization: `Bearer ${organization.api_key}`,
      "content-type": "application/json",
      "content-length": `${body.length}`,
      "idempotency-key": key,
    });
    return await sendRaw(service.url, text + body);
  }

  it.each(["", " ", "x".repeat(256), "x".repeat(8_000)])("rejects %j by name", async (key) => {
    const error = responseError(surface, await create(key));
    expect(error.issues?.map(({ path }) => path)).toEqual(["Idempotency-Key"]);
  });

  it.each([
    "0",
    "x".repeat(255),
    "\xe9\xff\x80",
    "a b\tc",
    "'; drop table idempotency_keys; --",
    "null",
    "__proto__",
  ])("stores %j unchanged", async (key) => {
    // Each surface has its own keys, since inputs may differ.
    const named = `${key.slice(0, 250)}-${surface}`;
    const first = await create(named);
    const second = await create(named);
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.body).toEqual(first.body);
    expect([first, second].map(({ headers }) => headers.get("idempotency-replayed"))).toEqual([null, "true"]);
  });

  it("has no effect on other operations", async () => {
    const headers = { "idempotency-key": "x".repeat(300) };
    expect((await call(surface, organization, { name: "campaigns.list", headers })).status).toBe(200);
    const campaign = await organization.trpc.campaigns.create.mutate(CAMPAIGN);
    const update = { name: "campaigns.update", input: { id: campaign.id, name: "x" }, headers };
    expect((await call(surface, organization, update)).status).toBe(200);
  });
});

describe("other headers", () => {
  it.each([
    ["accept", "text/html"],
    ["accept", "application/xml;q=0"],
    ["accept-version", "9.9.9"],
    ["accept-encoding", "gzip;q=1, *;q=0"],
    ["if-none-match", "*"],
    ["range", "bytes=0-1"],
    ["x-forwarded-for", "not an address"],
    ["x-forwarded-host", "evil.example"],
    ["x-http-method-override", "DELETE"],
    ["x-request-id", "mine"],
    ["cookie", "a=b; __proto__=1"],
    ["connection", "keep-alive, x"],
    ["te", "trailers"],
    ["host", "evil.example:9"],
    ["__proto__", "x"],
    ["constructor", "x"],
  ])("%s: %s changes nothing", async (name, value) => {
    const authorization = `Bearer ${organization.api_key}`;
    for (const path of Object.values(PATHS)) {
      const answer = await sendRaw(
        service.url,
        head(`GET ${path} HTTP/1.1`, { authorization, [name]: value }),
      );
      expect(answer.status).toBe(200);
      expect(answer.headers.get("x-request-id")).toMatch(/^req-/);
    }
  });

  it.each(["", "evil.example:99999", "a b", "[", "%"])("tolerates an invalid Host: %j", async (host) => {
    const authorization = `Bearer ${organization.api_key}`;
    for (const surface of surfaces) {
      const answer = await sendRaw(
        service.url,
        head(`GET ${PATHS[surface]} HTTP/1.1`, { authorization, host }),
      );
      if (answer.status !== 200) expect(responseError(surface, answer).code).toBe("invalid_request");
    }
  });
});
