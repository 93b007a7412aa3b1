import { type AuditLogLine, auditLogLineSchema } from "@findersfee/contract/audit-log";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { holdTransaction } from "@findersfee/database/testing/held-transaction";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { readAuditLog } from "../../src/audit-log/feed.ts";
import { writeAuditEntry } from "../../src/audit-log/write.ts";
import type { Context } from "../../src/context.ts";
import { recordFailedCode, recordSecurityEvent } from "../../src/identity/accounts/record-security-event.ts";
import { removeMember } from "../../src/identity/membership/change.ts";
import { createRejectionRecorder } from "../../src/identity/policies/rejections.ts";
import { signIn, signInUser, WAITING_BROWSER } from "../identity/accounts/sign-in.ts";
import { makeContext } from "../subscriber.ts";

let test: TestDatabase;
let context: Context;

beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.close());

beforeEach(async () => {
  context = await makeContext(test.database);
});

async function read(
  input: { after?: string; limit?: number; created_after?: string } = {},
): Promise<AuditLogLine[]> {
  let text = "";
  for await (const chunk of readAuditLog(context, { after: "", limit: 10_000, ...input })) text += chunk;
  const lines = text.split("\n");
  expect(lines.pop()).toBe("");
  return lines.map((line) => auditLogLineSchema.parse(JSON.parse(line)));
}

/** Transactions of other tests on the same server delay the feed. */
async function readAll(count: number): Promise<AuditLogLine[]> {
  await expect.poll(async () => (await read()).length, { timeout: 60_000 }).toBe(count);
  return await read();
}

/** The entries of the organization and its first keys. */
const FIRST = 3;

function write(name: string, sql: Parameters<typeof writeAuditEntry>[0] = test.database) {
  return writeAuditEntry(sql, context, {
    resource: "campaign",
    id: "0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90",
    action: "created",
    before: null,
    after: { name },
  });
}

const nameOf = (line: AuditLogLine) =>
  line.type === "change" ? (line.after?.name ?? line.action) : `${line.kind} ${line.times}`;

async function record(user_id: string, kind: "password_changed" | "passkey_added"): Promise<void> {
  await recordSecurityEvent(test.database, { user_id, kind, browser: WAITING_BROWSER });
}

describe("the feed of the audit log", () => {
  it("never skips an entry of a transaction that commits after a younger one was written", async () => {
    const cursor = (await readAll(FIRST)).at(-1)?.cursor ?? "";
    const older = await holdTransaction(test.database);
    await write("older", older.sql);
    const { user_id } = await signIn(test.database, {
      organization_id: context.organization.id,
      role: "viewer",
    });
    await write("younger");
    await record(user_id, "password_changed");
    expect(await read({ after: cursor })).toEqual([]);
    await older.commit();
    await expect
      .poll(async () => (await read({ after: cursor })).map(nameOf), { timeout: 60_000 })
      .toEqual(["older", "younger", "password_changed 1"]);
  });

  it("continues after each line, in steps of any size, and repeats none", async () => {
    for (let n = 0; n < 5; n++) await write(`campaign ${n}`);
    const whole = await readAll(FIRST + 5);
    expect(new Set(whole.map(({ id }) => id)).size).toBe(FIRST + 5);
    for (const [index, { cursor }] of whole.entries()) {
      expect(await read({ after: cursor })).toEqual(whole.slice(index + 1));
      expect(await read({ after: cursor, limit: 1 })).toEqual(whole.slice(index + 1, index + 2));
    }
  });

  it("reads more lines than one statement returns, and begins at a time", async () => {
    await test.database`
      insert into audit_log_entries (organization_id, id, resource, resource_id, action, actor, after, created_at)
      select ${context.organization.id}, ('01000000-0000-7000-8000-' || lpad(to_hex(number), 12, '0'))::uuid, 'campaign',
        'id', 'created', 'operator', '{}', now() from generate_series(1, 1203) as number`;
    const whole = await readAll(FIRST + 1203);
    expect(whole.slice(FIRST).map(({ id }) => id)).toEqual(
      whole
        .slice(FIRST)
        .map(({ id }) => id)
        .sort(),
    );
    expect(await read({ limit: 501 })).toEqual(whole.slice(0, 501));
    const created_after = new Date(Date.now() - 60_000).toISOString();
    expect(await read({ created_after })).toEqual(whole.slice(0, FIRST));
  });

  it("is the organization's own", async () => {
    const other = await makeContext(test.database);
    const { user_id } = await signIn(test.database, {
      organization_id: other.organization.id,
      role: "owner",
    });
    await record(user_id, "password_changed");
    await write("ours");
    expect((await readAll(FIRST + 1)).map(nameOf).at(-1)).toBe("ours");
  });
});

describe("security events in the feed", () => {
  it("are those of members while they were members, also after they left", async () => {
    const organization_id = context.organization.id;
    const owner = await signIn(test.database, { organization_id, role: "owner" });
    const jane = await signInUser(test.database);
    await record(jane.user_id, "password_changed");
    const created_at = new Date();
    await test.database`
      insert into members ${test.database({ organization_id, user_id: jane.user_id, role: "viewer", created_at })}`;
    await record(jane.user_id, "passkey_added");
    const of_member = (await readAll(FIRST + 1)).at(-1);
    expect(of_member).toMatchObject({
      type: "security",
      kind: "passkey_added",
      user_id: jane.user_id,
      user_name: "Jane Doe",
      user_email: jane.email,
      ip_address: "192.0.2.1",
    });
    const sender: Context = { ...context, actor: { kind: "user", id: owner.user_id } };
    await removeMember(sender, { user_id: jane.user_id, keep_api_key_ids: [], keep_endpoint_ids: [] });
    await record(jane.user_id, "password_changed");
    const lines = await readAll(FIRST + 2);
    expect(lines.map(nameOf).slice(FIRST)).toEqual(["passkey_added 1", "deleted"]);
    expect(lines[FIRST]).toEqual({ ...of_member, user_email: null });
  });

  it("come again with their number when another failure of the hour is counted", async () => {
    const organization_id = context.organization.id;
    const { user_id } = await signIn(test.database, { organization_id, role: "viewer" });
    const fail = () => recordFailedCode(test.database, { user_id, browser: WAITING_BROWSER });
    await fail();
    const first = (await readAll(FIRST + 1)).at(-1);
    expect(first).toMatchObject({ kind: "code_failed", times: 1 });
    await fail();
    const total = async () => {
      const lines = await read({ after: first?.cursor ?? "" });
      // A second event, if the hour ended in the meantime.
      return lines.map((line) => line.type === "security" && line.id === first?.id && line.times);
    };
    await expect.poll(total, { timeout: 60_000 }).toEqual([2]);
  });

  it("show requests of members from networks that the organization does not allow", async () => {
    const { organization } = context;
    const { user_id, session_id } = await signIn(test.database, {
      organization_id: organization.id,
      role: "viewer",
    });
    const recordRejection = createRejectionRecorder(test.database, (error) => {
      throw error;
    });
    const other = await makeContext(test.database);
    await test.database`
      insert into members (organization_id, user_id, role, created_at) values (${other.organization.id}, ${user_id}, 'viewer', now())`;
    recordRejection(
      { kind: "staff_session", session_id, user_id, role: "viewer", organization },
      WAITING_BROWSER,
    );
    expect((await readAll(FIRST + 1)).at(-1)).toMatchObject({ kind: "network_refused", user_id, times: 1 });
    context = other;
    await record(user_id, "passkey_added");
    expect((await readAll(FIRST + 1)).at(-1)).toMatchObject({ kind: "passkey_added" });
  });

  it("end with their event", async () => {
    const organization_id = context.organization.id;
    const { user_id } = await signIn(test.database, { organization_id, role: "viewer" });
    await record(user_id, "password_changed");
    await readAll(FIRST + 1);
    await test.database`delete from security_events where user_id = ${user_id}`;
    await readAll(FIRST);
  });
});
