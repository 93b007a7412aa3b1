import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { operations } from "../operations.ts";
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

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND", "SEARCH"];

/** Every path of the service with its methods. */
function methodsByPath(): [path: string, methods: string[]][] {
  const methods = new Map<string, Set<string>>();
  const add = (path: string, method: string) => {
    const known = methods.get(path) ?? new Set<string>();
    known.add(method);
    if (method === "GET") known.add("HEAD");
    methods.set(path, known);
  };
  for (const { method, path } of operations) add(`/v1${path}`, method);
  for (const path of ["/healthz", "/readyz", "/metrics", "/v1/openapi.json"]) add(path, "GET");
  return [...methods].map(([path, names]) => [path, [...names].sort()]);
}

async function ask(method: string, path: string, headers: Record<string, string> = {}) {
  const authorization = `Bearer ${organization.api_key}`;
  return await sendRaw(service.url, head(`${method} ${path} HTTP/1.1`, { authorization, ...headers }));
}

describe.each(methodsByPath())("%s", (path, methods) => {
  it(`supports ${methods.join(", ")} and lists them for other methods`, async () => {
    const filled = path.replace("{id}", "0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90");
    if (!methods.includes("HEAD")) {
      // Its answer has no body.
      const { status, headers } = await fetch(`${service.url}${filled}`, { method: "HEAD" });
      expect([status, headers.get("allow")]).toEqual([405, methods.join(", ")]);
    }
    for (const method of METHODS.filter((name) => name !== "HEAD" && !methods.includes(name))) {
      const answer = await ask(method, filled);
      expect(responseError("rest", answer).code).toBe("method_not_allowed");
      expect(answer.headers.get("allow")).toBe(methods.join(", "));
    }
    for (const method of methods.filter((name) => name !== "HEAD")) {
      expect((await ask(method, filled)).status).not.toBe(405);
    }
  });

  it("ignores the body of an unsupported method", async () => {
    const headers = { "content-type": "text/html", "content-length": "99999999", authorization: "none" };
    const answer = await ask("DELETE", path.replace("{id}", "x"), headers);
    expect(responseError("rest", answer).code).toBe("method_not_allowed");
  });
});

describe("unknown paths", () => {
  it.each([
    "/v1",
    "/v1/",
    "/v2/campaigns",
    "/V1/campaigns",
    "/v1/Campaigns",
    "/v1/campaign",
    "/v1//campaigns",
    "//v1/campaigns",
    "/v1/campaigns/0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90/",
    "/v1/campaigns/0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90/affiliates",
    "/v1/campaigns;x",
    "/v1/campaigns%2f0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90",
    "/v1/campaigns%00",
    "/v1/../healthz",
    "/v1/../../etc/passwd",
    "/v1/%2e%2e/healthz",
    "/v1/..%2fhealthz",
    "/v1/..\\healthz",
    "/v1/__proto__",
    "/v1/constructor",
    "/__proto__",
    "/.env",
    "/healthz/",
    "/metrics/x",
    `/${"x".repeat(10_000)}`,
    `/v1/${"x/".repeat(5_000)}`,
    "/v1/campaigns/x/y?page=1",
    "http://localhost/v1/nothing?x=1",
  ])("%s", async (path) => {
    for (const method of ["GET", "POST", "OPTIONS", "TRACE"]) {
      expect(responseError("rest", await ask(method, path)).code).toBe("not_found");
    }
  });

  it.each([
    "/v1/trpc",
    "/v1/trpc/",
    "/v1/trpc/campaigns.list/",
    "/v1/trpc/campaigns/list",
    "/v1/trpc?batch=1",
    "/trpc",
    "/trpc/campaigns/list",
  ])("%s, in tRPC's shape", async (path) => {
    expect(responseError("trpc", await ask("GET", path)).code).toBe("not_found");
  });

  it("a path, with any client and body", async () => {
    const headers = { "content-type": "text/html", "content-length": "99999999", authorization: "none" };
    expect(responseError("rest", await ask("POST", "/v1/nothing", headers)).code).toBe("not_found");
  });
});

describe("an invalid path encoding", () => {
  it.each([
    "/v1/%",
    "/v1/%zz",
    "/v1/campaigns/%",
    "/v1/campaigns/%f",
    "/v1/campaigns/%ff",
    "/v1/campaigns/%c0%80",
  ])("is refused: %s", async (path) => {
    expect(responseError("rest", await ask("GET", path)).code).toBe("invalid_request");
  });

  it("is rejected in tRPC's shape", async () => {
    for (const path of ["/v1/trpc/%", "/v1/trpc/%ff", "/trpc/%", "/trpc/%ff"]) {
      expect(responseError("trpc", await ask("GET", path)).code).toBe("invalid_request");
    }
  });

  it("is harmless in the query", async () => {
    for (const query of ["limit=%", "limit=%zz", "limit=%ff", "%=1", "%ff=%ff"]) {
      const error = responseError("rest", await ask("GET", `/v1/campaigns?${query}`));
      expect(error.code).toBe("invalid_request");
    }
  });
});

describe("a trailing slash", () => {
  const paths = [
    ...new Set(
      operations.map(({ path }) => `/v1${path.replace("{id}", "0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90")}`),
    ),
    "/v1/openapi.json",
    "/healthz",
    "/docs/concepts",
  ];

  it.each(paths)("of %s/ is not found for any method, with a hint", async (path) => {
    for (const target of [`${path}/`, `${path}/?limit=1`, `${path}//`, `http://localhost${path}/`]) {
      for (const method of ["GET", "POST", "PUT", "DELETE"]) {
        const error = responseError("rest", await ask(method, target));
        expect([error.code, error.message, error.issues], `${method} ${target}`).toEqual([
          "not_found",
          `Unknown path. Remove the trailing slash: ${path}`,
          undefined,
        ]);
      }
    }
  });

  it("on a tRPC procedure's path is not found, in tRPC's shape", async () => {
    const error = responseError("trpc", await ask("GET", "/trpc/campaigns.list/"));
    expect(error.message).toBe("Unknown path. Remove the trailing slash: /trpc/campaigns.list");
  });

  it("on an unknown path gets no hint", async () => {
    for (const path of ["/v1/campaign/", "/v1/campaigns/x/y/", "//", "/v1/"]) {
      const error = responseError("rest", await ask("GET", path));
      expect([error.code, error.message]).toEqual(["not_found", "Unknown path."]);
    }
  });

  it("is part of the documents' address", async () => {
    const response = await fetch(`${service.url}/docs/`);
    expect([response.status, (await response.text()).slice(0, 9)]).toEqual([200, "<!doctype"]);
  });
});

it("accepts a URL in absolute form", async () => {
  const answer = await ask("GET", "http://localhost/v1/campaigns?limit=1");
  expect(answer).toMatchObject({ status: 200, body: { data: [] } });
  const refused = await ask("POST", "http://localhost/healthz");
  expect(responseError("rest", refused).code).toBe("method_not_allowed");
});

it("responds to HEAD without a body", async () => {
  for (const path of ["/v1/campaigns", "/healthz"]) {
    const response = await fetch(service.url + path, {
      method: "HEAD",
      headers: { authorization: `Bearer ${organization.api_key}` },
    });
    expect([response.status, await response.text()]).toEqual([200, ""]);
  }
});

it("rejects CONNECT", async () => {
  const answer = await sendRaw(service.url, head("CONNECT example.com:443 HTTP/1.1"));
  expect(responseError("rest", answer).code).toBe("method_not_allowed");
});
