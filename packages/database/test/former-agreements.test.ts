/* The migration that decides which former affiliates have agreed. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { readMigrations } from "../src/migrations.ts";
import { migrate } from "../src/schema/migrate.ts";
import { createTestDatabase, type TestDatabase } from "./test-database.ts";

let test: TestDatabase;

beforeEach(async () => {
  test = await createTestDatabase({ migrated: false });
});
afterEach(() => test.close());

const ACME = idOf(1);
const GLOBEX = idOf(2);

/** The id of a number. */
function idOf(number: number): string {
  return `00000000-0000-7000-8000-${String(number).padStart(12, "0")}`;
}

async function addOrganization(id: string, slug: string): Promise<void> {
  const { database } = test;
  await database`
    insert into organizations (id, name, slug, currency, subscription_status, created_at)
    values (${id}, ${slug}, ${slug}, 'USD', 'active', now())`;
  await database`
    insert into campaigns (organization_id, id, name, website_url, is_default, commission_type, commission_value,
      first_payment_enabled, first_payment_type, first_payment_value, custom_commission_type, custom_commissions,
      limit_type, commission_cap, skip_prorations, code_mode, cookie_duration, customers, attribution, approval_needed,
      collect_details, custom_fields, hide_emails, created_at)
    values (${id}, ${id}, 'Partners', 'https://example.com', true, 'percentage', 300000, false, 'percentage', 0, 'none',
      '[]', 'none', false, false, 'link', 60, 'new', 'last_click', false, true, '[]', false, now())`;
}

let affiliates = 100;

async function addAffiliate(name: string, organization_id = ACME, values: object = {}): Promise<string> {
  const { database } = test;
  const id = idOf(affiliates++);
  const affiliate = {
    ...{ organization_id, id, campaign_id: organization_id, email: `${name}@Example.com`, first_name: name },
    ...{ last_name: "", approved: true, new_paid_referral_notifications: false, created_at: new Date() },
  };
  await database`insert into affiliates ${database({ ...affiliate, ...values })}`;
  return id;
}

async function addChange(number: number, affiliate_id: string, actor: string): Promise<void> {
  await test.database`
    insert into audit_log_entries (organization_id, id, resource, resource_id, action, actor, before, after, created_at)
    values (${ACME}, ${idOf(number)}, 'affiliate', ${affiliate_id}, 'updated', ${actor}, '{}', '{}', now())`;
}

/** A session of the portal, of an organization's host name or a frame if these are given. */
async function addSession(
  number: number,
  name: string,
  { limited_to = null as string | null, affiliate_id = null as string | null } = {},
): Promise<void> {
  await test.database`
    insert into portal_sessions (id, email, token_hash, created_at, updated_at, expires_at, limited_to, affiliate_id)
    values (${idOf(number)}, ${`${name}@example.com`}, sha256(${name}::bytea), now(), now(), now() + interval '1 day',
      ${limited_to}, ${affiliate_id})`;
}

it("lets those have agreed who joined, changed something or signed in, if it says whose affiliate they came as", async () => {
  const { database } = test;
  const all = await readMigrations();
  const place = all.findIndex(({ name }) => name.endsWith("_agreements"));
  await migrate(database, all.slice(0, place));
  await addOrganization(ACME, "acme");
  await addOrganization(GLOBEX, "globex");
  const joined_at = new Date("2026-01-10T10:00:00Z");
  await addAffiliate("joined", ACME, { email_confirmed_at: joined_at });
  await addAffiliate("terms", ACME, { terms_accepted_at: joined_at });
  const changed = await addAffiliate("changed");
  await addChange(11, changed, `affiliate ${changed}`);
  const staff = await addAffiliate("changed-by-staff");
  await addChange(12, staff, "key 1");
  await addAffiliate("added");
  const framed = await addAffiliate("framed");
  await addSession(21, "framed", { limited_to: ACME, affiliate_id: framed });
  await addAffiliate("signed-in");
  await addSession(22, "signed-in");
  await addAffiliate("account");
  await database`insert into portal_accounts values ('account@example.com', 'de')`;
  // Affiliates of two organizations: only the host name says to which portal they came.
  for (const organization of [ACME, GLOBEX]) {
    await addAffiliate("both", organization);
    await addAffiliate("both-at-host", organization);
  }
  await addSession(23, "both");
  await addSession(24, "both-at-host", { limited_to: ACME });

  await migrate(database);
  const rows = await database<{ first_name: string; organization_id: string; agreed_at: Date | null }[]>`
    select first_name, organization_id, agreed_at from affiliates order by id`;
  const agreed = rows.filter(({ agreed_at }) => agreed_at !== null);
  expect(agreed.map(({ first_name, organization_id }) => [first_name, organization_id])).toEqual([
    ["joined", ACME],
    ["terms", ACME],
    ["changed", ACME],
    ["signed-in", ACME],
    ["account", ACME],
    ["both-at-host", ACME],
  ]);
  expect(agreed.slice(0, 2).map(({ agreed_at }) => agreed_at)).toEqual([joined_at, joined_at]);
});
