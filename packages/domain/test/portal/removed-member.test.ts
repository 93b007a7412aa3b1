/*
 * A member's keys, endpoints and other access end with the member, in one transaction, and nothing is made
 * afterwards.
 */
import type { Role } from "@findersfee/contract/identity/roles";
import { deleteMember } from "@findersfee/database/identity/members";
import type { Database } from "@findersfee/database/postgres/connect";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { failEachCall, LOST_ANSWERS } from "@findersfee/database/testing/faults/each-call";
import { awaitWaiting, holdTransaction } from "@findersfee/database/testing/held-transaction";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Context } from "../../src/context.ts";
import { createOwnApiKey } from "../../src/identity/api-keys/own.ts";
import { createInvitation } from "../../src/identity/invitations/create.ts";
import { getMemberAccess } from "../../src/identity/membership/access.ts";
import { changeMember, removeMember } from "../../src/identity/membership/change.ts";
import { createPortalAuthenticator } from "../../src/portal/authenticate.ts";
import { embedPortal } from "../../src/portal/embed.ts";
import { createPortalToken } from "../../src/portal/tokens/create.ts";
import { createEndpoint } from "../../src/webhooks/endpoints/create.ts";
import { startJob } from "../../src/work/jobs/start.ts";
import { type SignedIn, signIn } from "../identity/accounts/sign-in.ts";
import { codeOfRejection, type JoinProgram, openProgram, secrets_key } from "./joining.ts";

const MAKING = { secrets_key, service_url: "https://partners.example.com" };
const BROWSER = { ip_address: "192.0.2.1", user_agent: null };
const POLICY = { secrets_key, allow_http: false, allow_private: false };
const NOTHING_KEPT = { keep_api_key_ids: [], keep_endpoint_ids: [] };
const ADMIN = { scope: "admin", role: "admin" } as const;

let test: TestDatabase;
let program: JoinProgram;
let owner: SignedIn;
let joe: SignedIn;

beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.close());

beforeEach(async () => {
  program = await openProgram(test.database);
  owner = await member("owner");
  joe = await member("admin");
});

const member = (role: Role) =>
  signIn(test.database, { organization_id: program.context.organization.id, role });

const of = ({ user_id: id }: SignedIn, database: Database = test.database): Context => ({
  ...program.context,
  database,
  actor: { kind: "user", id },
  right: ADMIN,
});

const ofKey = (id: string): Context => ({ ...program.context, actor: { kind: "key", id }, right: ADMIN });

const endpoint = (context: Context, url = "https://joe.example.com/hooks") =>
  createEndpoint(context, POLICY, { url, event_types: null, description: "" });

const key = (context: Context, name: string) =>
  createOwnApiKey(context, { name, scopes: ["read", "write", "admin"], expires_at: null });

/** Everything that Joe can make: two keys, one of them by the other, an endpoint, an invitation, a job, a frame and a token. */
async function makeEverything() {
  const first = await key(of(joe), "Deploy");
  const second = await key(ofKey(first.id), "Made by a key");
  const { id: endpoint_id } = await endpoint(of(joe));
  const inviting = { secrets_key, dashboard_url: "http://localhost", can_mail: false };
  await createInvitation(of(joe), inviting, { email: "jill@example.com", role: "viewer", mailed: false });
  await startJob(ofKey(second.id), { kind: "affiliates_export", input: {} });
  const affiliate_id = (await program.join(program.form())).id;
  const token = () => createPortalToken(ofKey(second.id), { affiliate_id }, MAKING);
  const frame = await embedPortal(
    test.database,
    { token: (await token()).token, organization: program.slug },
    BROWSER,
  );
  return { first, second, endpoint_id, session: frame.session, unused: (await token()).token };
}

async function left(organization_id = program.context.organization.id) {
  const [row] = await test.database`
    select
      (select count(*)::int from members where organization_id = ${organization_id} and user_id = ${joe.user_id}) as members,
      (select count(*)::int from api_keys where organization_id = ${organization_id} and revoked_at is null
        and created_by <> 'operator') as keys,
      (select count(*)::int from endpoints where organization_id = ${organization_id} and enabled) as endpoints,
      (select count(*)::int from jobs where organization_id = ${organization_id} and state = 'running') as jobs,
      (select count(*)::int from invitations where organization_id = ${organization_id} and revoked_at is null) as invitations`;
  return row;
}

const NOTHING_LEFT = { members: 0, keys: 0, endpoints: 0, jobs: 0, invitations: 0 };

const auditOf = async () =>
  (
    await test.database<{ entry: string }[]>`
      select resource || ' ' || action as entry from audit_log_entries
      where organization_id = ${program.context.organization.id} and actor = ${`user ${owner.user_id}`} order by id`
  ).map(({ entry }) => entry);

describe("the removal of a member", () => {
  it("ends keys, also those made by keys, frames, tokens, endpoints, invitations and jobs", async () => {
    const { session, unused, first, second, endpoint_id } = await makeEverything();
    const access = await getMemberAccess(of(owner), { user_id: joe.user_id });
    expect(access).toMatchObject({
      api_keys: [
        { id: second.id, name: "Made by a key", last_used_at: null },
        { id: first.id, name: "Deploy", scopes: ["read", "write", "admin"] },
      ],
      endpoints: [{ id: endpoint_id, url: "https://joe.example.com/hooks" }],
      invitations: 1,
      jobs: 1,
    });
    await removeMember(of(owner), { user_id: joe.user_id, ...NOTHING_KEPT });
    expect(await left()).toEqual(NOTHING_LEFT);
    expect(await auditOf()).toEqual([
      "api_key revoked",
      "api_key revoked",
      "job updated",
      "endpoint disabled",
      "invitation revoked",
      "member deleted",
    ]);
    const { authenticate } = createPortalAuthenticator(test.database);
    expect(await codeOfRejection(authenticate(session))).toBe("session_expired");
    const exchange = embedPortal(test.database, { token: unused, organization: program.slug }, BROWSER);
    expect(await codeOfRejection(exchange)).toBe("link_invalid");
  });

  it("keeps the keys and endpoints that somebody else chooses, and ends frames of kept keys all the same", async () => {
    const { session, second, endpoint_id } = await makeEverything();
    const kept = { keep_api_key_ids: [second.id], keep_endpoint_ids: [endpoint_id] };
    expect(await codeOfRejection(removeMember(of(joe), { user_id: joe.user_id, ...kept }))).toBe(
      "invalid_request",
    );
    await removeMember(of(owner), { user_id: joe.user_id, ...kept });
    expect(await left()).toEqual({ ...NOTHING_LEFT, keys: 1, endpoints: 1 });
    const { authenticate } = createPortalAuthenticator(test.database);
    expect(await codeOfRejection(authenticate(session))).toBe("session_expired");
  });

  it.each(LOST_ANSWERS)("ends all of it or nothing when a call fails: %s", async (kind) => {
    await failEachCall(test.url, kind, async (database) => {
      program = await openProgram(test.database);
      owner = await member("owner");
      joe = await member("admin");
      await makeEverything();
      const before = await left();
      await removeMember(of(owner, database), { user_id: joe.user_id, ...NOTHING_KEPT }).catch(() => {});
      expect([before, NOTHING_LEFT]).toContainEqual(await left());
    });
  });
});

describe("another role", () => {
  it("of a viewer ends what the member made", async () => {
    await makeEverything();
    await changeMember(of(owner), { user_id: joe.user_id, role: "viewer", ...NOTHING_KEPT });
    expect(await left()).toEqual({ ...NOTHING_LEFT, members: 1 });
  });

  it("of an admin ends invitations of owners alone", async () => {
    const boss = await member("owner");
    const inviting = { secrets_key, dashboard_url: "http://localhost", can_mail: false };
    for (const role of ["owner", "admin"] as const) {
      await createInvitation(of(boss), inviting, { email: `${role}@example.com`, role, mailed: false });
    }
    await key(of(boss), "Deploy");
    await changeMember(of(owner), { user_id: boss.user_id, role: "admin", ...NOTHING_KEPT });
    const open = await test.database`
      select role from invitations where invited_by = ${boss.user_id} and revoked_at is null`;
    expect(open).toEqual([{ role: "admin" }]);
    expect(await left()).toMatchObject({ keys: 1 });
  });
});

describe("a change that is under way", () => {
  it("is refused if the removal commits first", async () => {
    const removal = await holdTransaction(test.database);
    await deleteMember(removal.sql, program.context.organization.id, joe.user_id);
    const created = codeOfRejection(endpoint(of(joe)));
    await awaitWaiting(test.database);
    await removal.commit();
    expect(await created).toBe("not_a_member");
    expect(await left()).toEqual(NOTHING_LEFT);
  });

  it("ends with the removal if it commits first", async () => {
    const organization = await holdTransaction(test.database);
    await organization.sql`
      select from organizations where id = ${program.context.organization.id} for no key update`;
    const created = endpoint(of(joe));
    await awaitWaiting(test.database);
    const removed = removeMember(of(owner), { user_id: joe.user_id, ...NOTHING_KEPT });
    await awaitWaiting(test.database, 2);
    await organization.commit();
    await created;
    await removed;
    expect(await left()).toEqual(NOTHING_LEFT);
  });

  it("with a key ends likewise", async () => {
    const { id } = await key(of(joe), "Deploy");
    const organization = await holdTransaction(test.database);
    await organization.sql`
      select from organizations where id = ${program.context.organization.id} for no key update`;
    const created = endpoint(ofKey(id));
    await awaitWaiting(test.database);
    const removed = removeMember(of(owner), { user_id: joe.user_id, ...NOTHING_KEPT });
    await awaitWaiting(test.database, 2);
    await organization.commit();
    await created;
    await removed;
    expect(await left()).toEqual(NOTHING_LEFT);
    expect(await codeOfRejection(endpoint(ofKey(id)))).toBe("unauthorized");
  });

  it("leaves one of two people who remove each other", async () => {
    const other = await member("owner");
    const codes = await Promise.all([
      codeOfRejection(removeMember(of(owner), { user_id: other.user_id, ...NOTHING_KEPT })),
      codeOfRejection(removeMember(of(other), { user_id: owner.user_id, ...NOTHING_KEPT })),
    ]);
    expect(codes).toHaveLength(2);
    expect(codes.filter((code) => code === null)).toHaveLength(1);
  });
});
