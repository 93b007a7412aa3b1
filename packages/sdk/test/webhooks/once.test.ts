import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { eventually } from "@findersfee/database/testing/eventually";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { type Deduplication, fetchHandler, type OnEvent } from "../../src/webhooks.ts";
import { SECRET, signedDelivery } from "./signed-delivery.ts";

/*
 * The README's two ways to handle an event once, on a real database and on a store that behaves like Redis.
 */

let test: TestDatabase;

beforeAll(async () => {
  test = await createTestDatabase();
  await test.database`create table webhook_events (id text primary key)`;
  await test.database`create table balance (earned numeric not null)`;
});

beforeEach(async () => {
  await test.database`truncate webhook_events, balance`;
  await test.database`insert into balance values (0)`;
});

afterAll(() => test.close());

async function earned(): Promise<number> {
  const [row] = await test.database<{ earned: string }[]>`select earned from balance`;
  return Number(row?.earned);
}

/** Posts copies of one delivery concurrently; returns the sorted statuses. */
async function postCopies(
  handler: (request: Request) => Promise<Response>,
  copies: number,
  delivery = signedDelivery(),
): Promise<number[]> {
  const posts = Array.from({ length: copies }, async () => {
    const request = new Request("http://localhost/hooks", { method: "POST", ...delivery });
    return (await handler(request)).status;
  });
  return (await Promise.all(posts)).toSorted();
}

function inTransaction(failures: number): OnEvent {
  let left = failures;
  return async (_, { id }) => {
    await test.database.begin(async (sql) => {
      const [fresh] = await sql`
        insert into webhook_events (id) values (${id}) on conflict do nothing returning id`;
      if (fresh === undefined) return;
      await sql`update balance set earned = earned + 30`;
      if (left-- > 0) throw new Error("no luck");
    });
  };
}

it("handles an event once in a transaction, regardless of which concurrent copies fail", async () => {
  const onError = () => {};
  for (const failures of [0, 2]) {
    await test.database`update balance set earned = 0`;
    const handler = fetchHandler({ secret: SECRET, onEvent: inTransaction(failures), onError });
    const statuses = await postCopies(handler, 6);
    expect(statuses).toEqual([...Array(6 - failures).fill(204), ...Array(failures).fill(500)]);
    expect(await earned()).toBe(30);
  }
});

/** Behaves like Redis; every command takes a moment. */
function storeLikeRedis() {
  const values = new Map<string, string>();
  const answer = async <Value>(value: Value) => {
    await new Promise(setImmediate);
    return value;
  };
  return {
    set: async (key: string, value: string, { NX = false } = {}) => {
      const taken = NX && values.has(key);
      if (!taken) values.set(key, value);
      return await answer(taken ? null : "OK");
    },
    get: (key: string) => answer(values.get(key) ?? null),
    del: (key: string) => answer(Number(values.delete(key))),
  };
}

function inStore(redis: ReturnType<typeof storeLikeRedis>): Deduplication {
  return {
    claim: async (id) => {
      if ((await redis.set(id, "busy", { NX: true })) !== null) return "claimed";
      return (await redis.get(id)) === "handled" ? "handled" : "busy";
    },
    complete: (id) => redis.set(id, "handled"),
    release: (id) => redis.del(id),
  };
}

it("handles an event once with a store, and again only after a failure", async () => {
  let calls = 0;
  let refused = 0;
  const onEvent = async () => {
    calls += 1;
    // As long as the two other copies take.
    await eventually(() => expect(refused).toBe(2 * calls));
    if (calls === 1) throw new Error("no luck");
  };
  const deduplication = inStore(storeLikeRedis());
  const handle = fetchHandler({ secret: SECRET, onEvent, deduplication, onError: () => {} });
  const handler = async (request: Request) => {
    const response = await handle(request);
    if (response.status === 503) refused += 1;
    return response;
  };
  const delivery = signedDelivery();
  expect(await postCopies(handler, 3, delivery)).toEqual([500, 503, 503]);
  expect(await postCopies(handler, 3, delivery)).toEqual([204, 503, 503]);
  expect(await postCopies(handler, 3, delivery)).toEqual([204, 204, 204]);
  expect(calls).toBe(2);
});
