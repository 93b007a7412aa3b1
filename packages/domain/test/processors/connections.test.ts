import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { OPERATOR } from "../../src/actor.ts";
import type { Context } from "../../src/context.ts";
import { createOrganization } from "../../src/organizations/create.ts";
import { connectProcessor } from "../../src/processors/connections/connect.ts";
import { openSigningSecret } from "../../src/processors/connections/secrets.ts";
import { knownConnections } from "../../src/processors/intake/connections.ts";
import { claimDatabase, dependsOnKey } from "../../src/secrets/key.ts";
import { STRIPE_SECRET } from "./signed.ts";

const KEY = Buffer.alloc(32, 1);
const OTHER_KEY = Buffer.alloc(32, 2);

let test: TestDatabase;
let context: Context;

beforeAll(async () => {
  test = await createTestDatabase();
  const values = { name: "Acme", currency: "USD", subscription_status: "active" } as const;
  const { organization_id: id } = await createOrganization(test.database, values);
  const organization = { ...values, id };
  context = {
    database: test.database,
    organization,
    actor: OPERATOR,
    idempotency: null,
    notifyWorkers: () => {},
  };
});

afterAll(() => test.close());

it("detects a lost or wrong key by the stored secrets", async () => {
  expect(await dependsOnKey(test.database)).toBe(false);
  const input = { name: "stripe", signing_secret: STRIPE_SECRET, api_key: null, livemode: true } as const;
  await connectProcessor(context, KEY, input);
  expect(await claimDatabase(test.database, OTHER_KEY)).toBe(false);
  expect(await claimDatabase(test.database, KEY)).toBe(true);
  expect(await claimDatabase(test.database, OTHER_KEY)).toBe(false);
  expect(await dependsOnKey(test.database)).toBe(true);
});

it("rejects a secret of another organization, processor or kind", async () => {
  const [row] = await test.database<{ organization_id: string; secret_encrypted: Buffer }[]>`
    select organization_id, secret_encrypted from processors`;
  if (row === undefined) throw new Error("it is not connected");
  const owner = { organization_id: row.organization_id, name: "stripe" } as const;
  expect(openSigningSecret(KEY, owner, row.secret_encrypted)).toBe(STRIPE_SECRET);
  const others = [
    { ...owner, name: "generic" },
    { ...owner, organization_id: "0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90" },
  ] as const;
  for (const other of others) {
    expect(() => openSigningSecret(KEY, other, row.secret_encrypted)).toThrow();
  }
});

it("reads a connection once for concurrent messages", async () => {
  const find = knownConnections(test.database, KEY);
  const id = context.organization.id;
  const found = await Promise.all(Array.from({ length: 50 }, () => find("stripe", id)));
  expect(new Set(found.map((connection) => connection?.secrets.join())).size).toBe(1);
  expect(found[0]).toMatchObject({ organization_id: id, livemode: true, secrets: [STRIPE_SECRET] });
  expect(await find("stripe", id.toUpperCase())).toMatchObject({ organization_id: id });
  expect(await find("generic", id)).toBeNull();
  expect(await find("stripe", "nonsense")).toBeNull();
});
