import type { ExportAuditLog } from "@findersfee/contract/audit-log";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createCampaign } from "../../src/campaigns/create.ts";
import type { Context } from "../../src/context.ts";
import { recordSecurityEvent } from "../../src/identity/accounts/record-security-event.ts";
import { readJobFile } from "../../src/work/jobs/file.ts";
import { startJob } from "../../src/work/jobs/start.ts";
import { signIn } from "../identity/accounts/sign-in.ts";
import { makeContext } from "../subscriber.ts";
import { runJobs } from "../work.ts";

let test: TestDatabase;
let context: Context;

beforeAll(async () => {
  test = await createTestDatabase();
  context = await makeContext(test.database);
});

afterAll(() => test.close());

async function as(role: "owner" | "admin"): Promise<Context & { user_id: string }> {
  const { user_id } = await signIn(test.database, { organization_id: context.organization.id, role });
  return {
    ...context,
    actor: { kind: "user", id: user_id },
    right: { scope: "admin", role: "admin" },
    user_id,
  };
}

async function exported(reader: Context, input: ExportAuditLog): Promise<string> {
  const { id } = await startJob(reader, { kind: "audit_log_export", input });
  await runJobs(context);
  let text = "";
  for await (const part of (await readJobFile(reader, id)).content) text += part;
  return text;
}

it("exports changes and security events of members, by the list's filters", async () => {
  const [owner, other] = [await as("owner"), await as("owner")];
  await createCampaign(owner, {
    name: "Partners",
    website_url: "https://example.com",
    commission_type: "percentage",
    commission_amount: 30,
    code_mode: "link",
    is_default: false,
  });
  const browser = { ip_address: "192.0.2.7", user_agent: "Firefox" };
  await recordSecurityEvent(test.database, {
    user_id: other.user_id,
    kind: "password_changed",
    browser,
    mailed: false,
  });
  let all = "";
  // The log waits for transactions of other tests that began before.
  await expect
    .poll(
      async () => {
        all = await exported(owner, {});
        return all.includes(",campaign,") && all.includes("password_changed");
      },
      { timeout: 60_000 },
    )
    .toBe(true);
  expect(all).toMatch(/^\uFEFFid,type,created,actor,/);
  expect(all).toContain("192.0.2.7");
  const of_campaigns = await exported(owner, { resource: "campaign" });
  expect(of_campaigns.trimEnd().split("\r\n")).toHaveLength(2);
  expect(of_campaigns).not.toContain("password_changed");
  const of_other = await exported(owner, { actor: `user ${other.user_id}` });
  expect(of_other.trimEnd().split("\r\n")).toHaveLength(2);
  expect(of_other).toContain("password_changed");
  expect((await exported(owner, { until: "2020-01-01T00:00:00Z" })).trimEnd().split("\r\n")).toHaveLength(1);
});

it("gives its file to owners alone", async () => {
  const [owner, admin] = [await as("owner"), await as("admin")];
  const { id } = await startJob(owner, { kind: "audit_log_export", input: {} });
  await runJobs(context);
  await expect(readJobFile(admin, id)).rejects.toMatchObject({ code: "forbidden_role" });
  const key: Context = { ...context, actor: { kind: "key", id: crypto.randomUUID() } };
  await expect(readJobFile({ ...key, right: undefined }, id)).rejects.toMatchObject({
    code: "insufficient_scope",
  });
  expect((await readJobFile(owner, id)).name).toMatch(/^audit-log-.*\.csv$/);
});
