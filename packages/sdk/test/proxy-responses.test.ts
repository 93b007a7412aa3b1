import { inspect } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClient, type FindersfeeError } from "../src/index.ts";
import { type Fault, type FaultyServer, forward, respond, startFaulty, trpcError } from "./faulty-server.ts";
import { CAMPAIGN, type Service, startService } from "./service.ts";

let service: Service;
const servers: FaultyServer[] = [];

beforeAll(async () => {
  service = await startService();
  await service.client.campaigns.create(CAMPAIGN);
});

afterAll(async () => {
  await Promise.all(servers.map((server) => server.close()));
  await service.close();
});

/** A client behind a proxy that responds on its own. */
async function behind(faults: [Fault, ...Fault[]], options: { maxRetries?: number } = {}) {
  const server = await startFaulty(...faults);
  servers.push(server);
  return {
    seen: server.seen,
    client: createClient({ apiKey: service.api_key, baseUrl: server.url, ...options }),
  };
}

async function failureOf(call: PromiseLike<unknown>): Promise<FindersfeeError> {
  return await call.then(
    () => expect.fail("it succeeded"),
    (error: FindersfeeError) => error,
  );
}

const HTML = { "content-type": "text/html; charset=utf-8" };
const PAGE = `<html>\n  <h1>Bad\u0007 gateway</h1>${"<p>nginx</p>".repeat(100)}</html>`;

const NOT_THE_SERVICE: [string, Fault, number][] = [
  ["500 with an HTML page", respond(500, PAGE, HTML), 500],
  ["502 with an HTML page", respond(502, PAGE, HTML), 502],
  ["504 with JSON of the proxy", respond(504, { error: { code: "504", message: "Bad gateway" } }), 504],
  ["200 with an HTML page", respond(200, PAGE, HTML), 200],
  ["200 with JSON cut off", respond(200, '{"result":{"data":{"title":"Bad gateway'), 200],
  ["200 with JSON of another shape", respond(200, { title: "Bad gateway" }), 200],
];

describe.concurrent.each(NOT_THE_SERVICE)("%s", (_name, fault, status) => {
  it("is retried with the same key, then fails with the key, the status and an excerpt of the body", async () => {
    const { client, seen } = await behind([fault], { maxRetries: 2 });
    const error = await failureOf(client.affiliates.create({ email: "nobody@example.com" }));
    expect(seen.map(({ idempotency_key }) => idempotency_key)).toEqual(
      Array(3).fill(error.details.idempotency_key),
    );
    expect(error.details.idempotency_key).toMatch(/^[0-9a-f]{32}$/);
    expect(error).toMatchObject({ code: "unavailable", status });
    expect(error.message).toContain("details.idempotency_key");
    expect(error.details.body).toMatch(/Bad gateway/);
    expect(error.details.body?.length).toBeLessThanOrEqual(200);
  });
});

it("creates one affiliate when a proxy replaces a successful response with its own 500", async () => {
  const lost: Fault = (incoming, outgoing) => {
    // The body is not the client's, so its length differs from the header's.
    const { "content-length": _length, ...others } = incoming.headers;
    const headers = { ...others, host: new URL(service.url).host };
    const sent = new Request(`${service.url}${incoming.url}`, {
      method: "POST",
      headers: Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]),
      body: JSON.stringify({ email: "replaced@example.com" }),
    });
    incoming.resume();
    void fetch(sent)
      .then((answered) => answered.text())
      .then(() => outgoing.writeHead(500, HTML).end(PAGE));
  };
  const { client, seen } = await behind([lost, forward(service.url)]);
  const affiliate = await client.affiliates.create({ email: "replaced@example.com" });
  expect(seen).toHaveLength(2);
  const { data } = await service.client.affiliates.list({ email: "replaced@example.com" });
  expect(data).toEqual([affiliate]);
});

describe.concurrent.each([401, 403, 413, 451])("%i with an HTML page", (status) => {
  it("is not retried, names the proxy, and carries the key", async () => {
    const { client, seen } = await behind([respond(status, PAGE, HTML)]);
    const error = await failureOf(client.affiliates.create({ email: "nobody@example.com" }));
    expect(seen).toHaveLength(1);
    expect(error).toMatchObject({ code: "proxy_refused", status });
    expect(error.message).toContain(`an HTML page with status ${status}`);
    expect(error.details).toMatchObject({
      idempotency_key: seen[0]?.idempotency_key,
      body: expect.stringContaining("Bad gateway"),
    });
  });
});

it("names a proxy's 407, which fetch reports without a body", async () => {
  const { client, seen } = await behind([respond(407, PAGE, HTML)]);
  const error = await failureOf(client.affiliates.create({ email: "nobody@example.com" }));
  expect(seen).toHaveLength(1);
  expect(error).toMatchObject({
    code: "proxy_refused",
    status: 407,
    details: { idempotency_key: seen[0]?.idempotency_key },
  });
});

it("carries the key of a create whose first attempt may have succeeded, although the last was rejected", async () => {
  const limited = respond(429, trpcError("rate_limited", 429), { "retry-after": "60" });
  const { client, seen } = await behind([respond(502, PAGE, HTML), limited]);
  const error = await failureOf(client.affiliates.create({ email: "nobody@example.com" }));
  expect([error.code, seen.length]).toEqual(["rate_limited", 2]);
  expect(error.details.idempotency_key).toBe(seen[0]?.idempotency_key);
});

it("carries no key when the service rejected the only attempt", async () => {
  const { client } = await behind([forward(service.url)]);
  const error = await failureOf(client.affiliates.create({ email: "nothing" }));
  expect([error.code, error.details]).toEqual(["invalid_request", {}]);
});

it("retries a 500 of the service, and carries the key when it persists", async () => {
  const { client, seen } = await behind([respond(500, trpcError("internal_error", 500))], { maxRetries: 1 });
  const error = await failureOf(client.affiliates.create({ email: "nobody@example.com" }));
  expect(error).toMatchObject({
    code: "internal_error",
    status: 500,
    requestId: "req-1",
    details: { idempotency_key: seen[0]?.idempotency_key },
  });
  expect(seen).toHaveLength(2);
});

it("shows no API key that a proxy echoes", async () => {
  const echo: Fault = (incoming, outgoing) => {
    incoming.resume();
    const page = `${" ".repeat(150)}${incoming.headers.authorization}`;
    outgoing.writeHead(403, HTML).end(page);
  };
  const { client } = await behind([echo]);
  const error = await failureOf(client.campaigns.list());
  expect(error.details.body).toContain("Bearer");
  expect(inspect(error, { depth: 10, showHidden: true })).not.toContain(service.api_key.slice(0, 20));
});
