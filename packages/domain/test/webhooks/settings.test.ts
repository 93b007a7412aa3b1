import { randomUUID } from "node:crypto";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Context } from "../../src/context.ts";
import { getEndpoint } from "../../src/webhooks/endpoints/get.ts";
import { openHeaders } from "../../src/webhooks/endpoints/headers.ts";
import { updateEndpoint } from "../../src/webhooks/endpoints/update.ts";
import { addPartner } from "../attribution/program.ts";
import { history } from "../audit-log/history.ts";
import { addEndpoint, makeContext, POLICY } from "../subscriber.ts";

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const SECRETS = { "X-Api-Key": "5f0b-very-secret", Authorization: "Bearer another-secret" };

let test: TestDatabase;
let context: Context;

beforeAll(async () => {
  test = await createTestDatabase();
  context = await makeContext(test.database);
});

afterAll(() => test.close());

async function row(id: string) {
  const [found] = await test.database`
    select requests_per_second, ordered, campaign_ids, custom_headers, custom_headers_encrypted
    from endpoints where id = ${id}`;
  return found;
}

async function headersOf(endpoint_id: string) {
  const owner = { organization_id: context.organization.id, endpoint_id };
  return openHeaders(POLICY.secrets_key, owner, (await row(endpoint_id))?.custom_headers_encrypted);
}

const update = (id: string, input: Omit<Parameters<typeof updateEndpoint>[2], "id">) =>
  updateEndpoint(context, POLICY, { id, ...input });

it("sets no limit, order, filter or headers by default", async () => {
  const { id } = await addEndpoint(context);
  expect(await getEndpoint(context, id)).toMatchObject({
    requests_per_second: null,
    ordered: false,
    campaign_ids: null,
    custom_headers: [],
  });
});

it("keeps settings until they are changed or cleared", async () => {
  const { campaign_id } = await addPartner(context);
  const settings = { requests_per_second: 50, ordered: true, campaign_ids: [campaign_id] };
  const { id } = await addEndpoint(context, settings);
  expect(await getEndpoint(context, id)).toMatchObject(settings);
  expect(await update(id, { description: "Ledger" })).toMatchObject({ ...settings, description: "Ledger" });
  const cleared = { requests_per_second: null, ordered: false, campaign_ids: null };
  expect(await update(id, cleared)).toMatchObject(cleared);
  expect(await row(id)).toMatchObject(cleared);
});

it("rejects campaigns of another organization and lists them", async () => {
  const stranger = await makeContext(test.database);
  const { campaign_id: foreign } = await addPartner(stranger);
  const { campaign_id } = await addPartner(context);
  const campaign_ids = [campaign_id, foreign, randomUUID()];
  const refused = {
    code: "invalid_request",
    issues: [{ path: "campaign_ids[1]" }, { path: "campaign_ids[2]" }],
  };
  const { id } = await addEndpoint(context);
  await expect(addEndpoint(context, { campaign_ids })).rejects.toMatchObject(refused);
  await expect(update(id, { campaign_ids })).rejects.toMatchObject(refused);
  expect((await row(id))?.campaign_ids).toBeNull();
});

describe("custom headers", () => {
  it("are stored encrypted and shown without their values", async () => {
    const { id, secret: _, ...created } = await addEndpoint(context, { custom_headers: SECRETS });
    expect(created.custom_headers).toEqual([
      { name: "X-Api-Key", updated_at: TIME },
      { name: "Authorization", updated_at: TIME },
    ]);
    expect(await headersOf(id)).toEqual(SECRETS);
    const [stored] = await test.database`select endpoints::text as text from endpoints where id = ${id}`;
    const shown = [stored?.text, JSON.stringify(await getEndpoint(context, id))].join();
    for (const value of Object.values(SECRETS)) expect(shown).not.toContain(value);
    const elsewhere = { organization_id: context.organization.id, endpoint_id: randomUUID() };
    const sealed = (await row(id))?.custom_headers_encrypted;
    expect(() => openHeaders(POLICY.secrets_key, elsewhere, sealed)).toThrow();
  });

  it("are set and removed one by one, regardless of case", async () => {
    const { id } = await addEndpoint(context, { custom_headers: SECRETS });
    const former = (await row(id))?.custom_headers;
    const changed = await update(id, { custom_headers: { "x-api-key": "rotated", "X-Other": "other" } });
    expect(changed.custom_headers).toEqual([
      former[1],
      { name: "x-api-key", updated_at: TIME },
      { name: "X-Other", updated_at: TIME },
    ]);
    expect(await headersOf(id)).toEqual({
      Authorization: SECRETS.Authorization,
      "x-api-key": "rotated",
      "X-Other": "other",
    });
    await update(id, { custom_headers: { AUTHORIZATION: null, "X-Unknown": null } });
    expect(await headersOf(id)).toEqual({ "x-api-key": "rotated", "X-Other": "other" });
    await update(id, { custom_headers: { "X-Api-Key": null, "x-other": null } });
    expect(await row(id)).toMatchObject({ custom_headers: [], custom_headers_encrypted: null });
  });

  it("are validated together with the stored ones", async () => {
    const ten = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`X-${index}`, "1"]));
    const { id } = await addEndpoint(context, { custom_headers: ten });
    const refused = { code: "invalid_request", issues: [{ path: "custom_headers" }] };
    await expect(update(id, { custom_headers: { "X-10": "1" } })).rejects.toMatchObject(refused);
    await expect(update(id, { custom_headers: { "X-10": "1", "X-0": null } })).resolves.toBeDefined();
    const reserved = { "webhook-id": "x", "X-Fine": "y" };
    await expect(addEndpoint(context, { custom_headers: reserved })).rejects.toMatchObject({
      code: "invalid_request",
      issues: [{ path: "custom_headers.webhook-id" }],
    });
  });

  it("that cannot be decrypted can be replaced only", async () => {
    const { id } = await addEndpoint(context, { custom_headers: SECRETS });
    await test.database`update endpoints set custom_headers_encrypted = '\\x01' where id = ${id}`;
    await expect(update(id, { custom_headers: { "X-Api-Key": "new" } })).rejects.toMatchObject({
      code: "invalid_request",
      issues: [{ path: "custom_headers", message: expect.stringContaining("Authorization") }],
    });
    expect((await update(id, { description: "kept" })).custom_headers).toHaveLength(2);
    await update(id, { custom_headers: { "X-Api-Key": "new", Authorization: null } });
    expect(await headersOf(id)).toEqual({ "X-Api-Key": "new" });
  });

  it("leave their changes in the audit log without values", async () => {
    const { id } = await addEndpoint(context, { custom_headers: { "X-Api-Key": "first-value" } });
    const [before] = (await row(id))?.custom_headers ?? [];
    await expect
      .poll(
        async () => (await update(id, { custom_headers: { "X-Api-Key": "second-value" } })).custom_headers,
      )
      .not.toEqual([before]);
    const entries = await history(context, { resource_id: id });
    expect(entries.map(({ action }) => action)).toContain("updated");
    expect(entries.at(-1)).toMatchObject({
      before: { custom_headers: [{ name: "X-Api-Key", updated_at: TIME }] },
      after: { custom_headers: [{ name: "X-Api-Key", updated_at: TIME }] },
    });
    expect(JSON.stringify(entries)).not.toContain("-value");
  });
});
