/* The history is of what was committed, all of it, and stays as it was written. */
import { transaction } from "@findersfee/database/connect";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createAffiliate } from "../../src/affiliates/create.ts";
import { createApiKey } from "../../src/api-keys/create.ts";
import { listApiKeys } from "../../src/api-keys/list.ts";
import { revokeApiKey } from "../../src/api-keys/revoke.ts";
import { createCampaign } from "../../src/campaigns/create.ts";
import { getCampaign } from "../../src/campaigns/get.ts";
import { updateCampaign } from "../../src/campaigns/update.ts";
import { recordChange } from "../../src/changes/record.ts";
import type { Context } from "../../src/context.ts";
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
  "update changes set actor = 'nobody'",
  "update changes set resource_id = '1'",
  "update changes set created_at = created_at + interval '1 second'",
  "update changes set before = '{}', after = '{}' where action = 'created'",
  `update changes set after = '{"name": "Other"}' where action = 'created'`,
  "delete from changes",
  "truncate changes",
])("the database refuses: %s", async (statement) => {
  const before = await history(context);
  await expect(test.database.unsafe(statement)).rejects.toThrow("changes: what was written stays");
  expect(await history(context)).toEqual(before);
});

it("refuses rows of no organization, of nobody, and without one of the two sides", async () => {
  const insert = (values: object) => test.database`
    insert into changes ${test.database({
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

it("nothing is left of a change that is refused, or rolled back", async () => {
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
        await recordChange(sql, context, { ...change, before: { name: "a" }, after: { name: "b" } });
        throw new Error("rolled back");
      }),
  ];
  for (const work of refused) {
    expect(await recorded(context, () => expect(work()).rejects.toThrow())).toEqual([]);
  }
});

it("a change of which nothing can be written is not made", async () => {
  await test.database.unsafe(`
    create function refuse() returns trigger language plpgsql as $$ begin raise exception 'full'; end $$;
    create trigger refuse before insert on changes for each row execute function refuse()`);
  const organization_id = context.organization.id;
  const keys = await listApiKeys(test.database, organization_id);
  const key = { organization_id, name: "Key", scopes: ["read" as const], expires_at: null };
  await expect(updateCampaign(context, { id: campaign_id, name: "Other" })).rejects.toThrow("full");
  await expect(createApiKey(test.database, key)).rejects.toThrow("full");
  await expect(revokeApiKey(test.database, keys[0]?.id ?? "")).rejects.toThrow("full");
  await test.database`drop trigger refuse on changes`;
  expect(await getCampaign(context, campaign_id)).toMatchObject({ name: "Partners" });
  expect(await listApiKeys(test.database, organization_id)).toEqual(keys);
});
