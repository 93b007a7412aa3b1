/* The migration that separates notes from affiliates' own words. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { readMigrations } from "../src/migrations.ts";
import type { Database } from "../src/postgres/connect.ts";
import { migrate } from "../src/schema/migrate.ts";
import { createTestDatabase, type TestDatabase } from "./test-database.ts";

/** Who wrote which details, in order; `itself` is the affiliate in the portal. */
type Written = [actor: string, details: string | null][];

let test: TestDatabase;

beforeEach(async () => {
  test = await createTestDatabase({ migrated: false });
});
afterEach(() => test.close());

async function addCampaign(database: Database): Promise<{ organization_id: string; campaign_id: string }> {
  const [{ organization_id }] = await database<[{ organization_id: string }]>`
    insert into organizations (id, name, slug, currency, subscription_status, created_at)
    values (gen_random_uuid(), 'Acme', 'acme', 'USD', 'active', now()) returning id as organization_id`;
  const [{ campaign_id }] = await database<[{ campaign_id: string }]>`
    insert into campaigns (organization_id, id, name, website_url, is_default, commission_type, commission_value,
      first_payment_enabled, first_payment_type, first_payment_value, custom_commission_type, custom_commissions,
      limit_type, commission_cap, skip_prorations, code_mode, cookie_duration, customers, attribution, approval_needed,
      collect_details, custom_fields, hide_emails, created_at)
    values (${organization_id}, gen_random_uuid(), 'Partners', 'https://example.com', true, 'percentage', 300000, false,
      'percentage', 0, 'none', '[]', 'none', false, false, 'link', 60, 'new', 'last_click', false, true, '[]', false,
      now())
    returning id as campaign_id`;
  return { organization_id, campaign_id };
}

/** Adds an affiliate with the last of these details, and with their audit log. */
async function addAffiliate(
  database: Database,
  { organization_id, campaign_id, name }: { organization_id: string; campaign_id: string; name: string },
  { written, details }: { written: Written; details: string | null },
): Promise<void> {
  const [{ id }] = await database<[{ id: string }]>`
    insert into affiliates (organization_id, id, campaign_id, email, first_name, last_name, approved, details,
      new_paid_referral_notifications, created_at)
    values (${organization_id}, gen_random_uuid(), ${campaign_id}, ${`${name}@example.com`}, ${name}, '', true, ${details},
      true, now()) returning id`;
  for (const [number, [actor, text]] of written.entries()) {
    const entry = {
      organization_id,
      id: `${id.slice(0, -4)}${String(number).padStart(4, "0")}`,
      resource: "affiliate",
      resource_id: id,
      action: number === 0 ? "created" : "updated",
      actor: actor === "itself" ? `affiliate ${id}` : actor,
      before: number === 0 ? null : database.json({ details: null }),
      after: database.json({ approved: true, details: text }),
      created_at: new Date(),
    };
    await database`insert into audit_log_entries ${database(entry)}`;
    // A later change of something else.
    const other = {
      ...entry,
      id: `${id.slice(0, -4)}9${String(number).padStart(3, "0")}`,
      action: "updated",
    };
    const names = { before: database.json({ last_name: "" }), after: database.json({ last_name: "Doe" }) };
    await database`insert into audit_log_entries ${database({ ...other, ...names })}`;
  }
}

it("keeps the affiliate's own last words as details, and makes other texts notes", async () => {
  const { database } = test;
  const all = await readMigrations();
  const place = all.findIndex(({ name }) => name.endsWith("_affiliate_notes"));
  await migrate(database, all.slice(0, place));
  const campaign = await addCampaign(database);
  const cases: Record<string, { written: Written; expected: [details: string | null, note: string | null] }> =
    {
      joined: { written: [["joining", "I write."]], expected: ["I write.", null] },
      edited: {
        written: [
          ["joining", "I write."],
          ["itself", "I paint."],
        ],
        expected: ["I paint.", null],
      },
      by_member: { written: [["user 1", "Met in Berlin."]], expected: [null, "Met in Berlin."] },
      by_key: {
        written: [
          ["user 1", null],
          ["key 1", "From the CRM."],
        ],
        expected: [null, "From the CRM."],
      },
      overwritten: {
        written: [
          ["joining", "I write."],
          ["user 1", "Do not pay."],
        ],
        expected: ["I write.", "Do not pay."],
      },
      unanswered: {
        written: [
          ["joining", null],
          ["user 1", "Do not pay."],
        ],
        expected: [null, "Do not pay."],
      },
      withdrawn: {
        written: [
          ["joining", "I write."],
          ["itself", null],
          ["user 1", "Do not pay."],
        ],
        expected: [null, "Do not pay."],
      },
      removed: {
        written: [
          ["joining", "Rude words"],
          ["user 1", null],
        ],
        expected: [null, null],
      },
      by_another: { written: [["affiliate 1", "Who is that?"]], expected: [null, "Who is that?"] },
    };
  for (const [name, { written }] of Object.entries(cases)) {
    await addAffiliate(database, { ...campaign, name }, { written, details: written.at(-1)?.[1] ?? null });
  }
  await addAffiliate(database, { ...campaign, name: "unknown" }, { written: [], details: "Who wrote this?" });
  await migrate(database, all.slice(0, place + 1));
  const rows = await database<{ first_name: string; details: string | null; note: string | null }[]>`
    select first_name, details, note from affiliates`;
  const migrated = Object.fromEntries(
    rows.map(({ first_name, details, note }) => [first_name, [details, note]]),
  );
  const expected = Object.entries(cases).map(([name, { expected }]) => [name, expected]);
  expect(migrated).toEqual({ ...Object.fromEntries(expected), unknown: [null, "Who wrote this?"] });
});
