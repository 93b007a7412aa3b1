import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { failEachCall, LOST_ANSWERS } from "@findersfee/database/testing/faults/each-call";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
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
