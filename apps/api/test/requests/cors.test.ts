import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { responseError } from "../response-error.ts";
import { startTestService, type TestService } from "../test-service.ts";

const ORIGIN = "https://app.example.com";

let closed: TestService;
let open: TestService;

beforeAll(async () => {
  closed = await startTestService();
  open = await startTestService({ cors_origins: [ORIGIN, "https://other.example.com"] });
});

afterAll(async () => {
  await closed.close();
  await open.close();
});

async function ask(service: TestService, method: string, path: string, headers: Record<string, string>) {
  const response = await fetch(service.url + path, { method, headers });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === "" ? null : JSON.parse(text) };
}

function preflight(service: TestService, origin: string, path = "/v1/campaigns") {
  return ask(service, "OPTIONS", path, {
    origin,
    "access-control-request-method": "POST",
    "access-control-request-headers": "authorization,content-type,idempotency-key",
  });
}

function corsHeaders(headers: Headers): string[] {
  return [...headers.keys()].filter((name) => name.startsWith("access-control-"));
}

describe("without origins in the configuration", () => {
  it("rejects calls from every page", async () => {
    const { api_key } = await closed.organization();
    const headers = { origin: ORIGIN, authorization: `Bearer ${api_key}` };
    const answer = await ask(closed, "GET", "/v1/campaigns", headers);
    expect(answer.status).toBe(200);
    expect(corsHeaders(answer.headers)).toEqual([]);
  });

  it("rejects preflights as an unsupported method", async () => {
    const answer = await preflight(closed, ORIGIN);
    expect(responseError("rest", answer).code).toBe("method_not_allowed");
    expect(corsHeaders(answer.headers)).toEqual([]);
    expect(responseError("trpc", await preflight(closed, ORIGIN, "/v1/trpc/campaigns.list")).code).toBe(
      "method_not_allowed",
    );
  });
});

describe("with origins in the configuration", () => {
  it("lets their pages call and read response headers", async () => {
    const { api_key } = await open.organization();
    for (const path of ["/v1/campaigns", "/v1/trpc/campaigns.list?input={}"]) {
      const answer = await ask(open, "GET", path, { origin: ORIGIN, authorization: `Bearer ${api_key}` });
      expect(answer.status).toBe(200);
      expect(answer.headers.get("access-control-allow-origin")).toBe(ORIGIN);
      expect(answer.headers.get("vary")?.toLowerCase()).toContain("origin");
      expect(answer.headers.get("access-control-expose-headers")?.split(", ").sort()).toEqual([
        "idempotency-replayed",
        "ratelimit-limit",
        "ratelimit-remaining",
        "ratelimit-reset",
        "retry-after",
        "x-request-id",
      ]);
      expect(answer.headers.get("access-control-allow-credentials")).toBeNull();
    }
  });

  it("lets them read errors", async () => {
    for (const [path, code] of [
      ["/v1/campaigns", "unauthorized"],
      ["/v1/nothing", "not_found"],
      ["/v1/campaigns/x/y", "not_found"],
    ]) {
      const answer = await ask(open, "GET", path ?? "", { origin: ORIGIN });
      expect(responseError("rest", answer).code).toBe(code);
      expect(answer.headers.get("access-control-allow-origin")).toBe(ORIGIN);
    }
    const refused = await ask(open, "DELETE", "/v1/campaigns", { origin: ORIGIN });
    expect(responseError("rest", refused).code).toBe("method_not_allowed");
    expect(refused.headers.get("allow")).toBe("GET, HEAD, POST");
  });

  it("answers their preflights", async () => {
    for (const path of ["/v1/campaigns", "/v1/trpc/campaigns.create"]) {
      const { status, headers } = await preflight(open, ORIGIN, path);
      expect(status).toBe(204);
      expect(headers.get("access-control-allow-origin")).toBe(ORIGIN);
      expect(headers.get("access-control-allow-methods")).toBe("GET, POST, PUT");
      expect(headers.get("access-control-allow-headers")).toBe(
        "authorization, content-type, idempotency-key",
      );
    }
  });

  it.each([
    "https://evil.example.com",
    "https://app.example.com.evil.example.com",
    "http://app.example.com",
    "https://app.example.com:8443",
    "https://APP.example.com",
    "null",
    "*",
    "\\",
  ])("rejects pages of another origin: %s", async (origin) => {
    const { api_key } = await open.organization();
    const answer = await ask(open, "GET", "/v1/campaigns", { origin, authorization: `Bearer ${api_key}` });
    expect(answer.headers.get("access-control-allow-origin")).toBeNull();
    expect((await preflight(open, origin)).headers.get("access-control-allow-origin")).toBeNull();
  });

  it("serves requests without an origin as usual", async () => {
    const { rest } = await open.organization();
    const answer = await rest("GET", "/campaigns");
    expect(answer.status).toBe(200);
    expect(answer.headers.get("access-control-allow-origin")).toBeNull();
    const options = await ask(open, "OPTIONS", "/v1/campaigns", {});
    expect([options.status, options.body]).toEqual([204, null]);
  });
});
