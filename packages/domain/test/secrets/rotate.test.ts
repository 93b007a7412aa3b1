import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { failEachCall, LOST_ANSWERS } from "@findersfee/database/testing/faults/each-call";
import { afterEach, beforeEach, expect, it } from "vitest";
import { abandonSecrets } from "../../src/abandon-secrets.ts";
import type { Context } from "../../src/context.ts";
import { connectProcessor } from "../../src/processors/connections/connect.ts";
import { claimDatabase, isKeyOf, keysDuringChange } from "../../src/secrets/key.ts";
import { rotateSecrets } from "../../src/secrets/rotate.ts";
import {
  isReadable,
  openSecret,
  type SecretsKey,
  sealSecret,
  withOtherKey,
} from "../../src/secrets/secrets.ts";
import { ownerOfStored, storedSecrets } from "../../src/secrets/stored.ts";
import { rotateEndpoint } from "../../src/webhooks/endpoints/rotate.ts";
import { signInUser } from "../identity/accounts/sign-in.ts";
import { addEndpoint, makeContext, POLICY } from "../subscriber.ts";

const OLD = POLICY.secrets_key;
const NEW = Buffer.alloc(32, 9);
const KEYS = { key: NEW, former: OLD };

let test: TestDatabase;
let context: Context;

beforeEach(async () => {
  test = await createTestDatabase();
  context = await makeContext(test.database);
  await claimDatabase(test.database, OLD);
});

afterEach(() => test.close());

/** A secret in every column that has some; returns their number. */
async function fill(): Promise<number> {
  const organization_id = context.organization.id;
  await addEndpoint(context, { custom_headers: { "X-Token": "secret" } });
  await connectProcessor(context, OLD, { name: "generic", livemode: true, api_key: null } as never);
  const { user_id } = await signInUser(test.database);
  const owner = { organization_id, processor: "generic" } as const;
  const signing = sealSecret(OLD, { ...owner, purpose: "signing" }, "former");
  const api_key = sealSecret(OLD, { ...owner, purpose: "api_key" }, "api key");
  const signup = sealSecret(OLD, { organization_id, purpose: "signup" }, "sign-ups");
  const client = sealSecret(OLD, { organization_id, purpose: "sign_in_provider" }, "client");
  const factor = sealSecret(OLD, { user_id, purpose: "second_factor" }, "JBSWY3DPEHPK3PXP");
  const sql = test.database;
  await sql`
    update processors set previous_secret_encrypted = ${signing}, previous_secret_expires_at = now() + interval '1 day',
      api_key_encrypted = ${api_key}, api_key_last_four = ' key'`;
  await sql`
    update organizations set signup_secret_encrypted = ${signup}, previous_signup_secret_encrypted = ${signup},
      previous_signup_secret_expires_at = now() + interval '1 day' where id = ${organization_id}`;
  await sql`
    insert into sign_in_providers (organization_id, issuer, client_id, client_secret_encrypted, session_hours, used_at,
      is_required, created_at, updated_at)
    values (${organization_id}, 'https://id.example.com', 'client', ${client}, 8, now(), true, now(), now())`;
  await sql`
    insert into user_second_factors (user_id, secret_encrypted, created_at, confirmed_at)
    values (${user_id}, ${factor}, now(), now())`;
  return 9;
}

/** All stored secrets in clear that a key decrypts. */
async function inClear(key: SecretsKey): Promise<Record<string, string>> {
  const texts: Record<string, string> = {};
  for await (const secret of storedSecrets(test.database)) {
    const owner = ownerOfStored(secret);
    if (isReadable(key, owner, secret.sealed))
      texts[`${secret.place} ${secret.key.join(" ")}`] = openSecret(key, owner, secret.sealed);
  }
  return texts;
}

it("covers every encrypted column of the schema", async () => {
  const { SECRET_PLACES } = await import("@findersfee/database/stored-secrets");
  const columns = await test.database<{ name: string }[]>`
    select table_name || '.' || column_name as name from information_schema.columns
    where table_schema = 'public' and data_type = 'bytea' and column_name like '%encrypted'`;
  expect(columns.map(({ name }) => name).sort()).toEqual(
    Object.values(SECRET_PLACES)
      .map(({ table, column }) => `${table}.${column}`)
      .sort(),
  );
});

it("encrypts every secret with the new key, and takes both keys until it is finished", async () => {
  const count = await fill();
  const before = await inClear(OLD);
  expect(Object.keys(before)).toHaveLength(count);
  expect(await keysDuringChange(test.database, KEYS)).toEqual(withOtherKey(OLD, NEW));

  const report = await rotateSecrets(test.database, KEYS, { finish: false });
  expect(report).toMatchObject({ re_encrypted: count, left: 0, damaged: 0, is_finished: false });
  expect(await inClear(NEW)).toEqual(before);
  expect(await inClear(OLD)).toEqual({});
  for (const key of [OLD, NEW]) expect(await isKeyOf(test.database, key)).toBe(false);
  for (const key of [withOtherKey(OLD, NEW), withOtherKey(NEW, OLD)])
    expect(await isKeyOf(test.database, key)).toBe(true);
  expect(await keysDuringChange(test.database, KEYS)).toEqual(withOtherKey(NEW, OLD));

  // A process that was started before the rotation still encrypts with the former key.
  await addEndpoint(context);
  const finished = await rotateSecrets(test.database, KEYS, { finish: true });
  expect(finished).toMatchObject({ re_encrypted: 1, left: 0, is_finished: true });
  expect(await isKeyOf(test.database, NEW)).toBe(true);
  expect(await isKeyOf(test.database, OLD)).toBe(false);
  expect(Object.keys(await inClear(NEW))).toHaveLength(count + 1);
});

it("refuses keys of another database, and one key twice", async () => {
  await fill();
  const other = Buffer.alloc(32, 1);
  await expect(rotateSecrets(test.database, { key: NEW, former: other }, { finish: true })).rejects.toThrow(
    "Neither",
  );
  await expect(rotateSecrets(test.database, { key: OLD, former: OLD }, { finish: true })).rejects.toThrow(
    "same key",
  );
  expect(await isKeyOf(test.database, OLD)).toBe(true);
});

it("loses no secret that is written meanwhile", async () => {
  const endpoints = [];
  for (let index = 0; index < 5; index++) endpoints.push(await addEndpoint(context));
  const written = new Map<string, string>();
  let is_over = false;
  const writing = endpoints.map(async ({ id }) => {
    const policy = { ...POLICY, secrets_key: withOtherKey(OLD, NEW) };
    do {
      const { secret } = await rotateEndpoint(context, policy, { id, overlap_seconds: 0 });
      written.set(id, secret);
    } while (!is_over);
  });
  for (let turn = 0; turn < 3; turn++) await rotateSecrets(test.database, KEYS, { finish: false });
  is_over = true;
  await Promise.all(writing);
  await rotateSecrets(test.database, KEYS, { finish: true });
  const texts = Object.values(await inClear(NEW));
  expect(texts.sort()).toEqual([...written.values()].sort());
}, 60_000);

it.each(LOST_ANSWERS)(
  "can be repeated after any call that fails: %s",
  async (kind) => {
    await fill();
    const before = await inClear(OLD);
    let keys = KEYS;
    await failEachCall(test.url, kind, async (database) => {
      await rotateSecrets(database, keys, { finish: true }).catch(() => null);
      expect(await inClear(withOtherKey(NEW, OLD))).toEqual(before);
      expect(await rotateSecrets(test.database, keys, { finish: true })).toMatchObject({
        left: 0,
        is_finished: true,
      });
      expect(await inClear(keys.key)).toEqual(before);
      expect(await isKeyOf(test.database, keys.key)).toBe(true);
      keys = { key: keys.former, former: keys.key };
    });
  },
  300_000,
);

it.each(LOST_ANSWERS)(
  "abandons the secrets of a lost key, also when a call fails: %s",
  async (kind) => {
    await fill();
    await failEachCall(test.url, kind, async (database, number) => {
      const key = Buffer.alloc(32, 50 + number);
      const abandon = async (on: typeof database) => {
        for await (const _ of abandonSecrets(on, key, { remove: true }));
      };
      await abandon(database).catch(() => null);
      await abandon(test.database);
      expect(await isKeyOf(test.database, key)).toBe(true);
      for await (const secret of storedSecrets(test.database))
        expect(isReadable(key, ownerOfStored(secret), secret.sealed)).toBe(true);
    });
    expect([
      ...(await test.database`select enabled, disabled_reason, custom_headers from endpoints`),
    ]).toEqual([{ enabled: false, disabled_reason: "secret", custom_headers: [] }]);
    const audits = await test.database`
      select distinct resource, action from audit_log_entries where actor = 'job abandon_secrets' order by 1`;
    expect(audits.map(({ resource, action }) => `${resource} ${action}`)).toEqual([
      "endpoint disabled",
      "processor rotated",
      "settings rotated",
      "single_sign_on rotated",
    ]);
    const removals = await test.database`
      select actor, count(*)::int from security_events where kind = 'second_factor_removed' group by 1`;
    expect([...removals]).toEqual([{ actor: "job abandon_secrets", count: 1 }]);
  },
  300_000,
);

it("lists what a key does not decrypt, and changes nothing", async () => {
  const count = await fill();
  const before = await inClear(OLD);
  const found = [];
  for await (const secret of abandonSecrets(test.database, NEW, { remove: false }))
    found.push(secret.removed);
  expect(found).toEqual(Array.from({ length: count }, () => false));
  expect(await inClear(OLD)).toEqual(before);
  expect(await isKeyOf(test.database, OLD)).toBe(true);
});
