import { upsertUnconfirmedSecret } from "@findersfee/database/identity/second-factors";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { afterEach, beforeEach, expect, it } from "vitest";
import { claimDatabase, dependsOnKey, examineKey, isKeyOf, repairKeyCheck } from "../../src/secrets/key.ts";
import { sealSecret } from "../../src/secrets/secrets.ts";
import { signInUser } from "../identity/accounts/sign-in.ts";
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

/** No key opens the check any more. */
async function damageCheck(): Promise<void> {
  await test.database`update secrets_key_check set sealed = sealed || '\\x00'::bytea`;
}

async function check(): Promise<unknown[]> {
  return [...(await test.database`select sealed from secrets_key_check`)];
}

it("examines the secrets of authenticator apps", async () => {
  const { user_id } = await signInUser(test.database);
  const sealed = sealSecret(KEY, { user_id, purpose: "second_factor" }, "JBSWY3DPEHPK3PXP");
  await upsertUnconfirmedSecret(test.database, { user_id, secret_encrypted: sealed, created_at: new Date() });
  expect(await dependsOnKey(test.database)).toBe(true);
  expect(await examineKey(test.database, KEY)).toMatchObject({ tried: 1, unreadable: [] });
  expect(await examineKey(test.database, OTHER_KEY)).toMatchObject({
    tried: 1,
    unreadable: [{ user_id, organization_id: null, endpoint_id: null, processor: null }],
  });
});

it("repairs a damaged check only with the key that opens its secrets", async () => {
  await claimDatabase(test.database, KEY);
  await makeEndpoints({ count: 3, damaged: 1 });
  await damageCheck();
  const damaged = await check();
  expect(await claimDatabase(test.database, KEY)).toBe(false);
  await expect(repairKeyCheck(test.database, OTHER_KEY, { minority: true })).rejects.toThrow(
    "opens none of the 3 stored secrets",
  );
  expect(await check()).toEqual(damaged);
  expect(await examineKey(test.database, KEY)).toMatchObject({ opens_check: false, tried: 3 });
  const report = await repairKeyCheck(test.database, KEY, { minority: false });
  expect(report).toMatchObject({ opens_check: true, tried: 3, unreadable: [{ processor: null }] });
  expect(await claimDatabase(test.database, KEY)).toBe(true);
  expect(await claimDatabase(test.database, OTHER_KEY)).toBe(false);
});

it("keeps a valid check", async () => {
  await claimDatabase(test.database, KEY);
  await makeEndpoints({ count: 1, damaged: 0 });
  const sound = await check();
  await repairKeyCheck(test.database, KEY, { minority: false });
  await expect(repairKeyCheck(test.database, OTHER_KEY, { minority: true })).rejects.toThrow("opens none");
  expect(await check()).toEqual(sound);
});

it("accepts a key that opens fewer than half of the secrets only on request", async () => {
  await claimDatabase(test.database, KEY);
  await makeEndpoints({ count: 3, damaged: 2 });
  await damageCheck();
  await expect(repairKeyCheck(test.database, KEY, { minority: false })).rejects.toThrow("opens only 1 of 3");
  expect(await repairKeyCheck(test.database, KEY, { minority: true })).toMatchObject({ opens_check: true });
});

it("repairs its check with any key while it has no secrets", async () => {
  await claimDatabase(test.database, KEY);
  await damageCheck();
  expect(await repairKeyCheck(test.database, OTHER_KEY, { minority: false })).toMatchObject({ tried: 0 });
  expect(await claimDatabase(test.database, OTHER_KEY)).toBe(true);
});
