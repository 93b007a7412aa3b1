/* Each field of the profile is written, audited, erased, imported, exported and found, as its table says. */
import { affiliateFields } from "@findersfee/contract/affiliates/affiliates";
import {
  exported_fields,
  type ProfileField,
  personal_fields,
  profile_fields,
  public_fields,
  searched_fields,
} from "@findersfee/contract/affiliates/fields";
import { erasedEmail, nameOf } from "@findersfee/contract/affiliates/name";
import { describe, expect, it } from "vitest";
import { createAffiliate } from "../../src/affiliates/create.ts";
import { checkImport } from "../../src/affiliates/import/check.ts";
import { importAffiliates } from "../../src/affiliates/import/start.ts";
import { listAffiliateRows } from "../../src/affiliates/list-rows.ts";
import { updateAffiliate } from "../../src/affiliates/update.ts";
import type { CreationContext } from "../../src/commissions/create.ts";
import { eraseAffiliate } from "../../src/erasure/affiliate.ts";
import { readJobFile } from "../../src/work/jobs/file.ts";
import { startJob } from "../../src/work/jobs/start.ts";
import { beforeEachInNewProgram } from "../attribution/new-program.ts";
import type { Partner } from "../attribution/program.ts";
import { history } from "../audit-log/history.ts";
import { runJobs } from "../work.ts";

let context: CreationContext;
let partner: Partner;

beforeEachInNewProgram((program) => {
  ({ context, partner } = program);
});

/** A value of each field: valid also as an email. */
function profile(version: string): Record<ProfileField, string> {
  const values = profile_fields.map((name) => [name, `${name.replaceAll("_", "")}-${version}@example.com`]);
  return Object.fromEntries(values) as Record<ProfileField, string>;
}

const create = (values: Record<ProfileField, string>) =>
  createAffiliate(context, { campaign_id: partner.campaign_id, ...values });

async function fileOf(id: string): Promise<string> {
  let text = "";
  for await (const part of (await readJobFile(context, id)).content) text += part;
  return text;
}

it("shows and audits what requests write", async () => {
  const created = await create(profile("first"));
  expect(created).toMatchObject(profile("first"));
  expect(await updateAffiliate(context, { id: created.id, ...profile("second") })).toMatchObject(
    profile("second"),
  );
  const [first, second] = await history(context, { resource_id: created.id });
  expect(first?.after).toMatchObject(profile("first"));
  expect(second).toMatchObject({ before: profile("first"), after: profile("second") });
});

it("leaves internal fields out of events", async () => {
  const { id } = await create(profile("first"));
  const events = await context.database<{ body: string }[]>`
    select body from events where type = 'affiliate.created' order by id`;
  const data = events.map(({ body }) => JSON.parse(body).data).find((affiliate) => affiliate.id === id);
  for (const name of profile_fields) {
    const is_public = (public_fields as readonly string[]).includes(name);
    expect(Object.hasOwn(data, name), name).toBe(is_public);
  }
  // The feed writes an event by its schema, and must repeat the bytes of deliveries.
  expect(Object.keys(data)).toEqual([...Object.keys(affiliateFields), "campaign"]);
});

describe("an erased affiliate", () => {
  it.each(personal_fields)("keeps no %s in the audit log", async (name) => {
    const { id } = await create(profile("first"));
    await eraseAffiliate(context, id);
    const [created] = await history(context, { resource_id: id });
    expect(created?.after?.[name]).toBe("[erased]");
  });

  it.each(personal_fields)("takes no %s", async (name) => {
    const { id } = await create(profile("first"));
    await eraseAffiliate(context, id);
    const change = { id, [name]: profile("second")[name] };
    await expect(updateAffiliate(context, change)).rejects.toMatchObject({ issues: [{ path: name }] });
    const { database } = context;
    const written = database`update affiliates set ${database(change, name)} where id = ${id}`;
    // The migration of a field has a constraint with such a name.
    await expect(written).rejects.toMatchObject({ constraint_name: expect.stringMatching(/_erased$/) });
  });
});

it("imports each field", async () => {
  const values = profile("imported");
  const line = { ...values };
  const checked = await checkImport(context, { campaign_id: partner.campaign_id, lines: [line] });
  expect(checked).toEqual([{ outcome: "new", affiliate_id: null, issues: [] }]);
  const text = `${Object.keys(values).join(",")}\n${Object.values(values).join(",")}\n`;
  const input = { campaign_id: partner.campaign_id, approved: true };
  await importAffiliates(context, input, new Blob([text]).stream());
  await runJobs(context);
  const rows = await context.database`
    select ${context.database(profile_fields)} from affiliates where email = ${values.email}`;
  expect(rows).toEqual([values]);
});

it("exports the fields of the table", async () => {
  const values = profile("exported");
  const { id: affiliate_id } = await create(values);
  const { id } = await startJob(context, { kind: "affiliates_export", input: { ids: [affiliate_id] } });
  await runJobs(context);
  const [header, line] = (await fileOf(id)).split("\n").map((text) => text.trim().split(","));
  expect(header?.filter((name) => profile_fields.includes(name as ProfileField))).toEqual(exported_fields);
  for (const name of exported_fields) expect(line?.[header?.indexOf(name) ?? -1]).toBe(values[name]);
});

it.each(searched_fields)("finds affiliates by the beginning of the %s, with an index", async (name) => {
  const { id } = await create(profile("found"));
  const text = `${name.replaceAll("_", "")}-f`;
  const { data } = await listAffiliateRows(context, { limit: 10, text });
  expect(data.map((row) => row.id)).toEqual([id]);
  const indexes = await context.database<{ definition: string }[]>`
    select indexdef as definition from pg_indexes where tablename = 'affiliates'`;
  const expected = `(organization_id, lower(${name}), id) INCLUDE (${name})`;
  expect(indexes.filter(({ definition }) => definition.endsWith(expected))).toHaveLength(1);
});

it.each([
  ["Jane", "Doe"],
  ["", "Doe"],
  [" Jane ", ""],
  ["", ""],
  ["\t\u00A0", "\u2003\uFEFF\u3000\v"],
  ["\u200B", ""],
])("names the same affiliate in SQL and in code: %j %j", async (first_name, last_name) => {
  for (const email of ["jane@example.com", erasedEmail(partner.affiliate_id)]) {
    const [row] = await context.database`select display_name(${first_name}, ${last_name}, ${email}) as name`;
    expect(row?.name).toBe(nameOf({ first_name, last_name, email }));
  }
});
