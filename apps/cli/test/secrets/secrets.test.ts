import { randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { OPERATOR } from "@findersfee/domain/actor";
import { createFirstOrganization } from "@findersfee/domain/organizations/create";
import { rotateSecrets } from "@findersfee/domain/secrets/rotate";
import { createEndpoint } from "@findersfee/domain/webhooks/endpoints/create";
import { afterEach, beforeEach, expect, it } from "vitest";
import { readConfig } from "../../src/config.ts";
import { openSecretsKey, readBothKeys, storeChangedKey } from "../../src/secrets/read.ts";

const DATABASE_URL = "postgres://user:secret@db.example.com/findersfee";

let test: TestDatabase;
let DATA_DIR: string;
let file: string;

beforeEach(async () => {
  test = await createTestDatabase();
  DATA_DIR = await mkdtemp(join(tmpdir(), "findersfee-secrets-"));
  file = join(DATA_DIR, "secrets.key");
});

afterEach(async () => {
  await rm(DATA_DIR, { recursive: true });
  await test.close();
});

/** The data that the key encrypts. */
async function makeEndpoint(secrets_key: Buffer) {
  const organization = { name: "Acme", currency: "USD", subscription_status: "active" } as const;
  const created = await createFirstOrganization(test.database, organization);
  await createEndpoint(
    {
      database: test.database,
      organization: { id: created?.organization_id ?? "", currency: "USD", subscription_status: "active" },
      actor: OPERATOR,
      idempotency: null,
      notifyWorkers: () => {},
    },
    { secrets_key, allow_http: false, allow_private: false },
    { url: "https://example.com/webhooks", event_types: null, description: "" },
  );
}

it("reads the key from the environment", async () => {
  const key = randomBytes(32);
  const config = readConfig({ DATABASE_URL, SECRETS_KEY: key.toString("base64") });
  expect(await openSecretsKey(config, test.database)).toEqual(key);
  await makeEndpoint(key);
  expect(await openSecretsKey(config, test.database)).toEqual(key);
});

it("requires the key with DATABASE_URL", async () => {
  await expect(openSecretsKey(readConfig({ DATABASE_URL }), test.database)).rejects.toThrow(
    /^SECRETS_KEY: is required with DATABASE_URL/,
  );
});

it("generates the key of an embedded database once, readable only by its owner", async () => {
  const config = readConfig({ DATA_DIR });
  const keys = await Promise.all([1, 2, 3, 4].map(() => openSecretsKey(config, test.database)));
  expect(new Set(keys.map((key) => key.toString("hex"))).size).toBe(1);
  expect(keys[0]).toHaveLength(32);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(Buffer.from(await readFile(file, "utf8"), "base64")).toEqual(keys[0]);
});

it("does not regenerate a key that was lost after encrypting data", async () => {
  const config = readConfig({ DATA_DIR });
  await makeEndpoint(await openSecretsKey(config, test.database));
  const kept = await readFile(file);
  await rm(file);
  await expect(openSecretsKey(config, test.database)).rejects.toThrow(`${file}: is missing`);
  await expect(stat(file)).rejects.toThrow("ENOENT");
  await writeFile(file, kept);
  expect(await openSecretsKey(config, test.database)).toHaveLength(32);
});

it("rejects a key that does not match the database", async () => {
  await makeEndpoint(randomBytes(32));
  const SECRETS_KEY = randomBytes(32).toString("base64");
  await expect(openSecretsKey(readConfig({ DATABASE_URL, SECRETS_KEY }), test.database)).rejects.toThrow(
    /^SECRETS_KEY: is not the key that/,
  );
  await writeFile(file, SECRETS_KEY);
  await expect(openSecretsKey(readConfig({ DATA_DIR }), test.database)).rejects.toThrow(
    `${file}: is not the key that`,
  );
});

it("stores a changed key of an embedded database, so that it starts without SECRETS_KEY", async () => {
  const former = await openSecretsKey(readConfig({ DATA_DIR }), test.database);
  await makeEndpoint(former);
  const key = randomBytes(32);
  const changing = readConfig({
    DATA_DIR,
    SECRETS_KEY: key.toString("base64"),
    SECRETS_KEY_FORMER: former.toString("base64"),
  });
  await rotateSecrets(test.database, await readBothKeys(changing), { finish: true });
  await expect(openSecretsKey(readConfig({ DATA_DIR }), test.database)).rejects.toThrow(
    "is not the key that",
  );
  // The command was killed before it stored the key, and is repeated.
  const again = await rotateSecrets(test.database, await readBothKeys(changing), { finish: true });
  expect(again.is_finished).toBe(true);
  expect(await storeChangedKey(changing, former)).toBe(file);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await openSecretsKey(readConfig({ DATA_DIR }), test.database)).toEqual(key);
  // Neither the key of another file, nor one of a database elsewhere.
  expect(await storeChangedKey(changing, former)).toBeNull();
  await writeFile(file, former.toString("base64"));
  expect(await storeChangedKey({ ...changing, DATABASE_URL }, former)).toBeNull();
  expect(await readFile(file, "utf8")).toBe(former.toString("base64"));
});
