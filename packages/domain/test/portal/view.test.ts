import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { failEachCall, LOST_ANSWERS } from "@findersfee/database/testing/faults/each-call";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { viewPortal } from "../../src/portal/tokens/view.ts";
import { openView } from "../../src/portal/view.ts";
import { signIn } from "../identity/accounts/sign-in.ts";
import { type JoinProgram, openProgram, secrets_key } from "./joining.ts";

const MAKING = { secrets_key, service_url: "https://partners.example.com" };
const BROWSER = { ip_address: "192.0.2.1", user_agent: null };

let test: TestDatabase;
let program: JoinProgram;
let affiliate_id: string;
let user_session_id: string;

beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.close());

beforeEach(async () => {
  program = await openProgram(test.database);
  affiliate_id = (await program.join(program.form())).id;
  const { user_id } = await signIn(test.database, {
    organization_id: program.context.organization.id,
    role: "admin",
  });
  const [session] = await test.database<[{ id: string }]>`
    select id from user_sessions where user_id = ${user_id}`;
  user_session_id = session.id;
});

const view = (database = test.database) =>
  viewPortal({ ...program.context, database }, { affiliate_id, user_session_id }, MAKING);

async function stored() {
  const [row] = await test.database<[{ tokens: number; used: number; sessions: number; entries: number }]>`
    select count(*)::int as tokens, count(used_at)::int as used,
      (select count(*)::int from portal_sessions where affiliate_id = ${affiliate_id}) as sessions,
      (select count(*)::int from audit_log_entries where resource_id = ${affiliate_id} and action = 'viewed') as entries
    from portal_tokens where affiliate_id = ${affiliate_id}`;
  return row;
}

describe("a view of the portal", () => {
  it.each(LOST_ANSWERS)("is in the audit log when its token was made (%s)", async (kind) => {
    await failEachCall(test.url, kind, async (database) => {
      const before = await stored();
      const made = await view(database).catch(() => null);
      const { tokens, entries } = await stored();
      expect(entries - before.entries).toBe(tokens - before.tokens);
      if (made !== null) expect(tokens).toBe(before.tokens + 1);
    });
  });

  it.each(LOST_ANSWERS)(
    "is opened with its token used, or not at all, when a call fails (%s)",
    async (kind) => {
      await failEachCall(test.url, kind, async (database) => {
        const before = await stored();
        const token = new URL((await view()).url).hash.slice(1);
        const opened = await openView(database, token, BROWSER).catch(() => null);
        const { used, sessions } = await stored();
        expect(sessions - before.sessions).toBe(used - before.used);
        if (opened !== null) expect(used).toBe(before.used + 1);
      });
    },
  );

  it("ends with the session in the dashboard", async () => {
    await openView(test.database, new URL((await view()).url).hash.slice(1), BROWSER);
    await view();
    await test.database`delete from user_sessions where id = ${user_session_id}`;
    expect(await stored()).toMatchObject({ tokens: 0, sessions: 0 });
  });
});
