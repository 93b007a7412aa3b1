import { countAuditLogEntries } from "@findersfee/database/quotas";
import { eventually } from "@findersfee/database/testing/eventually";
/*
 * An organization that reaches a quota gets a clear error, changes nothing, and does not affect other
 * organizations or its own reads.
 */

import { randomUUID } from "node:crypto";
import { OPERATOR } from "@findersfee/domain/actor";
import { firstIdOf, newId } from "@findersfee/domain/ids";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { codeOf } from "../browser.ts";
import { newPerson } from "../identity/people.ts";
import { openPortal, portalOf } from "../portal/affiliate-browser.ts";
import { startTestService, type TestClient, type TestService } from "../test-service.ts";
import { awayFromTheHour } from "../tracking-program.ts";

const QUOTA = 5;
const CAMPAIGN = {
  name: "Partners",
  website_url: "https://shop.test",
  commission_type: "percentage",
  commission_amount: 30,
  is_default: true,
};

let service: TestService;
let client: TestClient;

beforeAll(async () => {
  service = await startTestService({
    quotas: { stored_answers: QUOTA, audit_log_entries: QUOTA, mails_to_strangers: 0 },
  });
});

afterAll(() => service.close());

beforeEach(async () => {
  await awayFromTheHour();
  client = await service.organization();
});

/** Sends requests until one is rejected; an organization may exceed a quota by the rows of one count. */
async function untilRefused(send: () => ReturnType<TestClient["rest"]>) {
  for (let sent = 0; sent < 10 * QUOTA; sent++) {
    const answer = await send();
    if (answer.status !== 200) return answer;
  }
  throw new Error("no request was rejected");
}

async function rowsOf(
  table: "idempotency_keys" | "audit_log_entries",
  from: { organization_id: string },
): Promise<number> {
  const { organization_id } = from;
  const [row] = await service.database<[{ rows: number }]>`
    select count(*)::int as rows from ${service.database(table)} where organization_id = ${organization_id}`;
  return row.rows;
}

describe("stored answers", () => {
  /** A referral's commission writes no audit log entry, so only the other quota counts. */
  async function referral() {
    await client.rest("POST", "/campaigns", CAMPAIGN);
    const affiliate = await client.rest("POST", "/affiliates", { email: "jane@example.com" });
    const body = { affiliate_id: affiliate.body.data.id, email: "kim@example.com" };
    return (await client.rest("POST", "/referrals", body)).body.data.id;
  }

  it("rejects new keys over the quota, replays stored ones, and serves requests without a key", async () => {
    const body = { referral_id: await referral(), revenue_amount: 10, commission_amount: 1 };
    const send = (key?: string) =>
      client.rest("POST", "/commissions", body, key === undefined ? {} : { "idempotency-key": key });
    const first = await send("first");
    expect(first.status).toBe(200);
    const refused = await untilRefused(() => send(randomUUID()));
    expect(refused.status).toBe(403);
    expect(refused.body.error).toMatchObject({
      code: "quota_exceeded",
      message: expect.stringContaining("expire after 24 hours"),
      details: { quota: "stored_answers", limit: "5" },
    });
    const made = await client.rest("GET", "/commissions?limit=1");
    const stored = await rowsOf("idempotency_keys", client);
    expect(made.body.pagination.total_count).toBe(stored);
    expect((await send(randomUUID())).status).toBe(403);
    expect(await rowsOf("idempotency_keys", client)).toBe(stored);
    const again = await send("first");
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    expect(again.body).toEqual(first.body);
    expect((await send()).status).toBe(200);
  });

  it("rejects every operation that stores a response", async () => {
    const affiliate = () =>
      client.rest("POST", "/referrals", { affiliate_id: randomUUID(), email: "x@example.com" });
    expect((await affiliate()).status).toBe(404);
    const campaign = () => client.rest("POST", "/campaigns", CAMPAIGN, { "idempotency-key": randomUUID() });
    expect((await untilRefused(campaign)).body.error.code).toBe("quota_exceeded");
  });
});

describe("audit log entries", () => {
  it("rejects changes over the quota and changes nothing", async () => {
    const created = await client.rest("POST", "/campaigns", CAMPAIGN);
    const path = `/campaigns/${created.body.data.id}`;
    const rename = () => client.rest("PUT", path, { name: randomUUID() });
    const refused = await untilRefused(rename);
    expect(refused.status).toBe(403);
    expect(refused.body.error).toMatchObject({
      code: "quota_exceeded",
      message: expect.stringContaining("after midnight UTC"),
      details: { quota: "audit_log_entries", limit: "5" },
    });
    const written = await rowsOf("audit_log_entries", client);
    const before = await client.rest("GET", path);
    expect((await rename()).status).toBe(403);
    expect(await rowsOf("audit_log_entries", client)).toBe(written);
    expect((await client.rest("GET", path)).body).toEqual(before.body);
    // An update without changes writes no entry.
    expect((await client.rest("PUT", path, {})).status).toBe(200);
  });

  it("leaves other organizations alone", async () => {
    const created = await client.rest("POST", "/campaigns", CAMPAIGN);
    await untilRefused(() =>
      client.rest("PUT", `/campaigns/${created.body.data.id}`, { name: randomUUID() }),
    );
    const other = await service.organization();
    expect((await other.rest("POST", "/campaigns", CAMPAIGN)).status).toBe(200);
  });

  it("counts rows that other processes wrote", async () => {
    const created = await client.rest("POST", "/campaigns", CAMPAIGN);
    const { organization_id } = client;
    const created_at = new Date();
    const rows = Array.from({ length: QUOTA }, () => ({
      organization_id,
      id: newId(created_at),
      resource: "campaign",
      resource_id: "1",
      action: "updated",
      actor: OPERATOR,
      before: service.database.json({}),
      after: service.database.json({}),
      created_at,
    }));
    await service.database`insert into audit_log_entries ${service.database(rows as never)}`;
    const rename = () => client.rest("PUT", `/campaigns/${created.body.data.id}`, { name: randomUUID() });
    await eventually(async () => expect((await rename()).status).toBe(403));
  });
});

describe("over the quota", () => {
  const LARGER = 30;
  let larger: TestService;

  beforeAll(async () => {
    larger = await startTestService({
      quotas: { stored_answers: 0, audit_log_entries: LARGER, mails_to_strangers: 0 },
    });
  });
  afterAll(() => larger.close());
  beforeEach(async () => {
    client = await larger.organization();
    await client.rest("POST", "/campaigns", CAMPAIGN);
  });

  const add = async (fields: { email: string; approved?: boolean }): Promise<string> =>
    (await client.rest("POST", "/affiliates", fields)).body.data.id;

  /** Uses up the organization's quota of changes. */
  async function exhaust(): Promise<void> {
    const { data } = (await client.rest("GET", "/campaigns")).body;
    const rename = () => client.rest("PUT", `/campaigns/${data[0].id}`, { name: randomUUID() });
    expect((await untilRefused(rename)).body.error.code).toBe("quota_exceeded");
  }

  it("what takes access away or stops harm still works, and giving it back does not", async () => {
    const { trpc } = await larger.staff(client.organization_id);
    const { dashboard } = trpc;
    const admin = await larger.staff(client.organization_id, "admin");
    const [banned, waiting, held, erased, of_api] = [
      await add({ email: "banned@example.com" }),
      await add({ email: "waiting@example.com", approved: false }),
      await add({ email: "held@example.com" }),
      await add({ email: "erased@example.com" }),
      await add({ email: "api@example.com" }),
    ];
    const endpoint = { event_types: null, description: "" };
    const disabled = await dashboard.endpoints.create.mutate({ ...endpoint, url: "https://a.example.com" });
    const deleted = await dashboard.endpoints.create.mutate({ ...endpoint, url: "https://b.example.com" });
    const invited = { email: "new@example.com", role: "viewer", mailed: false } as const;
    const invitation = await dashboard.invitations.create.mutate(invited);
    const key = await dashboard.api_keys.create.mutate({ name: "Old", scopes: ["read"], expires_at: null });
    await dashboard.processors.connect.mutate({ name: "generic" });
    await exhaust();

    await dashboard.affiliates.ban.mutate({ ids: [banned], reason: "Fraud", due: "void" });
    await dashboard.affiliates.decline.mutate({ ids: [waiting], mail: false });
    await dashboard.payout_runs.hold.mutate({ affiliate_ids: [held], reason: "Asked" });
    await dashboard.endpoints.disable.mutate({ id: disabled.id });
    await dashboard.endpoints.delete.mutate({ id: deleted.id });
    await dashboard.invitations.revoke.mutate({ id: invitation.id });
    await dashboard.members.change.mutate({ user_id: admin.user_id, role: "viewer" });
    await dashboard.members.remove.mutate({ user_id: admin.user_id });
    await dashboard.processors.disconnect.mutate({ name: "generic" });
    await dashboard.erasures.affiliate.mutate({ affiliate_id: erased });
    await dashboard.api_keys.revoke.mutate({ id: key.id });
    const by_api = (body: object) => client.rest("PUT", `/affiliates/${of_api}`, body);
    expect((await by_api({ banned: true })).status).toBe(200);

    // These count: another change beside the ban, another reason for it, and a change that gives access back.
    const refused = expect.objectContaining({ message: expect.stringContaining("after midnight UTC") });
    expect((await by_api({ approved: false, first_name: "Al" })).status).toBe(403);
    const again = { ids: [banned], reason: "Another" };
    await expect(dashboard.affiliates.ban.mutate(again)).rejects.toEqual(refused);
    await expect(dashboard.affiliates.unban.mutate({ ids: [banned] })).rejects.toEqual(refused);
    await expect(dashboard.payout_runs.release.mutate({ affiliate_ids: [held] })).rejects.toEqual(refused);
  });

  it("does not count what affiliates do, who have a limit of their own", async () => {
    const bob = await add({ email: "bob@example.com" });
    const counted = () =>
      countAuditLogEntries(larger.database, client.organization_id, {
        from_id: firstIdOf(new Date(Date.now() - 60_000)),
        limit: 1000,
      });
    const before = await counted();
    const portal = portalOf(larger, await openPortal(larger, "bob@example.com"), bob);
    const rename = (number: number) => portal.settings.update.mutate({ first_name: `Bob ${number}` });
    for (let number = 0; number < 20; number++) await rename(number);
    await expect(rename(20)).rejects.toMatchObject({ data: { code: "rate_limited" } });
    expect((await portal.settings.get.query()).first_name).toBe("Bob 19");
    // The same again is no change.
    await rename(19);
    expect(await counted()).toBe(before);
  });
});

describe("mails to people who have not agreed", () => {
  let limited: TestService;

  beforeAll(async () => {
    limited = await startTestService({
      public_url: "https://app.example.com",
      quotas: { stored_answers: 0, audit_log_entries: 0, mails_to_strangers: QUOTA },
    });
  });
  afterAll(() => limited.close());

  it("over the quota invite nobody, and links to pass on still do", async () => {
    const { database } = limited;
    const { browser, organization_id } = await newPerson(limited);
    const { invitations } = browser.dashboard(organization_id);
    const invite = (mailed: boolean) =>
      invitations.create.mutate({ email: `${randomUUID()}@walk.test`, role: "viewer", mailed });
    for (let sent = 0; sent < QUOTA; sent++) {
      await invite(true);
      await database`
        update mails set state = 'sent', due_at = null, finished_at = now(), to_stranger = true
        where organization_id = ${organization_id} and kind = 'invitation' and state = 'due'`;
    }
    // The invitation that begins the last count may still be admitted.
    await eventually(async () => expect(await codeOf(invite(true))).toBe("quota_exceeded"));
    const rows = () => database`select id from invitations where organization_id = ${organization_id}`;
    const before = (await rows()).length;
    expect(await codeOf(invite(true))).toBe("quota_exceeded");
    expect(await rows()).toHaveLength(before);
    expect((await invite(false)).link).toEqual(expect.any(String));
  });
});
