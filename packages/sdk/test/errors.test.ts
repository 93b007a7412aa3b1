import { inspect } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClient, FindersfeeError } from "../src/index.ts";
import { drop, type Fault, respond, startFaulty } from "./faulty-server.ts";
import { CAMPAIGN, type Service, startService } from "./service.ts";

const KEY = "ff_sk_0123456789abcdefghijklmnopqrstuvwxyzABCD";

let service: Service;

beforeAll(async () => {
  service = await startService();
  await service.client.campaigns.create(CAMPAIGN);
});

afterAll(() => service.close());

async function failureOf(call: PromiseLike<unknown>): Promise<FindersfeeError> {
  try {
    await call;
  } catch (error) {
    if (error instanceof FindersfeeError) return error;
    throw error;
  }
  return expect.fail("it succeeded");
}

function optionError(options: object): FindersfeeError {
  try {
    createClient({ apiKey: KEY, baseUrl: "http://localhost:3000", ...options });
  } catch (error) {
    if (error instanceof FindersfeeError) return error;
  }
  return expect.fail("expected a failure");
}

describe("errors from the service", () => {
  it("have code, status, request id and issues, and include them in the message", async () => {
    const error = await failureOf(
      service.client.affiliates.create({ email: "no address", ref_code: "?", campaign_id: "x" }),
    );
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({
      name: "FindersfeeError",
      code: "invalid_request",
      status: 400,
      details: {},
    });
    expect(error.requestId).toMatch(/^req-/);
    expect(error.issues.map(({ path }) => path)).toEqual(["email", "ref_code", "campaign_id"]);
    expect(error.message).toContain("campaign_id: Must be a UUID.");
    expect(error.stack).toContain("errors.test.ts");
  });

  it("name the existing row", async () => {
    const { id } = await service.client.affiliates.create({ email: "jane@example.com" });
    const error = await failureOf(service.client.affiliates.create({ email: "jane@example.com" }));
    expect(error).toMatchObject({ code: "affiliate_exists", status: 409, details: { affiliate_id: id } });
  });

  it("give the retry time of a rate limit", async () => {
    const limited = await startService({ rate_limit_per_minute: 2 });
    const client = createClient({
      apiKey: limited.api_key,
      baseUrl: limited.url,
      timeoutMilliseconds: 10_000,
    });
    await client.campaigns.list();
    await client.campaigns.list();
    const error = await failureOf(client.campaigns.list());
    expect(error).toMatchObject({ code: "rate_limited", status: 429 });
    expect(Number(error.details.retry_after_seconds)).toBeGreaterThan(0);
    await limited.close();
  });

  it("explain an invalid key, for every call of a batch", async () => {
    const client = createClient({ apiKey: KEY, baseUrl: service.url });
    const errors = await Promise.all([
      failureOf(client.campaigns.list()),
      failureOf(client.affiliates.list()),
      failureOf(client.affiliates.create({ email: "x@example.com" })),
    ]);
    for (const error of errors) {
      expect(error).toMatchObject({ code: "unauthorized", status: 401 });
      expect(error.message).toContain(`The service at ${service.url}/v1 does not accept the API key.`);
    }
  });

  it("keep the message of an unknown code", async () => {
    const data = { code: "of_tomorrow", message: "Tomorrow's words.", httpStatus: 409, request_id: "r" };
    const faulty = await startFaulty(respond(409, { error: { message: "", code: 1, data } }));
    const client = createClient({ apiKey: KEY, baseUrl: faulty.url });
    expect(await failureOf(client.campaigns.list())).toMatchObject({
      code: "invalid_request",
      status: 409,
      message: "Tomorrow's words.",
    });
    await faulty.close();
  });
});

describe("invalid options", () => {
  it.each([
    ["no key", { apiKey: undefined }, "apiKey"],
    ["an empty key", { apiKey: "" }, "apiKey"],
    ["a key with a line break", { apiKey: `${KEY}\n` }, "apiKey"],
    ["a key with a space", { apiKey: ` ${KEY}` }, "apiKey"],
    ["a key with a zero-width space", { apiKey: `${KEY}\u200b` }, "apiKey"],
    ["a publishable key", { apiKey: KEY.replace("sk", "pk") }, "apiKey"],
    ["no address", { baseUrl: undefined }, "baseUrl"],
    ["an empty address", { baseUrl: "" }, "baseUrl"],
    ["an address without a scheme", { baseUrl: "localhost:3000" }, "baseUrl"],
    ["another scheme", { baseUrl: "ftp://example.com" }, "baseUrl"],
    ["a path alone", { baseUrl: "/v1" }, "baseUrl"],
    ["a password in the address", { baseUrl: `http://user:${KEY}@example.com` }, "baseUrl"],
    ["a query in the address", { baseUrl: `http://example.com/?key=${KEY}` }, "baseUrl"],
    ["the key as the address", { baseUrl: KEY }, "baseUrl"],
    ["no time", { timeoutMilliseconds: 0 }, "timeoutMilliseconds"],
    ["a timeout that is not a number", { timeoutMilliseconds: "1" }, "timeoutMilliseconds"],
    ["a timeout beyond the range of timers", { timeoutMilliseconds: 2 ** 31 }, "timeoutMilliseconds"],
    ["endless time", { timeoutMilliseconds: Number.POSITIVE_INFINITY }, "timeoutMilliseconds"],
    ["negative retries", { maxRetries: -1 }, "maxRetries"],
    ["infinite retries", { maxRetries: Number.POSITIVE_INFINITY }, "maxRetries"],
    ["a fetch that is not a function", { fetch: {} }, "fetch"],
  ])("%s", (_name, options, path) => {
    const error = optionError(options);
    expect(error).toMatchObject({ code: "invalid_request", status: null, issues: [{ path }] });
    expect(error.message).not.toContain(KEY.slice(6));
  });

  it("reject the call", async () => {
    const { affiliates } = service.client;
    expect(await failureOf(affiliates.list({}, { timeoutMilliseconds: -1 }))).toMatchObject({
      issues: [{ path: "timeoutMilliseconds" }],
    });
    const input = { email: "x@example.com", first_name: "x" };
    Object.assign(input, { self: input });
    expect(await failureOf(affiliates.create(input))).toMatchObject({ code: "invalid_request" });
  });
});

describe("a wrong base URL", () => {
  const html = { "content-type": "text/html; charset=utf-8" };
  it.each<[string, Fault, string]>([
    ["an HTML page that is not found", respond(404, "<!doctype html>", html), "an HTML page with status 404"],
    ["JSON of something else", respond(404, { error: "no such thing" }), "application/json with status 404"],
    ["an error of something else", respond(404, { error: { code: "none" } }), "JSON with status 404"],
    [
      "a redirect",
      respond(301, "", { location: "https://example.com/?secret=1" }),
      "a redirect to https://example.com/.",
    ],
  ])("%s", async (_name, fault, what) => {
    const faulty = await startFaulty(fault);
    const client = createClient({ apiKey: KEY, baseUrl: faulty.url });
    const calls = [() => client.campaigns.list(), () => client.affiliates.create({ email: "x@example.com" })];
    for (const call of calls) {
      const error = await failureOf(call());
      expect(error.code).toBe("invalid_response");
      expect(error.message.toLowerCase()).toContain(what.toLowerCase().replace(/\.$/, ""));
      expect(error.message).toContain("Check baseUrl");
    }
    expect(faulty.seen).toHaveLength(2);
    await faulty.close();
  });

  it("is detected on another path of the service", async () => {
    const client = createClient({ apiKey: service.api_key, baseUrl: `${service.url}/api` });
    const error = await failureOf(client.campaigns.list());
    expect(error).toMatchObject({ code: "invalid_response", status: 404 });
    expect(error.message).toContain("Check baseUrl");
  });

  it("is detected where nothing listens", async () => {
    const { url, close } = await startFaulty(drop());
    await close();
    const client = createClient({ apiKey: KEY, baseUrl: url, maxRetries: 0 });
    const error = await failureOf(client.campaigns.list());
    expect(error).toMatchObject({ code: "network_error", status: null });
    expect(error.message).toContain("ECONNREFUSED");
    expect(error.message).toContain(url);
  });
});

describe("the API key stays hidden", () => {
  it("in the client", () => {
    const client = createClient({ apiKey: KEY, baseUrl: "http://localhost:3000" });
    expect(inspect(client, { depth: 10, showHidden: true, getters: true })).not.toContain(KEY);
    expect(inspect(client.affiliates.list(), { depth: 10, showHidden: true })).not.toContain(KEY);
    expect(JSON.stringify(client)).not.toContain(KEY);
    expect(Object.values(client).map(String).join()).not.toContain(KEY);
  });

  it("in errors", async () => {
    const faulty = await startFaulty(drop());
    for (const baseUrl of [service.url, faulty.url]) {
      const client = createClient({ apiKey: KEY, baseUrl, maxRetries: 0 });
      const error = await failureOf(client.campaigns.list());
      expect(inspect(error, { depth: 10, showHidden: true })).not.toContain(KEY);
      expect(JSON.stringify(error)).not.toContain(KEY);
    }
    await faulty.close();
  });
});
