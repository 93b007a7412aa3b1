import { createContext, runInContext } from "node:vm";
import { eventually } from "@findersfee/database/testing/eventually";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, expectTypeOf, it, vi } from "vitest";
import manifest from "../package.json" with { type: "json" };
import { type Affiliate, createClient, type FindersfeeError, type WithResponse } from "../src/index.ts";
import { drop, EMPTY_PAGE, hang, respond, startFaulty } from "./faulty-server.ts";
import { recordingFetch } from "./recording-fetch.ts";
import { CAMPAIGN, type Service, startService } from "./service.ts";

let service: Service;

beforeAll(async () => {
  service = await startService();
  await service.client.campaigns.create(CAMPAIGN);
});

afterAll(() => service.close());

function recordedClient(options: object = {}) {
  const { sent, fetch } = recordingFetch();
  return { sent, client: createClient({ apiKey: service.api_key, baseUrl: service.url, fetch, ...options }) };
}

async function failureOf(call: PromiseLike<unknown>): Promise<FindersfeeError> {
  return await call.then(
    () => expect.fail("it succeeded"),
    (error: FindersfeeError) => error,
  );
}

describe("User-Agent", () => {
  const user_agent = `findersfee-sdk/${manifest.version}`;

  it("names the SDK and its version in every request", async () => {
    const { sent, client } = recordedClient();
    await client.affiliates.list();
    await client.affiliates.create({ email: "agent@example.com" });
    expect(sent.map(({ headers }) => headers.get("user-agent"))).toEqual([user_agent, user_agent]);
  });

  it("can be replaced by a program's own User-Agent", async () => {
    const { sent, client } = recordedClient({ headers: { "User-Agent": `shop/1.0 ${user_agent}` } });
    await client.affiliates.list();
    expect(sent[0]?.headers.get("user-agent")).toBe(`shop/1.0 ${user_agent}`);
  });

  it.each([
    ["a page", { document: {} }],
    ["a worker", { importScripts: () => {} }],
  ])("keeps the browser's User-Agent in %s, to avoid a CORS preflight", async (_name, globals) => {
    const { outputFiles } = await build({
      entryPoints: [`${import.meta.dirname}/../src/index.ts`],
      bundle: true,
      platform: "browser",
      format: "iife",
      globalName: "sdk",
      write: false,
    });
    const { sent, fetch } = recordingFetch();
    const standards = { AbortController, Headers, URL, crypto, performance, setTimeout, clearTimeout };
    const options = { apiKey: service.api_key, baseUrl: service.url, fetch };
    const context = createContext({ ...standards, ...globals, options });
    await runInContext(`${outputFiles[0]?.text}; sdk.createClient(options).affiliates.list()`, context);
    expect([...(sent[0]?.headers.keys() ?? [])].sort()).toEqual(["accept", "authorization"]);
  });
});

describe("headers", () => {
  it("are sent; a call's headers override the client's", async () => {
    const { sent, client } = recordedClient({ headers: { "X-Trace": "client", "x-zone": "eu" } });
    await client.affiliates.list();
    await client.affiliates.create({ email: "trace@example.com" }, { headers: { "x-trace": "call" } });
    for await (const _row of client.affiliates.list({ limit: 1 }, { headers: { "x-trace": "list" } })) break;
    expect(sent.map(({ headers }) => [headers.get("x-trace"), headers.get("x-zone")])).toEqual([
      ["client", "eu"],
      ["call", "eu"],
      ["list", "eu"],
    ]);
  });

  it("exclude a query from batching", async () => {
    const { sent, client } = recordedClient();
    await Promise.all([
      client.campaigns.list(),
      client.affiliates.list({}, { headers: { "x-trace": "1" } }),
      client.payouts.list(),
    ]);
    expect(sent.map(({ path, headers }) => [path, headers.get("x-trace")]).sort()).toEqual([
      ["affiliates.list", "1"],
      ["campaigns.list,payouts.list", null],
    ]);
  });

  it.each([
    ["authorization", { Authorization: "Bearer other" }, "headers.Authorization"],
    ["an idempotency key", { "Idempotency-Key": "1" }, "headers.Idempotency-Key"],
    ["a line break", { "x-trace": "a\r\nb: c" }, "headers.x-trace"],
    ["an impossible name", { "x trace": "1" }, "headers.x trace"],
    ["a number", { "x-trace": 1 }, "headers.x-trace"],
    ["a list", [["x-trace", "1"]], "headers"],
  ])("are rejected before sending: %s", async (_name, headers, path) => {
    const { sent, client } = recordedClient();
    const options = { headers: headers as Record<string, string> };
    for (const call of [
      client.affiliates.list({}, options),
      client.affiliates.create({ email: "x@example.com" }, options),
    ]) {
      expect(await failureOf(call)).toMatchObject({ code: "invalid_request", issues: [{ path }] });
    }
    expect(() => createClient({ apiKey: "ff_sk_x", baseUrl: "http://localhost", ...options })).toThrow(path);
    expect(sent).toEqual([]);
  });
});

describe("maxRetries of a call", () => {
  it("overrides the client's, up or down", async () => {
    const faulty = await startFaulty(drop());
    const client = createClient({ apiKey: "ff_sk_x", baseUrl: faulty.url, maxRetries: 1 });
    await failureOf(client.campaigns.list({}, { maxRetries: 0 }));
    expect(faulty.seen).toHaveLength(1);
    await failureOf(client.affiliates.create({ email: "x@example.com" }, { maxRetries: 2 }));
    expect(faulty.seen).toHaveLength(4);
    expect(await failureOf(client.campaigns.list({}, { maxRetries: -1 }))).toMatchObject({
      issues: [{ path: "maxRetries" }],
    });
    await faulty.close();
  });
});

describe("withResponse", () => {
  it("resolves to the result with status, headers, request id and body", async () => {
    const { client } = service;
    const created = await client.affiliates
      .create({ email: "raw@example.com" }, { idempotencyKey: "raw" })
      .withResponse();
    expectTypeOf(created).toEqualTypeOf<WithResponse<Affiliate>>();
    expect(created.data.email).toBe("raw@example.com");
    expect(created.response).toMatchObject({ status: 200, requestId: expect.stringMatching(/^req-/) });
    expect(created.response.headers.get("x-request-id")).toBe(created.response.requestId);
    expect(JSON.parse(created.response.body)).toEqual({ result: { data: created.data } });
    const again = await client.affiliates
      .create({ email: "raw@example.com" }, { idempotencyKey: "raw" })
      .withResponse();
    expect(again.response.headers.get("idempotency-replayed")).toBe("true");
  });

  it("sends no second request when the result is awaited as well", async () => {
    const { sent, client } = recordedClient();
    const call = client.affiliates.update({ id: (await service.client.affiliates.list()).data[0]?.id ?? "" });
    const { data } = await call.withResponse();
    expect(await call).toEqual(data);
    const list = client.affiliates.list({ limit: 1 });
    expect((await list.withResponse()).data).toEqual(await list);
    expect(sent).toHaveLength(2);
  });

  it("rejects like the call", async () => {
    const call = service.client.affiliates.create({ email: "nothing" });
    const error = await failureOf(call.withResponse());
    expect(error).toMatchObject({ code: "invalid_request", requestId: expect.stringMatching(/^req-/) });
    expect(await failureOf(call)).toBe(error);
  });
});

describe("hooks", () => {
  it("see each request and response without the key", async () => {
    const onRequest = vi.fn();
    const onResponse = vi.fn();
    const client = createClient({ apiKey: service.api_key, baseUrl: service.url, onRequest, onResponse });
    await Promise.all([client.campaigns.list(), client.affiliates.list()]);
    await failureOf(client.affiliates.create({ email: "nothing" }, { idempotencyKey: "seen" }));
    const url = `${service.url}/v1/trpc/`;
    const seen = [
      {
        operations: ["campaigns.list", "affiliates.list"],
        method: "GET",
        url: expect.stringContaining(`${url}campaigns.list,affiliates.list?batch=1&input=`),
        attempt: 1,
        headers: expect.objectContaining({ accept: "application/json" }),
      },
      {
        operations: ["affiliates.create"],
        method: "POST",
        url: `${url}affiliates.create`,
        attempt: 1,
        headers: expect.objectContaining({ "idempotency-key": "seen" }),
      },
    ];
    expect(onRequest.mock.calls).toEqual(seen.map((request) => [request]));
    expect(onResponse.mock.calls).toEqual(
      seen.map((request, index) => [
        {
          request,
          response: expect.objectContaining({
            status: [200, 400][index],
            requestId: expect.stringMatching(/^req-/),
          }),
          durationMilliseconds: expect.any(Number),
        },
      ]),
    );
    expect(JSON.stringify([onRequest.mock.calls, onResponse.mock.calls])).not.toContain(service.api_key);
  });

  it("see each retry with its reason, and the attempt number of each request", async () => {
    const faulty = await startFaulty(
      respond(503, "<html>", { "content-type": "text/html" }),
      drop(),
      respond(200, EMPTY_PAGE),
    );
    const onRequest = vi.fn();
    const onResponse = vi.fn();
    const onRetry = vi.fn();
    const hooks = { onRequest, onResponse, onRetry };
    await createClient({ apiKey: "ff_sk_x", baseUrl: faulty.url, ...hooks }).campaigns.list();
    expect(onRetry.mock.calls).toMatchObject([
      [{ operation: "campaigns.list", attempt: 1, error: { code: "unavailable", status: 503 } }],
      [{ operation: "campaigns.list", attempt: 2, error: { code: "network_error" } }],
    ]);
    for (const [{ delayMilliseconds }] of onRetry.mock.calls) expect(delayMilliseconds).toBeGreaterThan(0);
    expect(onRequest.mock.calls.map(([{ attempt }]) => attempt)).toEqual([1, 2, 3]);
    expect(onResponse.mock.calls.map(([{ response }]) => response.status)).toEqual([503, 200]);
    await faulty.close();
  });

  it("report their errors on the console without affecting the call", async () => {
    const written = vi.spyOn(console, "error").mockImplementation(() => {});
    const faulty = await startFaulty(drop(), respond(200, EMPTY_PAGE));
    const client = createClient({
      apiKey: "ff_sk_x",
      baseUrl: faulty.url,
      onRequest: () => {
        throw new Error("request hook failed");
      },
      onResponse: () => Promise.reject(new Error("response hook failed")),
      onRetry: () => {
        throw new Error("retry hook failed");
      },
    });
    expect((await client.campaigns.list()).data).toEqual([]);
    await eventually(() => expect(written).toHaveBeenCalledTimes(4));
    const messages = written.mock.calls.map(([, error]) => (error instanceof Error ? error.message : ""));
    expect(messages.map((message) => message.split(" ")[0]).sort()).toEqual([
      "request",
      "request",
      "response",
      "retry",
    ]);
    written.mockRestore();
    await faulty.close();
  });

  it("do not delay calls when slow", async () => {
    const never = () => new Promise(() => {});
    const client = createClient({
      apiKey: service.api_key,
      baseUrl: service.url,
      onRequest: never,
      onResponse: never,
    });
    expect((await client.campaigns.list()).data).toHaveLength(1);
  });

  it("must be functions", () => {
    const options = { apiKey: "ff_sk_x", baseUrl: "http://localhost", onRetry: "log" };
    expect(() => createClient(options as never)).toThrow("onRetry: Must be a function.");
  });

  it("see no response of an attempt that timed out", async () => {
    const faulty = await startFaulty(hang());
    const onResponse = vi.fn();
    const client = createClient({ apiKey: "ff_sk_x", baseUrl: faulty.url, onResponse });
    await failureOf(client.campaigns.list({}, { timeoutMilliseconds: 50 }));
    expect(onResponse).not.toHaveBeenCalled();
    await faulty.close();
  });
});
