import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { failEachCall, LOST_ANSWERS } from "@findersfee/database/testing/faults/each-call";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { changePassword } from "../../../src/identity/accounts/change-password.ts";
import { signIn } from "../../../src/identity/accounts/sign-in.ts";
import { makeSetupLink } from "../../../src/identity/setup/links.ts";
import { createUser } from "../../../src/identity/users/create.ts";
import { setUserDisabled } from "../../../src/identity/users/disable.ts";
import { createOrganization } from "../../../src/organizations/create.ts";
import { completeSetup } from "../../../src/organizations/set-up.ts";
import { WAITING_BROWSER } from "./sign-in.ts";

/* Each operation takes effect as a whole or not at all, whichever of its calls to the database fails. */

const PASSWORD = "correct horse battery";

let test: TestDatabase;
let organization_id: string;

beforeAll(async () => {
  test = await createTestDatabase();
  const acme = { name: "Acme", currency: "USD", subscription_status: "active" } as const;
  organization_id = (await createOrganization(test.database, acme)).organization_id;
});
afterAll(() => test.close());

describe.each(LOST_ANSWERS)("when a call fails (%s)", (kind) => {
  it("a user is created with membership, audit log entry and link, or not", async () => {
    await failEachCall(test.url, kind, async (database, number) => {
      const email = `${kind}-${number}@example.com`;
      await createUser(database, { name: "Jane", email, organization_id, role: "viewer" }).catch(() => null);
      const [row] = await test.database<[{ users: number; members: number; links: number; entries: number }]>`
        select (select count(*)::int from users where email = ${email}) as users,
          (select count(*)::int from members join users on id = user_id where email = ${email}) as members,
          (select count(*)::int from setup_tokens join users on users.id = user_id where email = ${email}) as links,
          (select count(*)::int from audit_log_entries where after ->> 'email' = ${email}) as entries`;
      expect(row).toEqual({ users: row.users, members: row.users, links: row.users, entries: row.users });
    });
  });

  it("a setup link is used up only with a new password and a session", async () => {
    const email = `${kind}@example.com`;
    const { user_id } = await createUser(test.database, {
      name: "Jo",
      email,
      organization_id,
      role: "owner",
    });
    await failEachCall(test.url, kind, async (database) => {
      await test.database`delete from user_sessions where user_id = ${user_id}`;
      await test.database`delete from user_passwords where user_id = ${user_id}`;
      const { token } = await makeSetupLink(test.database, email);
      await completeSetup(database, { token, password: PASSWORD }, WAITING_BROWSER).catch(() => null);
      const [row] = await test.database<[{ used: number; sessions: number; passwords: number }]>`
        select (select count(*)::int from setup_tokens where user_id = ${user_id} and used_at is not null
            and not exists (select from setup_tokens later where later.id > setup_tokens.id
              and later.user_id = ${user_id})) as used,
          (select count(*)::int from user_sessions where user_id = ${user_id}) as sessions,
          (select count(*)::int from user_passwords where user_id = ${user_id}) as passwords`;
      expect(row).toEqual({ used: row.used, sessions: row.used, passwords: row.used });
    });
  });

  it("a password is changed with its event and its mail, or not", async () => {
    const email = `changing-${kind}@example.com`;
    const input = { name: "Jill", email, organization_id, role: "viewer" } as const;
    const { user_id, link } = await createUser(test.database, input);
    await completeSetup(test.database, { token: link?.token ?? "", password: PASSWORD }, WAITING_BROWSER);
    const [session] = await test.database<[{ id: string }]>`
      select id from user_sessions where user_id = ${user_id}`;
    const person = { user_id, session_id: session.id };
    const read = async () => {
      const [row] = await test.database<[{ hash: string; events: number; mails: number }]>`
        select (select password_hash from user_passwords where user_id = ${user_id}) as hash,
          (select count(*)::int from security_events where user_id = ${user_id} and kind = 'password_changed') as events,
          (select count(*)::int from mails where recipient = ${email} and kind = 'security_notice') as mails`;
      return row;
    };
    let current_password = PASSWORD;
    await failEachCall(test.url, kind, async (database, number) => {
      // A failed call keeps the guess that it took.
      await test.database`update user_sessions set failures = 0 where user_id = ${user_id}`;
      const before = await read();
      const password = `${number} other horse batteries`;
      await changePassword(database, person, { current_password, password }, WAITING_BROWSER).catch(
        () => null,
      );
      const after = await read();
      const is_changed = after.hash !== before.hash;
      if (is_changed) current_password = password;
      expect(after).toMatchObject({ events: before.events + Number(is_changed), mails: after.events });
    });
    expect(current_password).not.toBe(PASSWORD);
  });

  it("a wrong or right password uses at most one guess, and a sign-in has its event and device", async () => {
    const email = `guessing-${kind}@example.com`;
    const input = { name: "Jim", email, organization_id, role: "viewer" } as const;
    const { user_id, link } = await createUser(test.database, input);
    await completeSetup(test.database, { token: link?.token ?? "", password: PASSWORD }, WAITING_BROWSER);
    const read = async () => {
      const [row] = await test.database<[{ sessions: number; events: number; devices: number }]>`
        select (select count(*)::int from user_sessions where user_id = ${user_id}) as sessions,
          (select count(*)::int from security_events where user_id = ${user_id}) as events,
          (select count(*)::int from user_devices where user_id = ${user_id}) as devices`;
      return row;
    };
    await failEachCall(test.url, kind, async (database) => {
      const secrets_key = Buffer.alloc(32);
      await signIn({ database, secrets_key }, { email, password: PASSWORD }, WAITING_BROWSER).catch(
        () => null,
      );
      const { sessions, events, devices } = await read();
      expect({ events, devices }).toEqual({ events: sessions, devices: Math.min(sessions, 10) });
    });
    const [left] = await test.database<[{ hours: number }]>`
      select coalesce(max(extract(epoch from full_at - now()) / 3600), 0)::float8 as hours from sign_in_guesses`;
    // Two hours for each guess that a failed call kept.
    expect(left.hours).toBeLessThan(50);
  });

  it("a user is disabled with all sessions, or not", async () => {
    await failEachCall(test.url, kind, async (database, number) => {
      const email = `disabled-${kind}-${number}@example.com`;
      const input = { name: "Joe", email, organization_id, role: "viewer" } as const;
      const { user_id, link } = await createUser(test.database, input);
      await completeSetup(test.database, { token: link?.token ?? "", password: PASSWORD }, WAITING_BROWSER);
      await setUserDisabled(database, { email, disabled: true }).catch(() => null);
      const [row] = await test.database<[{ disabled: boolean; sessions: number }]>`
        select disabled_at is not null as disabled,
          (select count(*)::int from user_sessions where user_id = users.id) as sessions
        from users where id = ${user_id}`;
      expect(row.sessions).toBe(row.disabled ? 0 : 1);
    });
  });
});
