/* The audit log contains exactly the committed changes, and is append-only. */
import { insertAuditEntry } from "@findersfee/database/audit-log/entries";
import { transaction } from "@findersfee/database/postgres/connect";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createAffiliate } from "../../src/affiliates/create.ts";
import { writeAuditEntry } from "../../src/audit-log/write.ts";
import { createCampaign } from "../../src/campaigns/create.ts";
import { getCampaign } from "../../src/campaigns/get.ts";
import { updateCampaign } from "../../src/campaigns/update.ts";
import type { Context } from "../../src/context.ts";
import { createApiKey } from "../../src/identity/api-keys/create.ts";
import { listApiKeys } from "../../src/identity/api-keys/list.ts";
import { revokeApiKey } from "../../src/identity/api-keys/revoke.ts";
import { newId } from "../../src/ids.ts";
import { makeContext } from "../subscriber.ts";
import { history, recorded } from "./history.ts";

const CAMPAIGN = {
  name: "Partners",
  website_url: "https://shop.test",
  commission_type: "percentage",
  commission_amount: 30,
  code_mode: "link",
} as const;

let test: TestDatabase;
let context: Context;
let campaign_id: string;

beforeAll(async () => {
  test = await createTestDatabase();
  context = await makeContext(test.database);
  ({ id: campaign_id } = await createCampaign(context, CAMPAIGN));
});

afterAll(() => test.close());

it.each([
  "update audit_log_entries set actor = 'nobody'",
  "update audit_log_entries set resource_id = '1'",
  "update audit_log_entries set created_at = created_at + interval '1 second'",
  "update audit_log_entries set before = '{}', after = '{}' where action = 'created'",
  `update audit_log_entries set after = '{"name": "Other"}' where action = 'created'`,
  "delete from audit_log_entries",
  "truncate audit_log_entries",
])("rejects: %s", async (statement) => {
  const before = await history(context);
  await expect(test.database.unsafe(statement)).rejects.toThrow("audit_log_entries is append-only");
  expect(await history(context)).toEqual(before);
});

describe("erasing fields by direct SQL", () => {
  const ENTRIES = {
    affiliate: {
      before: { email: "jane@example.com", details: null, approved: true, clicks: 3 },
      after: { email: "jo@example.com", details: "A note", approved: false, clicks: 3 },
    },
    promo_code: {
      before: { code: "JANE", external_id: "promo_1" },
      after: { code: "JO", external_id: "promo_2" },
    },
    member: {
      before: { role: "admin", email: "a@acme.test" },
      after: { role: "owner", email: "a@acme.test" },
    },
    commission: { before: { email: "x", revenue_amount: 10 }, after: { email: "y", revenue_amount: 20 } },
  };
  let ids: Record<string, string>;

  beforeEach(async () => {
    ids = {};
    for (const [resource, { before, after }] of Object.entries(ENTRIES)) {
      const id = newId(new Date());
      ids[resource] = id;
      await insertAuditEntry(test.database, context.organization.id, {
        id,
        resource,
        resource_id: "1",
        action: "updated",
        actor: "test",
        before,
        after,
        currency: "USD",
        created_at: new Date(),
      });
    }
  });

  /** The entry, its fields as their own text, so that their order counts. */
  async function entry(resource: string) {
    const [row] = await test.database`
      select to_jsonb(entry) - array['before', 'after'] as unchanged, before::text, after::text from audit_log_entries entry
      where id = ${ids[resource] ?? ""}`;
    return row;
  }

  /** Replaces the fields on one side of an entry by this text. */
  async function write(resource: string, side: "before" | "after", text: string | null) {
    return await test.database`
      update audit_log_entries set ${test.database(side)} = ${text}::text::json where id = ${ids[resource] ?? ""}`;
  }

  const fields = (values: object) => JSON.stringify(values);
  const { affiliate, promo_code, member, commission } = ENTRIES;

  it.each([
    ["a value that identifies nobody", "affiliate", { ...affiliate.before, approved: "[erased]" }],
    ["a number", "affiliate", { ...affiliate.before, clicks: "[erased]" }],
    ["a personal value by another value", "affiliate", { ...affiliate.before, email: "jo@example.com" }],
    ["a personal value by null", "affiliate", { ...affiliate.before, email: null }],
    ["a personal value by an object", "affiliate", { ...affiliate.before, email: ["[erased]"] }],
    ["null by [erased]", "affiliate", { ...affiliate.before, details: "[erased]" }],
    ["a field that it drops", "affiliate", { email: "[erased]", details: null, approved: true }],
    ["all fields that it drops", "affiliate", {}],
    ["a field that it adds", "affiliate", { ...affiliate.before, first_name: "[erased]" }],
    ["the order of the fields", "affiliate", { approved: true, clicks: 3, details: null, email: "[erased]" }],
    ["a promo code's id at the processor", "promo_code", { ...promo_code.before, external_id: "[erased]" }],
    ["a member's role", "member", { ...member.before, role: "[erased]" }],
    ["a commission's amount", "commission", { ...commission.before, revenue_amount: "[erased]" }],
    ["a field that is personal elsewhere", "commission", { ...commission.before, email: "[erased]" }],
  ] as const)("refuses to replace %s", async (_, resource, values) => {
    const stored = await entry(resource);
    await expect(write(resource, "before", fields(values))).rejects.toThrow(
      "audit_log_entries is append-only",
    );
    expect(await entry(resource)).toEqual(stored);
  });

  it("rejects the same in the fields after the change, no fields, and duplicate fields", async () => {
    const stored = await entry("affiliate");
    const refused = "audit_log_entries is append-only";
    const unapproved = fields({ ...affiliate.after, approved: "[erased]" });
    await expect(write("affiliate", "after", unapproved)).rejects.toThrow(refused);
    await expect(write("affiliate", "after", null)).rejects.toThrow(refused);
    const twice = fields(affiliate.after).replace("{", '{"clicks": 4, ');
    await expect(write("affiliate", "after", twice)).rejects.toThrow(refused);
    expect(await entry("affiliate")).toEqual(stored);
  });

  it.each([
    "currency = 'EUR'",
    "currency = null",
    "id = gen_random_uuid()",
    "action = 'linked'",
    "actor = 'me'",
  ])("rejects an erasure that also sets %s", async (set) => {
    const stored = await entry("affiliate");
    const erased = fields({ ...affiliate.before, email: "[erased]" });
    const statement = `update audit_log_entries set before = '${erased}', ${set} where id = '${ids.affiliate}'`;
    await expect(test.database.unsafe(statement)).rejects.toThrow("audit_log_entries is append-only");
    expect(await entry("affiliate")).toEqual(stored);
  });

  it("accepts [erased] in place of personal values", async () => {
    await write("affiliate", "before", fields({ ...affiliate.before, email: "[erased]" }));
    await write("affiliate", "after", fields({ ...affiliate.after, email: "[erased]", details: "[erased]" }));
    await write("promo_code", "before", fields({ ...promo_code.before, code: "[erased]" }));
    await write("member", "before", fields({ ...member.before, email: "[erased]" }));
    expect(await entry("affiliate")).toMatchObject({
      after: fields({ ...affiliate.after, email: "[erased]", details: "[erased]" }),
    });
  });
});

it("rejects entries without an organization, an actor or fields", async () => {
  const insert = (values: object) => test.database`
    insert into audit_log_entries ${test.database({
      organization_id: context.organization.id,
      id: crypto.randomUUID(),
      resource: "campaign",
      resource_id: "1",
      action: "updated",
      actor: "key",
      before: test.database.json({}),
      after: test.database.json({}),
      created_at: new Date(),
      ...values,
    })}`;
  for (const values of [
    { organization_id: crypto.randomUUID() },
    { actor: "" },
    { before: null },
    { after: null },
    { action: "created" },
    { action: "deleted" },
    { currency: "usd" },
  ]) {
    await expect(insert(values)).rejects.toMatchObject({ code: expect.stringMatching(/^235/) });
  }
});

it("records no change that is rejected or rolled back", async () => {
  const email = "jane@example.com";
  await createAffiliate(context, { campaign_id, email });
  const refused = [
    () => createAffiliate(context, { campaign_id, email }),
    () => createAffiliate(context, { campaign_id, email: "jo@example.com", promo_code: "JO" }),
    () => updateCampaign(context, { id: campaign_id, code_mode: "coupon" }),
    () => createCampaign(context, { ...CAMPAIGN, commission_amount: 101, is_default: true }),
    () =>
      transaction(test.database, async (sql) => {
        const change = { resource: "campaign", id: campaign_id, action: "updated" } as const;
        await writeAuditEntry(sql, context, { ...change, before: { name: "a" }, after: { name: "b" } });
        throw new Error("rolled back");
      }),
  ];
  for (const work of refused) {
    expect(await recorded(context, () => expect(work()).rejects.toThrow())).toEqual([]);
  }
});

it("rolls a change back if its entry cannot be written", async () => {
  await test.database.unsafe(`
    create function refuse() returns trigger language plpgsql as $$ begin raise exception 'full'; end $$;
    create trigger refuse before insert on audit_log_entries for each row execute function refuse()`);
  const organization_id = context.organization.id;
  const keys = await listApiKeys(test.database, organization_id);
  const key = { organization_id, name: "Key", scopes: ["read" as const], expires_at: null };
  await expect(updateCampaign(context, { id: campaign_id, name: "Other" })).rejects.toThrow("full");
  await expect(createApiKey(test.database, key)).rejects.toThrow("full");
  await expect(revokeApiKey(test.database, keys[0]?.id ?? "")).rejects.toThrow("full");
  await test.database`drop trigger refuse on audit_log_entries`;
  expect(await getCampaign(context, campaign_id)).toMatchObject({ name: "Partners" });
  expect(await listApiKeys(test.database, organization_id)).toEqual(keys);
});
