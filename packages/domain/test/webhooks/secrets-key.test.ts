import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { afterEach, beforeEach, expect, it } from "vitest";
import { claimDatabase, dependsOnKey, isKeyOf } from "../../src/webhooks/secrets-key.ts";
import { addEndpoint, makeContext, POLICY } from "../subscriber.ts";

const KEY = POLICY.secrets_key;
const OTHER_KEY = Buffer.alloc(32, 9);

let test: TestDatabase;

beforeEach(async () => {
  test = await createTestDatabase();
});

afterEach(() => test.close());

/** Makes endpoints, and damages the secrets of the first `damaged` of them. */
async function makeEndpoints({ count, damaged }: { count: number; damaged: number }): Promise<void> {
  const context = await makeContext(test.database);
  for (let index = 0; index < count; index++) {
    const { id } = await addEndpoint(context);
    if (index < damaged)
      await test.database`update endpoint_secrets set secret_encrypted = '\\x00' where endpoint_id = ${id}`;
  }
}

it("belongs to the first key, also before anything is encrypted", async () => {
  expect(await dependsOnKey(test.database)).toBe(false);
  expect(await isKeyOf(test.database, KEY)).toBe(false);
  expect(await claimDatabase(test.database, KEY)).toBe(true);
  expect(await claimDatabase(test.database, KEY)).toBe(true);
  expect(await claimDatabase(test.database, OTHER_KEY)).toBe(false);
  expect(await isKeyOf(test.database, KEY)).toBe(true);
  expect(await isKeyOf(test.database, OTHER_KEY)).toBe(false);
  expect(await dependsOnKey(test.database)).toBe(true);
});

it("belongs to one of the keys that come first at the same moment", async () => {
  const keys = Array.from({ length: 8 }, (_, index) => Buffer.alloc(32, index));
  const claims = await Promise.all(keys.map((key) => claimDatabase(test.database, key)));
  expect(claims.filter(Boolean)).toHaveLength(1);
});

it.each([
  { count: 3, damaged: 0 },
  { count: 3, damaged: 1 },
  { count: 2, damaged: 1 },
])("keeps its key when it is upgraded with $damaged of $count secrets damaged", async (secrets) => {
  await makeEndpoints(secrets);
  expect(await claimDatabase(test.database, OTHER_KEY)).toBe(false);
  expect(await isKeyOf(test.database, OTHER_KEY)).toBe(false);
  expect(await claimDatabase(test.database, KEY)).toBe(true);
  expect(await claimDatabase(test.database, OTHER_KEY)).toBe(false);
});

it("keeps its key when every secret is damaged later", async () => {
  await claimDatabase(test.database, KEY);
  await makeEndpoints({ count: 2, damaged: 2 });
  expect(await claimDatabase(test.database, KEY)).toBe(true);
  expect(await claimDatabase(test.database, OTHER_KEY)).toBe(false);
});
