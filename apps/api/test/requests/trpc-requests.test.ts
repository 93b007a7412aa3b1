import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CAMPAIGN, storedRows } from "../program.ts";
import { responseError } from "../response-error.ts";
import { type ApiResponse, startTestService, type TestClient, type TestService } from "../test-service.ts";

let service: TestService;
let organization: TestClient;

beforeAll(async () => {
  service = await startTestService();
  organization = await service.organization();
});

afterAll(() => service.close());

async function call(method: string, path: string, options: RequestInit = {}): Promise<ApiResponse> {
  const response = await fetch(`${service.url}/v1/trpc/${path}`, {
    method,
    ...options,
    headers: { authorization: `Bearer ${organization.api_key}`, ...options.headers },
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

function post(path: string, body: unknown): Promise<ApiResponse> {
  const headers = { "content-type": "application/json" };
  return call("POST", path, { headers, body: JSON.stringify(body) });
}

function inputOf(value: unknown): string {
  return `input=${encodeURIComponent(JSON.stringify(value))}`;
}

describe("an invalid input in the URL", () => {
  it.each([
    ["cut off", "input=%7B"],
    ["bad encoding", "input=%7"],
    ["NaN", "input=NaN"],
    ["duplicate keys", `input=${encodeURIComponent('{"limit":1,"limit":2}')}`],
    ["deep nesting", `input=${"[".repeat(5_000)}`],
    ["lost digits", `input=${encodeURIComponent('{"limit":1.00000000000000000001}')}`],
    ["sent twice", "input={}&input={}"],
  ])("%s", async (_name, query) => {
    const error = responseError("trpc", await call("GET", `campaigns.list?${query}`));
    expect(error.code).toBe("invalid_request");
    expect(error.issues).toHaveLength(1);
  });

  it.each([
    ["text for a number", { limit: "10" }, "limit"],
    ["text for a boolean", { approved: "true" }, "approved"],
    ["null", { page: null }, "page"],
    ["unknown field", { constructor: 1 }, "constructor"],
    ["NUL", { email: "a\0@example.com" }, "email"],
  ])("%s", async (_name, input, field) => {
    const error = responseError("trpc", await call("GET", `affiliates.list?${inputOf(input)}`));
    expect(error.issues?.map(({ path }) => path)).toEqual([field]);
  });

  it("__proto__", async () => {
    const input = `input=${encodeURIComponent('{"__proto__":{"limit":1}}')}`;
    const error = responseError("trpc", await call("GET", `campaigns.list?${input}`));
    expect(error.issues).toEqual([{ path: "__proto__", message: "Unknown field." }]);
  });

  it("has REST's messages in REST's order", async () => {
    const rest = (await organization.rest("GET", "/campaigns?limit=0")).body.error;
    const trpc = (await call("GET", `campaigns.list?${inputOf({ limit: 0 })}`)).body.error.data;
    expect(trpc).toEqual({ ...rest, request_id: trpc.request_id, httpStatus: 400 });
    expect(Object.keys(rest)).toEqual(["code", "message", "issues", "request_id"]);
    expect(Object.keys(trpc)).toEqual(["httpStatus", ...Object.keys(rest)]);
  });

  it.each(["null", "1", "[]", '"{}"'])("%s", async (input) => {
    expect(responseError("trpc", await call("GET", `campaigns.get?input=${input}`)).code).toBe(
      "invalid_request",
    );
  });
});

describe("unknown procedures", () => {
  it.each([
    "nothing",
    "campaigns",
    "campaigns.",
    "campaigns.list.x",
    "campaigns.delete",
    "Campaigns.list",
    "__proto__",
    "constructor",
    "toString",
    "hasOwnProperty",
    "campaigns.__proto__",
    "campaigns.constructor",
    "_def",
    "_def.procedures",
    "createCaller",
    "%00",
    "campaigns%2flist",
    "campaigns.list,campaigns.list",
    "%20",
    "x".repeat(8_000),
  ])("%s", async (path) => {
    expect(responseError("trpc", await call("GET", path)).code).toBe("not_found");
    expect(responseError("trpc", await post(path, {})).code).toBe("not_found");
  });
});

describe("methods", () => {
  it("rejects GET for changes and POST for queries", async () => {
    const stored = await storedRows(service.database);
    const change = await call("GET", `campaigns.create?${inputOf(CAMPAIGN)}`);
    expect(responseError("trpc", change).code).toBe("method_not_allowed");
    expect(change.headers.get("allow")).toBe("POST");
    const query = await post("campaigns.list", {});
    expect(responseError("trpc", query).code).toBe("method_not_allowed");
    expect(query.headers.get("allow")).toBe("GET");
    expect(await storedRows(service.database)).toEqual(stored);
  });

  it.each(["PUT", "PATCH", "DELETE", "OPTIONS"])("rejects %s", async (method) => {
    for (const path of ["campaigns.list", "campaigns.create", "nothing"]) {
      const answer = await call(method, path);
      expect(responseError("trpc", answer).code).toBe("method_not_allowed");
      expect(answer.headers.get("allow")).toBe("GET, POST");
    }
  });
});

describe("a batch", () => {
  const good = { 0: {}, 1: { limit: 1 } };

  it("responds to each call separately", async () => {
    const { status, body } = await call(
      "GET",
      `campaigns.list,nothing,campaigns.get?batch=1&${inputOf({ 0: {}, 2: { id: "x" } })}`,
    );
    expect(status).toBe(207);
    expect(body).toHaveLength(3);
    expect(body[0].result.data.data).toEqual([]);
    expect(body[1].error.data).toMatchObject({
      code: "not_found",
      request_id: expect.stringMatching(/^req-/),
    });
    expect(body[2].error.data).toMatchObject({ code: "invalid_request", issues: [{ path: "id" }] });
  });

  it("makes the valid changes", async () => {
    const { status, body } = await post("campaigns.create,campaigns.create?batch=1", { 0: CAMPAIGN, 1: {} });
    expect(status).toBe(207);
    expect(body[0].result.data).toMatchObject({ name: CAMPAIGN.name });
    expect(body[1].error.data.issues.map(({ path }: { path: string }) => path)).toContain("name");
  });

  it("streams responses on request", async () => {
    const response = await fetch(`${service.url}/v1/trpc/campaigns.list,nothing?batch=1&${inputOf(good)}`, {
      headers: { authorization: `Bearer ${organization.api_key}`, "trpc-accept": "application/jsonl" },
    });
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('"not_found"');
  });

  it.each([
    ["that is none", ["campaigns.list?batch=1&input=1"]],
    ["of text", ['campaigns.list?batch=1&input="x"']],
    ["of an array", ["campaigns.list?batch=1&input=[{}]"]],
    ["of nothing", ["campaigns.list?batch=1&input=null"]],
    ["that reads and changes", ["campaigns.list,campaigns.create?batch=1"]],
    ["of 51 calls", [`${"campaigns.list,".repeat(50)}campaigns.list?batch=1`]],
    ["of 8,000 calls", [`${",".repeat(8_000)}?batch=1`]],
    ["alone and streamed", ["campaigns.list", { "trpc-accept": "application/jsonl" }]],
    ["with connection parameters of nonsense", ["campaigns.list?connectionParams=%7B"]],
    ["with connection parameters of numbers", ['campaigns.list?connectionParams={"a":1}']],
  ] as [string, [string, Record<string, string>?]][])(
    "%s is refused",
    async (_name, [path, headers = {}]) => {
      const { status, headers: answered, body } = await call("GET", path, { headers });
      const [first] = [body].flat();
      expect(responseError("trpc", { status, headers: answered, body: first }).code).toBe("invalid_request");
    },
  );

  it("with empty names finds nothing", async () => {
    const { status, body } = await call("GET", ",?batch=1");
    expect(status).toBe(404);
    expect(body).toHaveLength(2);
  });

  it("counts each of its calls", async () => {
    const limited = await startTestService({ rate_limit_per_minute: 5 });
    try {
      const { api_key } = await limited.organization();
      const batch = async () => {
        const path =
          "campaigns.list,campaigns.list,campaigns.list?batch=1&input={%220%22:{},%221%22:{},%222%22:{}}";
        const headers = { authorization: `Bearer ${api_key}` };
        const response = await fetch(`${limited.url}/v1/trpc/${path}`, { headers });
        return { status: response.status, headers: response.headers, body: await response.json() };
      };
      const first = await batch();
      expect([first.status, first.headers.get("ratelimit-remaining")]).toEqual([200, "2"]);
      expect(responseError("trpc", await batch()).code).toBe("rate_limited");
    } finally {
      await limited.close();
    }
  });
});

describe("content types", () => {
  it.each(["multipart/form-data; boundary=x", "application/octet-stream", "text/plain"])(
    "rejects %s even without a body",
    async (type) => {
      const headers = { "content-type": type };
      expect(responseError("trpc", await call("GET", "campaigns.list", { headers })).code).toBe(
        "unsupported_media_type",
      );
      const body = "--x--";
      expect(responseError("trpc", await call("POST", "campaigns.create", { headers, body })).code).toBe(
        "unsupported_media_type",
      );
    },
  );

  it("requires a content type for a change", async () => {
    expect(responseError("trpc", await call("POST", "campaigns.create")).code).toBe("unsupported_media_type");
  });
});
