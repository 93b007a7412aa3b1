import { type AuditLogLine, auditLogLineSchema } from "@findersfee/contract/audit-log";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CAMPAIGN, createProgram, insertPayout, type Program } from "./program.ts";
import { type StaffClient, sharedTestService, type TestService } from "./test-service.ts";

interface StaffProgram extends Program {
  staff: StaffClient["trpc"]["dashboard"];
  user_id: string;
}

let service: TestService;
let staff_program: StaffProgram;

beforeAll(async () => {
  service = await sharedTestService();
  staff_program = await createStaffProgram();
});

afterAll(() => service.close());

async function createStaffProgram(): Promise<StaffProgram> {
  const program = await createProgram(service);
  const { trpc, user_id } = await service.staff(program.organization.organization_id);
  return { ...program, staff: trpc.dashboard, user_id };
}

/** The id of the program's API key. */
async function apiKeyId({ staff, organization }: StaffProgram): Promise<string> {
  const { data } = await staff.changes.list.query({ resource: "api_key", limit: 100 });
  return data.find(({ after }) => after?.last_four === organization.api_key.slice(-4))?.resource_id ?? "";
}

describe("the history", () => {
  it("records the key, over both surfaces", async () => {
    const { campaign, organization, staff } = staff_program;
    const actor = `key ${await apiKeyId(staff_program)}`;
    await organization.rest("PUT", `/campaigns/${campaign.id}`, { name: "By REST" });
    await organization.trpc.campaigns.update.mutate({ id: campaign.id, name: "By tRPC" });
    const { data } = await staff.changes.list.query({ resource_id: campaign.id });
    expect(data).toMatchObject([
      {
        action: "updated",
        actor,
        actor_name: "First secret key",
        before: { name: "By REST" },
        after: { name: "By tRPC" },
      },
      { action: "updated", actor, before: { name: "Partner program" }, after: { name: "By REST" } },
      { action: "created", actor, before: null, currency: "USD" },
    ]);
  });

  it("records changes by people", async () => {
    const id = await insertPayout(service.database, staff_program);
    await staff_program.staff.payouts.move.mutate({ ids: [id], status: "canceled", reason: "Twice" });
    expect(
      (await staff_program.staff.changes.list.query({ resource_id: id.toUpperCase() })).data,
    ).toMatchObject([
      {
        resource: "payout",
        actor: `user ${staff_program.user_id}`,
        actor_name: "Jane Doe",
        before: { status: "pending", reason: null },
        after: { status: "canceled", reason: "Twice" },
      },
    ]);
  });

  it("records a repeated request with an Idempotency-Key once, even when concurrent", async () => {
    const { organization, staff } = staff_program;
    const send = (key: string, name = key) =>
      organization.rest("POST", "/campaigns", { ...CAMPAIGN, name }, { "idempotency-key": key });
    expect((await send("one")).status).toBe(200);
    expect((await send("one")).headers.get("idempotency-replayed")).toBe("true");
    expect((await send("one", "other")).status).toBe(409);
    await Promise.all(Array.from({ length: 5 }, () => send("together")));
    const { data } = await staff.changes.list.query({ resource: "campaign", limit: 100 });
    const names = data.filter(({ action }) => action === "created").map(({ after }) => after?.name);
    expect(names.filter((name) => name === "one" || name === "other")).toEqual(["one"]);
    expect(names.filter((name) => name === "together")).toEqual(["together"]);
  });
});

describe("its list", () => {
  const all = (filter: object = {}) => staff_program.staff.changes.list.query({ limit: 100, ...filter });

  it("pages from the newest entry without losing or repeating any", async () => {
    const { data: whole } = await all();
    expect(whole.length).toBeGreaterThan(8);
    expect(whole.map(({ id }) => id)).toEqual(
      whole
        .map(({ id }) => id)
        .toSorted()
        .toReversed(),
    );
    const paged: typeof whole = [];
    for (let cursor: string | undefined; ; ) {
      const { data, pagination } = await staff_program.staff.changes.list.query({ limit: 3, cursor });
      paged.push(...data);
      expect(pagination).toMatchObject({ page: null, total_count: null, limit: 3 });
      // Entries added later are newer, and on no later page.
      await staff_program.organization.trpc.campaigns.update.mutate({
        id: staff_program.campaign.id,
        name: `Page ${paged.length}`,
      });
      if (pagination.next_cursor === null) break;
      cursor = pagination.next_cursor;
    }
    // The campaign has another name by now.
    const withoutName = ({ resource_name: _, ...entry }: (typeof whole)[number]) => entry;
    expect(paged.map(withoutName)).toEqual(whole.map(withoutName));
    expect(whole.find(({ resource }) => resource === "affiliate")?.resource_name).toBe("Jane Doe");
  });

  it("filters by resource, id, actor and time", async () => {
    const { data: whole } = await all();
    const operator = await all({ actor: "operator" });
    expect(operator.data).toEqual(whole.filter(({ actor }) => actor === "operator"));
    expect(operator.data.map(({ resource }) => resource)).toContain("organization");
    expect(new Set(operator.data.map(({ actor_name }) => actor_name))).toEqual(new Set([null]));
    const keys = await all({ actor: "operator", resource: "api_key" });
    expect(keys.data).toEqual(operator.data.filter(({ resource }) => resource === "api_key"));
    expect((await all({ resource: "affiliate" })).data).toMatchObject([
      {
        resource_id: staff_program.affiliate.id,
        action: "created",
        after: { email: staff_program.affiliate.email },
      },
    ]);
    expect((await all({ resource: "affiliate", resource_id: staff_program.campaign.id })).data).toEqual([]);
    expect((await all({ actor: "operator", resource_id: staff_program.campaign.id })).data).toEqual([]);
    expect((await all({ actor: "oper" })).data).toEqual([]);
    const times = whole.map(({ created_at }) => created_at);
    const [from, until] = [times.at(-2), times[2]];
    const between = await all({ from, until });
    expect(between.data).toEqual(
      whole.filter(({ created_at: at }) => at >= (from ?? "") && at < (until ?? "")),
    );
    expect((await all({ from: until, until: from })).data).toEqual([]);
    const cursor = between.data[0]?.id;
    expect((await all({ from, until, cursor })).data).toEqual(between.data.slice(1));
  });

  it("rejects unknown filters", async () => {
    for (const wrong of [
      { resource: "click" },
      { cursor: "1" },
      { from: "yesterday" },
      { limit: 101 },
      { actor: "a\u0000" },
    ]) {
      await expect(all(wrong)).rejects.toMatchObject({ data: { code: "invalid_request" } });
    }
  });

  it("shows no entries of another organization, regardless of filters", async () => {
    const other = await createStaffProgram();
    const { data: theirs } = await other.staff.changes.list.query({ limit: 100 });
    const ours = new Set((await all()).data.map(({ id }) => id));
    expect(theirs.filter(({ id }) => ours.has(id))).toEqual([]);
    expect(JSON.stringify(theirs)).not.toContain(staff_program.organization.organization_id);
    for (const item of theirs) {
      const { resource_id, actor, id } = item;
      expect((await all({ resource_id })).data.filter((found) => found.id === id)).toEqual([]);
      const found = actor === "operator" ? [] : (await all({ actor })).data;
      expect(found).toEqual([]);
      for (const { id: listed } of (await all({ cursor: id })).data) expect(ours.has(listed)).toBe(true);
    }
  });
});

describe("its stream", () => {
  interface Stream {
    status: number;
    type: string | null;
    lines: AuditLogLine[];
    code: string | undefined;
  }

  async function read(api_key: string, query = ""): Promise<Stream> {
    const response = await fetch(`${service.url}/v1/audit-log${query}`, {
      headers: { authorization: `Bearer ${api_key}` },
    });
    const text = await response.text();
    const type = response.headers.get("content-type");
    if (response.status !== 200) {
      return { status: response.status, type, lines: [], code: JSON.parse(text).error.code };
    }
    const lines = text.split("\n").slice(0, -1);
    return {
      status: 200,
      type,
      lines: lines.map((line) => auditLogLineSchema.parse(JSON.parse(line))),
      code: undefined,
    };
  }

  async function auditKey({ staff }: Pick<StaffProgram, "staff">): Promise<string> {
    const input = { name: "SIEM", scopes: ["audit" as const], expires_at: null };
    return (await staff.api_keys.create.mutate(input)).token;
  }

  it("has changes and security events, and continues after a cursor", async () => {
    const program = await createStaffProgram();
    const key = await auditKey(program);
    await program.staff.members.end_sessions.mutate({ user_id: program.user_id });
    const whole = await expect
      .poll(async () => (await read(key)).lines.filter(({ type }) => type === "security").length, {
        timeout: 60_000,
      })
      .toBe(1)
      .then(() => read(key));
    expect(whole.type).toBe("application/x-ndjson; charset=utf-8");
    const { lines } = whole;
    expect(lines.find(({ type }) => type === "security")).toMatchObject({
      kind: "sessions_ended",
      user_id: program.user_id,
      actor_name: "Jane Doe",
    });
    expect(lines).toContainEqual(
      expect.objectContaining({ type: "change", resource: "organization", action: "created" }),
    );
    const next = await read(key, `?after=${lines[1]?.cursor}&limit=2`);
    expect(next.lines).toEqual(lines.slice(2, 4));
    expect(await read(key, `?after=${lines.at(-1)?.cursor}`)).toMatchObject({ status: 200, lines: [] });
  });

  it("is for keys with the scope audit, of one organization", async () => {
    const { organization, staff } = staff_program;
    const key = await auditKey(staff_program);
    expect((await read(organization.api_key)).code).toBe("insufficient_scope");
    expect((await read("ff_sk_unknown")).code).toBe("unauthorized");
    expect(await service.client(key).rest("GET", "/campaigns")).toMatchObject({ status: 403 });
    const others = await createStaffProgram();
    const ids = new Set((await staff.changes.list.query({ limit: 100 })).data.map(({ id }) => id));
    const others_key = await auditKey(others);
    // Transactions of other tests on the same server delay the stream.
    const count = async () => (await read(others_key)).lines.length;
    await expect.poll(count, { timeout: 60_000 }).toBeGreaterThan(2);
    const { lines } = await read(others_key);
    expect(lines.filter(({ id }) => ids.has(id))).toEqual([]);
  });

  it.each([
    "after=1",
    "after=1.2",
    "limit=0",
    "limit=10001",
    "limit=1e3",
    "colour=green",
    "created_after=now",
  ])("rejects %s", async (query) => {
    expect(await read(await auditKey(staff_program), `?${query}`)).toMatchObject({
      status: 400,
      code: "invalid_request",
    });
  });
});
