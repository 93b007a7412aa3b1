import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClient, type FindersfeeError } from "../src/index.ts";
import {
  breakOff,
  drop,
  EMPTY_PAGE,
  type Fault,
  type FaultyServer,
  forward,
  hang,
  loseAnswer,
  respond,
  startFaulty,
  trpcError,
} from "./faulty-server.ts";
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

async function clientOf(
  faults: [Fault, ...Fault[]],
  options: { maxRetries?: number; timeoutMilliseconds?: number } = {},
) {
  const { url, seen, ...server } = await startFaulty(...faults);
  servers.push({ url, seen, ...server });
  return { seen, client: createClient({ apiKey: service.api_key, baseUrl: url, ...options }) };
}

async function failureOf(call: PromiseLike<unknown>): Promise<FindersfeeError> {
  return await call.then(
    () => expect.fail("it succeeded"),
    (error: FindersfeeError) => error,
  );
}

const TRANSIENT: [string, Fault][] = [
  ["a dropped connection", drop()],
  ["a truncated response", breakOff()],
  ["503 of the service", respond(503, trpcError("unavailable", 503), { "retry-after": "0" })],
  ["503 before the procedures", respond(503, { error: { code: -32603, data: { code: "unavailable" } } })],
  ["503 of a proxy", respond(503, "<html>", { "content-type": "text/html" })],
  ["502 of a proxy", respond(502, "<html>", { "content-type": "text/html" })],
  ["504 of a proxy", respond(504, "")],
  ["500 of a proxy", respond(500, "<html>", { "content-type": "text/html" })],
  ["520 of a proxy, in JSON", respond(520, { error: { code: "520", message: "Unknown error" } })],
  ["408 of a proxy", respond(408, "", { connection: "close" })],
  ["an HTML page with 200", respond(200, "<!doctype html>", { "content-type": "text/html" })],
  ["truncated JSON", respond(200, '{"result":{"data":{"id":"0199')],
  ["unexpected JSON", respond(200, { status: "ok" })],
  ["an empty body", respond(200, "")],
  ["500 of the service", respond(500, trpcError("internal_error", 500))],
  ["429", respond(429, trpcError("rate_limited", 429), { "retry-after": "0" })],
  ["429 of a proxy", respond(429, "slow down", { "content-type": "text/plain" })],
];

describe.concurrent("retries after", () => {
  it.each(TRANSIENT)("%s: a query", async (_name, fault) => {
    const { client, seen } = await clientOf([fault, fault, respond(200, EMPTY_PAGE)]);
    expect((await client.campaigns.list()).data).toEqual([]);
    expect(seen).toHaveLength(3);
  });

  it.each(TRANSIENT)("%s: a change, with one key", async (_name, fault) => {
    const { client, seen } = await clientOf([fault, fault, forward(service.url)]);
    const affiliate = await client.affiliates.create({ email: `${randomUUID()}@example.com` });
    expect(seen).toHaveLength(3);
    expect(new Set(seen.map(({ idempotency_key }) => idempotency_key)).size).toBe(1);
    expect(seen[0]?.idempotency_key).not.toBeNull();
    expect(await client.affiliates.update({ id: affiliate.id, banned: true })).toMatchObject({
      banned: true,
    });
  });
});

it("creates one resource although the responses are lost", async () => {
  const { client, seen } = await clientOf([
    loseAnswer(service.url),
    loseAnswer(service.url),
    forward(service.url),
  ]);
  const affiliate = await client.affiliates.create({ email: "lost@example.com" });
  expect(seen).toHaveLength(3);
  const { data } = await service.client.affiliates.list({ email: "lost@example.com" });
  expect(data).toEqual([affiliate]);
});

it("waits for an attempt still running under the same key", async () => {
  const conflict = respond(409, trpcError("idempotency_conflict", 409));
  const { client, seen } = await clientOf([drop(), conflict, forward(service.url)]);
  await client.affiliates.create({ email: "under-way@example.com" });
  expect(seen).toHaveLength(3);
});

it("does not wait when the first attempt conflicts on its key", async () => {
  const { client, seen } = await clientOf([respond(409, trpcError("idempotency_conflict", 409))]);
  const error = await failureOf(client.affiliates.create({ email: "x@example.com" }));
  expect([error.code, seen.length]).toEqual(["idempotency_conflict", 1]);
});

describe("does not retry after", () => {
  it.each([
    ["invalid_request", 400],
    ["unauthorized", 401],
    ["subscription_error", 403],
    ["not_found", 404],
    ["affiliate_exists", 409],
  ])("%s", async (code, status) => {
    const { client, seen } = await clientOf([respond(status, trpcError(code, status))]);
    expect(await failureOf(client.campaigns.list())).toMatchObject({ code, status, requestId: "req-1" });
    expect(seen).toHaveLength(1);
  });
});

it("gives up after the client's maximum retries and reports them", async () => {
  const { client, seen } = await clientOf([drop()], { maxRetries: 2 });
  const error = await failureOf(client.campaigns.list());
  expect(error).toMatchObject({ code: "network_error", status: null, requestId: null });
  expect(error.message).toContain("(Attempts: 3.)");
  expect(error.cause).toBeInstanceOf(Error);
  expect(seen).toHaveLength(3);
});

it("makes one attempt with maxRetries 0", async () => {
  const { client, seen } = await clientOf([drop()], { maxRetries: 0 });
  await failureOf(client.campaigns.list());
  expect(seen).toHaveLength(1);
});

it("waits as long as Retry-After says", async () => {
  const busy = respond(429, trpcError("rate_limited", 429), { "retry-after": "1" });
  const { client, seen } = await clientOf([busy, respond(200, EMPTY_PAGE)]);
  await client.campaigns.list();
  const [first, second] = seen;
  const waited = (second?.at ?? 0) - (first?.at ?? 0);
  expect(waited).toBeGreaterThanOrEqual(995);
  expect(waited).toBeLessThan(10_000);
});

it("fails at once when Retry-After exceeds the call's timeout", async () => {
  const busy = respond(429, trpcError("rate_limited", 429), { "retry-after": "60" });
  const { client, seen } = await clientOf([busy], { timeoutMilliseconds: 50_000 });
  const started = performance.now();
  const error = await failureOf(client.campaigns.list());
  expect(error).toMatchObject({ code: "rate_limited", status: 429, details: { retry_after_seconds: "60" } });
  expect(performance.now() - started).toBeLessThan(20_000);
  expect(seen).toHaveLength(1);
});

it("retries only the failed queries of a batch", async () => {
  const page = EMPTY_PAGE;
  const { client, seen } = await clientOf([
    respond(207, [page, trpcError("unavailable", 503), trpcError("not_found", 404)]),
    respond(200, page),
  ]);
  const results = await Promise.allSettled([
    client.campaigns.list(),
    client.affiliates.list(),
    client.payouts.list(),
  ]);
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected"]);
  expect(seen.map(({ url }) => url.split("?")[0])).toEqual([
    "/v1/trpc/campaigns.list,affiliates.list,payouts.list",
    "/v1/trpc/affiliates.list",
  ]);
});

it("retries a batch as a batch", async () => {
  const { client, seen } = await clientOf([drop(), respond(200, [EMPTY_PAGE, EMPTY_PAGE, EMPTY_PAGE])]);
  await Promise.all([client.campaigns.list(), client.affiliates.list(), client.payouts.list()]);
  expect(seen).toHaveLength(2);
});

describe("the call's timeout", () => {
  it("ends an attempt that hangs", async () => {
    const { client } = await clientOf([hang()]);
    const error = await failureOf(client.campaigns.list({}, { timeoutMilliseconds: 50 }));
    expect(error).toMatchObject({ code: "timeout", status: null });
    expect(error.message).toContain("50 ms");
  });

  it("covers all attempts and names the earlier failures", async () => {
    const { client, seen } = await clientOf([drop(), hang()], { timeoutMilliseconds: 3_000 });
    const error = await failureOf(client.campaigns.list());
    expect(error).toMatchObject({ code: "timeout", cause: { code: "network_error" } });
    expect(seen).toHaveLength(2);
  });

  it("returns the key needed to find out whether the resource was created", async () => {
    const { client, seen } = await clientOf([hang(), forward(service.url)], { timeoutMilliseconds: 3_000 });
    const error = await failureOf(client.affiliates.create({ email: "unknown@example.com" }));
    expect(error.code).toBe("timeout");
    expect(error.details).toEqual({ idempotency_key: seen[0]?.idempotency_key });
    const idempotencyKey = error.details.idempotency_key;
    await client.affiliates.create(
      { email: "unknown@example.com" },
      { idempotencyKey, timeoutMilliseconds: 10_000 },
    );
    expect(seen[1]?.idempotency_key).toBe(idempotencyKey);
  });
});

describe("an aborted call", () => {
  it("sends nothing when aborted beforehand", async () => {
    const { client, seen } = await clientOf([hang()]);
    const signal = AbortSignal.abort("no longer wanted");
    for (const call of [
      client.campaigns.list({}, { signal }),
      client.affiliates.create({ email: "x@example.com" }, { signal }),
      client.affiliates.update({ id: "x" }, { signal }),
    ]) {
      expect(await failureOf(call)).toMatchObject({ code: "aborted", cause: "no longer wanted" });
    }
    expect(seen).toEqual([]);
  });

  it("ends in progress together with its request", async () => {
    const controller = new AbortController();
    let closed: Promise<void> = Promise.resolve();
    const { client, seen } = await clientOf([
      (incoming) => {
        closed = new Promise((resolve) => incoming.socket.once("close", () => resolve()));
        controller.abort();
      },
    ]);
    const error = await failureOf(client.campaigns.list({}, { signal: controller.signal }));
    expect(error.code).toBe("aborted");
    await closed;
    expect(seen).toHaveLength(1);
  });

  it("makes no further attempt", async () => {
    const controller = new AbortController();
    const { client, seen } = await clientOf([
      (incoming) => {
        incoming.socket.destroy();
        setTimeout(() => controller.abort(), 50);
      },
    ]);
    const error = await failureOf(
      client.affiliates.create({ email: "x@example.com" }, { signal: controller.signal }),
    );
    expect(error.code).toBe("aborted");
    expect(seen).toHaveLength(1);
  });

  it("leaves the other calls of its batch running", async () => {
    const controller = new AbortController();
    const { client, seen } = await clientOf([
      (incoming, outgoing) => {
        controller.abort();
        setTimeout(() => respond(200, [EMPTY_PAGE, EMPTY_PAGE])(incoming, outgoing), 20);
      },
    ]);
    const [aborted, other] = await Promise.allSettled([
      client.campaigns.list({}, { signal: controller.signal }),
      client.affiliates.list(),
    ]);
    expect(aborted).toMatchObject({ reason: { code: "aborted" } });
    expect(other.status).toBe("fulfilled");
    expect(seen).toHaveLength(1);
  });

  it("removes its listeners from the signal", async () => {
    const { client } = await clientOf([respond(200, EMPTY_PAGE)]);
    const listeners = new Set<unknown>();
    const { signal } = new AbortController();
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (type: string, listener: () => void) => {
      listeners.add(listener);
      add(type, listener);
    };
    signal.removeEventListener = (type: string, listener: () => void) => {
      listeners.delete(listener);
      remove(type, listener);
    };
    for (let call = 0; call < 20; call++) await client.campaigns.list({}, { signal });
    expect(listeners.size).toBe(0);
  });
});
