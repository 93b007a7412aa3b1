/* The migration that keeps link codes that affiliates no longer use. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { readMigrations } from "../src/migrations.ts";
import { migrate } from "../src/schema/migrate.ts";
import { createTestDatabase, type TestDatabase } from "./test-database.ts";

let test: TestDatabase;

beforeEach(async () => {
  test = await createTestDatabase({ migrated: false });
});
afterEach(() => test.close());

const ORGANIZATION = "00000000-0000-7000-8000-000000000001";
const CAMPAIGN = "00000000-0000-7000-8000-000000000002";

/** The id of a number. */
function idOf(number: number): string {
  return `00000000-0000-7000-8000-${String(number).padStart(12, "0")}`;
}

async function addAffiliate(
  number: number,
  code: string,
  values: Record<string, unknown> = {},
): Promise<string> {
  const { database } = test;
  const affiliate = {
    organization_id: ORGANIZATION,
    id: idOf(number),
    campaign_id: CAMPAIGN,
    email: `${number}@example.com`,
    first_name: "",
    last_name: "",
    approved: true,
    new_paid_referral_notifications: false,
    created_at: new Date(),
  };
  await database`insert into affiliates ${database({ ...affiliate, ...values })}`;
  const { organization_id, id, created_at } = affiliate;
  const row = { organization_id, id, affiliate_id: id, kind: "link", code, created_at };
  await database`insert into affiliate_codes ${database(row)}`;
  return id;
}

async function addEntry(number: number, resource_id: string, before: Record<string, unknown>): Promise<void> {
  const { database } = test;
  await database`insert into audit_log_entries ${database({
    organization_id: ORGANIZATION,
    id: idOf(number),
    resource: "affiliate",
    resource_id,
    action: "updated",
    actor: "key 1",
    before: database.json(before as never),
    after: database.json({}),
    created_at: new Date(),
  })}`;
}

it("returns former codes of the audit log to their last affiliate, unless another has taken them", async () => {
  const { database } = test;
  const all = await readMigrations();
  const place = all.findIndex(({ name }) => name.endsWith("_former_link_codes"));
  await migrate(database, all.slice(0, place));
  await database`
    insert into organizations (id, name, slug, currency, subscription_status, created_at)
    values (${ORGANIZATION}, 'Acme', 'acme', 'USD', 'active', now())`;
  await database`
    insert into campaigns (organization_id, id, name, website_url, is_default, commission_type, commission_value,
      first_payment_enabled, first_payment_type, first_payment_value, custom_commission_type, custom_commissions,
      limit_type, commission_cap, skip_prorations, code_mode, cookie_duration, customers, attribution, approval_needed,
      collect_details, custom_fields, hide_emails, created_at)
    values (${ORGANIZATION}, ${CAMPAIGN}, 'Partners', 'https://example.com', true, 'percentage', 300000, false,
      'percentage', 0, 'none', '[]', 'none', false, false, 'link', 60, 'new', 'last_click', false, true, '[]', false,
      now())`;
  const jane = await addAffiliate(11, "jane");
  const joe = await addAffiliate(12, "taken");
  const erased = await addAffiliate(13, "erased-13", {
    email: `${idOf(13)}@erased.invalid`,
    banned: true,
    erased_at: new Date(),
  });
  await addEntry(21, jane, { ref_codes: ["Given-Away"], promo_codes: ["PROMO"] });
  await addEntry(22, joe, { ref_codes: ["given-away"] });
  await addEntry(23, jane, { ref_codes: ["janes-first"] });
  await addEntry(24, jane, { ref_codes: ["janes-first", "JANE", "Taken", "no code"] });
  await addEntry(25, jane, { first_name: "Jane" });
  await addEntry(26, erased, { ref_codes: "[erased]" });
  await addEntry(27, erased, { ref_codes: ["secret"] });
  await migrate(database);
  const codes = await database<{ affiliate_id: string; code: string; is_former: boolean }[]>`
    select affiliate_id, code, replaced_at is not null as is_former from affiliate_codes order by code`;
  expect(codes.map(({ affiliate_id, code, is_former }) => [affiliate_id, code, is_former])).toEqual([
    [erased, "erased-13", false],
    [joe, "given-away", true],
    [jane, "jane", false],
    [jane, "janes-first", true],
    [joe, "taken", false],
  ]);
});
