import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { statementsOf } from "@findersfee/database/testing/counted-statements";
import { eventually } from "@findersfee/database/testing/eventually";
import { afterAll, beforeAll, expect, it } from "vitest";
import { DomainError } from "../../../src/errors.ts";
import { createSessionAuthenticator, staffSessionOf } from "../../../src/identity/accounts/authenticate.ts";
import { newSecretToken } from "../../../src/identity/accounts/secret-token.ts";
import { sessionCookieName } from "../../../src/identity/accounts/session-cookie.ts";
import { createOrganization } from "../../../src/organizations/create.ts";
import { signIn, signInUser } from "./sign-in.ts";

let test: TestDatabase;
let organization_id: string;

beforeAll(async () => {
  test = await createTestDatabase();
  const input = { name: "Acme", currency: "EUR", subscription_status: "trialing" } as const;
  ({ organization_id } = await createOrganization(test.database, input));
});

afterAll(() => test.close());

const refused = new DomainError("session_expired");

it("returns the user and the principal for each organization", async () => {
  const { token, user_id, session_id } = await signIn(test.database, { organization_id, role: "admin" });
  const session = await createSessionAuthenticator(test.database).authenticate(token);
  expect(session).toMatchObject({ user_id, session_id });
  expect(staffSessionOf(session, organization_id)).toEqual({
    kind: "staff_session",
    session_id,
    user_id,
    role: "admin",
    organization: { id: organization_id, currency: "EUR", subscription_status: "trialing" },
  });
  expect(() => staffSessionOf(session, user_id)).toThrow(new DomainError("not_a_member"));
});

it("rejects malformed, unknown, expired and ended sessions, and those of disabled users, alike", async () => {
  const { authenticate } = createSessionAuthenticator(test.database);
  const [expired, ended, disabled] = [
    await signInUser(test.database),
    await signInUser(test.database),
    await signInUser(test.database),
  ];
  await test.database`update user_sessions set expires_at = now() - interval '1 second' where id = ${expired.session_id}`;
  await test.database`delete from user_sessions where id = ${ended.session_id}`;
  await test.database`update users set disabled_at = now() where id = ${disabled.user_id}`;
  const tokens = ["", "x", newSecretToken(), expired.token, ended.token, disabled.token];
  for (const token of tokens) await expect(authenticate(token)).rejects.toEqual(refused);
});

it("looks a session up once for concurrent and following requests, whatever the organization", async () => {
  const { token } = await signIn(test.database, { organization_id, role: "viewer" });
  const { authenticate, peek } = createSessionAuthenticator(test.database);
  expect(peek(token)).toBeNull();
  const statements = await statementsOf(test.database, async () => {
    await Promise.all(Array.from({ length: 50 }, () => authenticate(token)));
    expect(peek(token)).toBe(await authenticate(token));
  });
  // The look-up, and the note of the session's use.
  expect(statements).toHaveLength(2);
});

it("rejects a malformed token without a query", async () => {
  const { authenticate } = createSessionAuthenticator(test.database);
  const statements = await statementsOf(test.database, async () => {
    for (const token of ["", "x".repeat(42), "x".repeat(44), `${"x".repeat(42)}=`])
      await expect(authenticate(token)).rejects.toEqual(refused);
  });
  expect(statements).toEqual([]);
});

it("records the use of a session once an hour", async () => {
  const { token, session_id } = await signInUser(test.database);
  const lastUse = async () => {
    const [row] = await test.database<[{ updated_at: Date }]>`
      select updated_at from user_sessions where id = ${session_id}`;
    return row.updated_at;
  };
  const created = await lastUse();
  await createSessionAuthenticator(test.database).authenticate(token);
  await createSessionAuthenticator(test.database).authenticate(token);
  expect(await lastUse()).toEqual(created);
  await test.database`
    update user_sessions set updated_at = now() - interval '2 hours' where id = ${session_id}`;
  await createSessionAuthenticator(test.database).authenticate(token);
  await eventually(async () => expect((await lastUse()).getTime()).toBeGreaterThanOrEqual(created.getTime()));
});

it("stores only the hash of a token", async () => {
  const { token, session_id } = await signInUser(test.database);
  const [row] = await test.database`
    select user_sessions::text as text from user_sessions where id = ${session_id}`;
  expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
  expect(row?.text).not.toContain(token);
});

it("names the cookie with the prefix for https", () => {
  expect(sessionCookieName("https://partners.example.com/app")).toBe("__Host-findersfee_session");
  expect(sessionCookieName("http://10.0.0.5:3000")).toBe("findersfee_session");
  expect(sessionCookieName(null)).toBe("findersfee_session");
});
