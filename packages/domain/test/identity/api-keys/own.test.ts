import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { statementsOf } from "@findersfee/database/testing/counted-statements";
import { waitForResult } from "@findersfee/database/testing/eventually";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { listAuditEntries } from "../../../src/audit-log/list.ts";
import type { Context } from "../../../src/context.ts";
import { createAuthenticator } from "../../../src/identity/api-keys/authenticate.ts";
import { createOwnApiKey, listOwnApiKeys, rotateOwnApiKey } from "../../../src/identity/api-keys/own.ts";
import { revokeOwnApiKey } from "../../../src/identity/api-keys/revoke.ts";
import { changeMember } from "../../../src/identity/membership/change.ts";
import { makeContext } from "../../subscriber.ts";
import { signIn } from "../accounts/sign-in.ts";

const OVERLAP = { overlap_seconds: 3_600 };

let test: TestDatabase;
let context: Context;

beforeAll(async () => {
  test = await createTestDatabase();
});

beforeEach(async () => {
  context = await makeContext(test.database);
  const { user_id } = await signIn(test.database, {
    organization_id: context.organization.id,
    role: "admin",
  });
  context = { ...context, actor: { kind: "user", id: user_id } };
});

afterAll(() => test.close());

const list = (query: object = {}) => listOwnApiKeys(context, { revoked: false, limit: 50, ...query });
const create = (input: object = {}) =>
  createOwnApiKey(context, { name: "Reports", scopes: ["read"], expires_at: null, ...input });

async function actions(): Promise<string[]> {
  const { data } = await listAuditEntries(context, { limit: 50, resource: "api_key" });
  return data.map(({ action }) => action);
}

describe("a key", () => {
  it("is shown once, listed with its author, and revoked", async () => {
    const deployment = { name: "Deployment", scopes: ["admin", "read"] };
    const key = { kind: "key", id: (await create(deployment)).id } as const;
    context = { ...context, actor: key };
    const { id, token, kind } = await create();
    expect([kind, token.slice(0, 6)]).toEqual(["secret", "ff_sk_"]);
    expect((await createAuthenticator(test.database).authenticate(token)).organization.id).toBe(
      context.organization.id,
    );
    // The use is recorded beside the request.
    const row = await waitForResult(30_000, async () => {
      const [row] = (await list()).data;
      return row?.last_used_at == null ? null : row;
    });
    expect(row).toMatchObject({
      id,
      name: "Reports",
      scopes: ["read"],
      last_four: token.slice(-4),
      publishable_key: null,
      created_by: `key ${key.id}`,
      created_by_name: "Deployment",
      last_used_at: expect.any(String),
    });
    expect(JSON.stringify(row)).not.toContain(token);
    await revokeOwnApiKey(context, id);
    await revokeOwnApiKey(context, id);
    expect((await list()).data.map((one) => one.id)).not.toContain(id);
    expect((await list({ revoked: true })).data).toMatchObject([{ id, revoked_at: expect.any(String) }]);
    await expect(createAuthenticator(test.database).authenticate(token)).rejects.toMatchObject({
      code: "unauthorized",
    });
    expect((await actions()).slice(0, 2)).toEqual(["revoked", "created"]);
  });

  it("for pages stays visible, and needs the scope track alone", async () => {
    const { id, token, kind } = await create({ scopes: ["track"] });
    expect(kind).toBe("publishable");
    expect((await list()).data.find((one) => one.id === id)?.publishable_key).toBe(token);
    await expect(create({ scopes: ["track", "read"] })).rejects.toMatchObject({ code: "invalid_request" });
    const past = new Date(Date.now() - 1000).toISOString();
    await expect(create({ expires_at: past })).rejects.toMatchObject({ code: "invalid_request" });
  });
});

describe("a rotation", () => {
  it("makes a key with the same name and scopes, and gives the old one an end", async () => {
    const old = await create({ scopes: ["read", "write"] });
    const rotated = await rotateOwnApiKey(context, { id: old.id, ...OVERLAP });
    expect(rotated).toMatchObject({ scopes: ["read", "write"], expires_at: null, kind: "secret" });
    const rest = Date.parse(rotated.old_expires_at) - Date.now();
    expect(Math.abs(rest - 3_600_000)).toBeLessThan(60_000);
    const { data } = await list();
    expect(data.find(({ id }) => id === old.id)?.expires_at).toBe(rotated.old_expires_at);
    expect(data.find(({ id }) => id === rotated.id)?.name).toBe("Reports");
    expect((await actions()).slice(0, 3)).toEqual(["rotated", "created", "created"]);
    const authenticator = createAuthenticator(test.database);
    for (const { token } of [old, rotated]) await authenticator.authenticate(token);
  });

  it("ends a leaked key at once, and only once", async () => {
    const old = await create();
    await rotateOwnApiKey(context, { id: old.id, overlap_seconds: 0 });
    await expect(createAuthenticator(test.database).authenticate(old.token)).rejects.toMatchObject({
      code: "unauthorized",
    });
    await expect(rotateOwnApiKey(context, { id: old.id, ...OVERLAP })).rejects.toMatchObject({
      code: "invalid_request",
    });
  });

  it("keeps the time that the old key was valid, and never lengthens the old one's", async () => {
    const soon = new Date(Date.now() + 60_000).toISOString();
    const old = await create({ expires_at: soon });
    const rotated = await rotateOwnApiKey(context, { id: old.id, ...OVERLAP });
    expect(rotated.old_expires_at).toBe(soon);
    expect(Math.abs(Date.parse(rotated.expires_at ?? "") - Date.now() - 60_000)).toBeLessThan(30_000);
  });
});

describe("a program with a key", () => {
  /** The context of a request with a new key. */
  async function withKey(input: object = {}): Promise<Context> {
    const { id } = await create({ scopes: ["admin"], ...input });
    return { ...context, actor: { kind: "key", id } };
  }

  it("gets no rights that its key lacks", async () => {
    const program = await withKey();
    const input = { name: "More", expires_at: null };
    await expect(createOwnApiKey(program, { ...input, scopes: ["write"] })).rejects.toMatchObject({
      code: "insufficient_scope",
    });
    const { id } = await create({ scopes: ["write"] });
    await expect(rotateOwnApiKey(program, { id, ...OVERLAP })).rejects.toMatchObject({
      code: "insufficient_scope",
    });
    expect((await createOwnApiKey(program, { ...input, scopes: ["view", "admin"] })).kind).toBe("secret");
  });

  it("makes none that ends after its own, by no rotation either", async () => {
    const end = new Date(Date.now() + 3_600_000).toISOString();
    const program = await withKey({ expires_at: end });
    const later = new Date(Date.now() + 7_200_000).toISOString();
    const input = { name: "Longer", scopes: ["view" as const] };
    for (const expires_at of [null, later]) {
      await expect(createOwnApiKey(program, { ...input, expires_at })).rejects.toMatchObject({
        code: "invalid_request",
        issues: [{ path: "expires_at", message: expect.stringContaining(end) }],
      });
    }
    const { id } = await createOwnApiKey(program, { ...input, expires_at: end });
    for (const expires_at of [null, later]) {
      const rotation = rotateOwnApiKey(program, { id, ...OVERLAP, expires_at });
      await expect(rotation).rejects.toMatchObject({ code: "invalid_request" });
    }
    const { id: endless } = await create({ scopes: ["view"] });
    await expect(rotateOwnApiKey(program, { id: endless, ...OVERLAP })).rejects.toMatchObject({
      code: "invalid_request",
    });
    expect((await rotateOwnApiKey(program, { id, ...OVERLAP, expires_at: end })).expires_at).toBe(end);
  });
});

describe("a key that reads security events", () => {
  it("is for owners to make and rotate, and for admins to revoke", async () => {
    const { database, organization } = context;
    const owner = await signIn(database, { organization_id: organization.id, role: "owner" });
    const of_owner: Context = { ...context, actor: { kind: "user", id: owner.user_id } };
    const input = { name: "SIEM", scopes: ["read" as const, "audit" as const], expires_at: null };
    await expect(createOwnApiKey(context, input)).rejects.toMatchObject({ code: "forbidden_role" });
    const { id } = await createOwnApiKey(of_owner, input);
    await expect(rotateOwnApiKey(context, { id, ...OVERLAP })).rejects.toMatchObject({
      code: "forbidden_role",
    });
    expect((await rotateOwnApiKey(of_owner, { id, ...OVERLAP })).scopes).toEqual(["read", "audit"]);
    await revokeOwnApiKey(context, id);
  });

  it("ends when its owner becomes an admin, unlike their other keys", async () => {
    const { database, organization } = context;
    const [owner, other] = [
      await signIn(database, { organization_id: organization.id, role: "owner" }),
      await signIn(database, { organization_id: organization.id, role: "owner" }),
    ];
    const of_owner: Context = { ...context, actor: { kind: "user", id: owner.user_id } };
    const make = async (name: string, scopes: ("audit" | "read")[]) =>
      (await createOwnApiKey(of_owner, { name, scopes, expires_at: null })).id;
    const [audit, kept, reads] = [
      await make("SIEM", ["audit"]),
      await make("Other SIEM", ["audit"]),
      await make("Reports", ["read"]),
    ];
    const sender: Context = { ...context, actor: { kind: "user", id: other.user_id } };
    const input = { user_id: owner.user_id, keep_api_key_ids: [kept], keep_endpoint_ids: [] };
    await changeMember(sender, { ...input, role: "owner" });
    expect((await list({ revoked: true })).data).toEqual([]);
    await changeMember(sender, { ...input, role: "admin" });
    expect((await list({ revoked: true })).data.map(({ id }) => id)).toEqual([audit]);
    expect((await list()).data.map(({ id }) => id)).toEqual(expect.arrayContaining([kept, reads]));
  });
});

/* The sender of a request that began before its rights ended: they are cached for 0.8 s. */
describe("somebody who lost the rights", () => {
  async function refusals(sender: Context, of: string): Promise<unknown[]> {
    const attempts = [
      createOwnApiKey(sender, { name: "Stays", scopes: ["read"], expires_at: null }),
      rotateOwnApiKey(sender, { id: of, ...OVERLAP }),
      revokeOwnApiKey(sender, of),
    ];
    return await Promise.all(attempts.map((attempt) => attempt.catch((error) => error.code)));
  }

  const thrice = (code: string) => [code, code, code];

  it("makes, rotates and revokes no key", async () => {
    const { id } = await create();
    const { database, organization } = context;
    const joe = await signIn(database, { organization_id: organization.id, role: "admin" });
    const removed: Context = { ...context, actor: { kind: "user", id: joe.user_id } };
    await database`update members set role = 'viewer' where user_id = ${joe.user_id}`;
    expect(await refusals(removed, id)).toEqual(thrice("forbidden_role"));
    await database`update members set role = 'admin' where user_id = ${joe.user_id}`;
    await database`update users set disabled_at = now() where id = ${joe.user_id}`;
    expect(await refusals(removed, id)).toEqual(thrice("not_a_member"));
    await database`update users set disabled_at = null where id = ${joe.user_id}`;
    await database`delete from members where user_id = ${joe.user_id}`;
    expect(await refusals(removed, id)).toEqual(thrice("not_a_member"));
    const key = await create({ scopes: ["admin", "read"] });
    await revokeOwnApiKey(context, key.id);
    const revoked: Context = { ...context, actor: { kind: "key", id: key.id } };
    expect(await refusals(revoked, id)).toEqual(thrice("unauthorized"));
    await database`update api_keys set revoked_at = null, expires_at = now() - interval '1 second' where id = ${key.id}`;
    expect(await refusals(revoked, id)).toEqual(thrice("unauthorized"));
    expect((await list()).data.map((one) => one.id)).toContain(id);
  });
});

it("hides keys from other organizations", async () => {
  const { id } = await create();
  const stranger: Context = await makeContext(test.database);
  await expect(revokeOwnApiKey(stranger, id)).rejects.toMatchObject({ code: "not_found" });
  await expect(rotateOwnApiKey(stranger, { id, ...OVERLAP })).rejects.toMatchObject({
    code: "not_found",
  });
  const { data } = await listOwnApiKeys(stranger, { revoked: false, limit: 50 });
  expect(data.map((one) => one.id)).not.toContain(id);
});

it("lists page by page with one statement", async () => {
  await create();
  const first = await list({ limit: 2 });
  const cursor = first.pagination.next_cursor;
  expect(first.pagination.has_more).toBe(true);
  const statements = await statementsOf(test.database, () => list({ limit: 2, cursor }));
  expect(statements).toHaveLength(1);
  expect((await list({ limit: 2, cursor })).data).toHaveLength(1);
});
