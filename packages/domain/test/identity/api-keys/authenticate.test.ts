import { setImmediate } from "node:timers/promises";
import type { Database } from "@findersfee/database/postgres/connect";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { eventually } from "@findersfee/database/testing/eventually";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DomainError } from "../../../src/errors.ts";
import { createAuthenticator } from "../../../src/identity/api-keys/authenticate.ts";
import { type CreatedApiKey, createApiKey, type Scope } from "../../../src/identity/api-keys/create.ts";
import { listApiKeys } from "../../../src/identity/api-keys/list.ts";
import { revokeApiKey } from "../../../src/identity/api-keys/revoke.ts";
import { newToken } from "../../../src/identity/api-keys/token.ts";
import { createOrganization } from "../../../src/organizations/create.ts";
import { updateOrganization } from "../../../src/organizations/update.ts";

let test: TestDatabase;
let organization_id: string;

beforeAll(async () => {
  test = await createTestDatabase();
  const input = { name: "Acme", currency: "EUR", subscription_status: "trialing" } as const;
  ({ organization_id } = await createOrganization(test.database, input));
});

afterAll(() => test.close());

function newKey(options: { scopes?: Scope[]; expires_at?: Date | null } = {}): Promise<CreatedApiKey> {
  const { scopes = ["read"], expires_at = null } = options;
  return createApiKey(test.database, { organization_id, name: "Test", scopes, expires_at });
}

/** The pool, and how many statements were sent through it. */
function counted(database: Database): { database: Database; statements: () => number } {
  let statements = 0;
  const counting = new Proxy(database, {
    apply(target, self, parameters) {
      statements += 1;
      return Reflect.apply(target, self, parameters);
    },
  });
  return { database: counting, statements: () => statements };
}

const refused = new DomainError("unauthorized");

async function isAccepted(answer: Promise<unknown>): Promise<boolean> {
  try {
    await answer;
    return true;
  } catch (error) {
    expect(error).toEqual(refused);
    return false;
  }
}

/** Asks on and on; when was the last question (Unix milliseconds) that was answered with true? */
async function lastTime(ask: () => Promise<boolean>): Promise<number> {
  for (let last = 0; ; ) {
    const asked_at = Date.now();
    if (!(await ask())) return last;
    last = asked_at;
    await setImmediate();
  }
}

describe("authenticate", () => {
  it("returns the key, its organization and its scopes", async () => {
    const key = await newKey({ scopes: ["read", "write"] });
    expect(await createAuthenticator(test.database).authenticate(key.token)).toEqual({
      kind: "api_key",
      key_id: key.id,
      scopes: ["read", "write"],
      networks: null,
      organization: { id: organization_id, currency: "EUR", subscription_status: "trialing" },
    });
  });

  it("rejects missing, malformed, unknown, expired and revoked keys with one message", async () => {
    const { authenticate } = createAuthenticator(test.database);
    const revoked = await newKey();
    await revokeApiKey(test.database, revoked.id);
    const expired = await newKey();
    await test.database`update api_keys set expires_at = now() - interval '1 second' where id = ${expired.id}`;
    for (const token of ["", "x", `${expired.token} `, newToken("secret"), expired.token, revoked.token]) {
      const error = await authenticate(token).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(DomainError);
      expect(error).toEqual(refused);
    }
  });

  it("looks a key up once for concurrent and following requests", async () => {
    const { token } = await newKey();
    const { database, statements } = counted(test.database);
    const { authenticate } = createAuthenticator(database);
    await Promise.all(Array.from({ length: 50 }, () => authenticate(token)));
    await authenticate(token);
    // The look-up, and the note of the key's use.
    expect(statements()).toBe(2);
  });

  it("rejects a malformed key without a query", async () => {
    const { database, statements } = counted(test.database);
    const { authenticate } = createAuthenticator(database);
    for (const token of ["", "ff_sk_", "x".repeat(49)])
      await expect(authenticate(token)).rejects.toEqual(refused);
    expect(statements()).toBe(0);
  });

  it("accepts a new key at once, even after a request before its creation", async () => {
    const { authenticate } = createAuthenticator(test.database);
    const { id, token } = await newKey();
    await test.database`update api_keys set revoked_at = now() where id = ${id}`;
    await expect(authenticate(token)).rejects.toEqual(refused);
    await test.database`update api_keys set revoked_at = null where id = ${id}`;
    expect((await authenticate(token)).key_id).toBe(id);
  });

  it("rejects a revoked key within a second in each process", async () => {
    const { id, token } = await newKey();
    const processes = [createAuthenticator(test.database), createAuthenticator(test.database)];
    for (const { authenticate } of processes) await authenticate(token);
    await revokeApiKey(test.database, id);
    const revoked_at = Date.now();
    const last_accepted = await Promise.all(
      processes.map(({ authenticate }) => lastTime(() => isAccepted(authenticate(token)))),
    );
    expect(Math.max(...last_accepted) - revoked_at).toBeLessThan(1000);
  });

  it("applies a changed subscription within a second", async () => {
    const { token } = await newKey();
    const { authenticate } = createAuthenticator(test.database);
    const isTrialing = async () =>
      (await authenticate(token)).organization.subscription_status === "trialing";
    expect(await isTrialing()).toBe(true);
    await updateOrganization(test.database, { id: organization_id, subscription_status: "canceled" });
    const changed_at = Date.now();
    expect((await lastTime(isTrialing)) - changed_at).toBeLessThan(1000);
  });

  it("rejects a key from its expiry on, also between lookups", async () => {
    const expires_at = new Date(Date.now() + 300);
    const { token } = await newKey({ expires_at });
    const { authenticate } = createAuthenticator(test.database);
    expect(await lastTime(() => isAccepted(authenticate(token)))).toBeLessThan(expires_at.getTime());
    expect(Date.now()).toBeGreaterThanOrEqual(expires_at.getTime());
  });

  it("records the use of a key once a minute", async () => {
    const { id, token } = await newKey();
    const lastUse = async () => {
      const [row] = await test.database<[{ last_used_at: Date | null }]>`
        select last_used_at from api_keys where id = ${id}`;
      return row.last_used_at;
    };
    await createAuthenticator(test.database).authenticate(token);
    await eventually(async () => expect(await lastUse()).not.toBeNull());
    const first = await lastUse();
    // Another process, within the minute.
    await createAuthenticator(test.database).authenticate(token);
    await createAuthenticator(test.database).authenticate(token);
    expect(await lastUse()).toEqual(first);

    await test.database`update api_keys set last_used_at = now() - interval '2 minutes' where id = ${id}`;
    await createAuthenticator(test.database).authenticate(token);
    await eventually(async () => expect((await lastUse())?.getTime()).toBeGreaterThan(first?.getTime() ?? 0));
  });

  it("recovers from a database outage", async () => {
    const { token, id } = await newKey();
    let away = true;
    const database = new Proxy(test.database, {
      apply(target, self, parameters) {
        if (away) throw new Error("away");
        return Reflect.apply(target, self, parameters);
      },
    });
    const { authenticate } = createAuthenticator(database);
    await expect(authenticate(token)).rejects.toThrow("away");
    away = false;
    expect((await authenticate(token)).key_id).toBe(id);
  });
});

describe("createApiKey", () => {
  it("stores only the hash and the last four characters of a secret key", async () => {
    const { id, token } = await newKey({ scopes: ["read", "write"] });
    const [row] = await test.database`select to_jsonb(api_keys) as key from api_keys where id = ${id}`;
    expect(JSON.stringify(row)).not.toContain(token.slice(6, -4));
    expect(row?.key).toMatchObject({ kind: "secret", last_four: token.slice(-4), publishable_key: null });
  });

  it("creates a readable publishable key with the scope track", async () => {
    const { id, token, kind } = await newKey({ scopes: ["track"] });
    expect(kind).toBe("publishable");
    const listed = (await listApiKeys(test.database, organization_id)).find((key) => key.id === id);
    expect(listed).toMatchObject({ publishable_key: token, scopes: ["track"] });
  });

  it.each<[string, Scope[]]>([
    ["no scope", []],
    ["a scope twice", ["read", "read"]],
    ["track beside others", ["read", "track"]],
    ["track beside the dashboard's", ["admin", "track"]],
  ])("refuses %s", async (_, scopes) => {
    await expect(newKey({ scopes })).rejects.toMatchObject({
      code: "invalid_request",
      issues: [{ path: "scopes" }],
    });
  });

  it("rejects a past expiry and an unknown organization", async () => {
    await expect(newKey({ expires_at: new Date(Date.now() - 1) })).rejects.toMatchObject({
      issues: [{ path: "expires_at" }],
    });
    const input = {
      organization_id: crypto.randomUUID(),
      name: "x",
      scopes: ["read" as const],
      expires_at: null,
    };
    await expect(createApiKey(test.database, input)).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("revokeApiKey", () => {
  it("keeps the time of the first revocation and rejects unknown keys", async () => {
    const { id } = await newKey();
    const { revoked_at } = await revokeApiKey(test.database, id);
    expect((await revokeApiKey(test.database, id)).revoked_at).toEqual(revoked_at);
    await expect(revokeApiKey(test.database, crypto.randomUUID())).rejects.toMatchObject({
      code: "not_found",
    });
  });
});
