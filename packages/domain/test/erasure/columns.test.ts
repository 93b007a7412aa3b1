/*
 * The erasure of an affiliate reaches every column of texts: it is emptied, or listed here with the reason why it stays. A new
 * column is personal until somebody decides otherwise.
 */
import { createTestDatabase, type TestDatabase, withoutTriggers } from "@findersfee/database/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { eraseAffiliate } from "../../src/erasure/affiliate.ts";
import { groupBy } from "../../src/group-by.ts";
import { newId } from "../../src/ids.ts";
import { makePayoutContext } from "../ledger/program.ts";
import { addJane } from "./jane.ts";

/** Columns that stay, by reason. */
const KEPT: Record<string, string[]> = {
  "One of a few fixed values.": [
    "adjustments.currency",
    "affiliate_codes.kind",
    "affiliate_tiers.measure",
    "affiliates.payout_currency",
    "backtest_totals.currency",
    "balances.currency",
    "claims.state",
    "commissions.currency",
    "commissions.review_state",
    "daily_totals.currency",
    "leads.currency",
    "leads.outcome",
    "ledger_entries.currency",
    "ledger_entries.kind",
    "mails.kind",
    "mails.state",
    "mails.unsent_cause",
    "members.role",
    "notification_settings.frequency",
    "notification_settings.topic",
    "payment_decisions.currency",
    "payment_decisions.outcome",
    "payment_decisions.processor",
    "payout_conversions.from_currency",
    "payout_conversions.from_source",
    "payout_conversions.to_currency",
    "payout_conversions.to_source",
    "payout_preview_rows.currency",
    "payout_preview_rows.missing_rates",
    "payout_preview_rows.outcome",
    "payout_preview_rows.payout_currency",
    "payouts.currency",
    "payouts.method",
    "payouts.period",
    "payouts.status",
    "referrals.processor_status",
    "saved_views.list",
    "referrals.subscription_status",
    "total_changes.currency",
    "unpaid_commissions.currency",
  ],
  "An id, or a text with an id.": [
    "affiliate_codes.external_coupon",
    "affiliate_codes.external_id",
    "claims.decided_by",
    "commissions.cause",
    "commissions.processor_payment_id",
    "leads.reference",
    "leads.terms",
    "ledger_entries.cause",
    "mails.about",
    "mails.reported",
    "payment_decisions.payment_id",
    "payment_decisions.taken_over_from",
    "payouts.status_by",
    "promotion_codes.external_id",
    "referrals.attributed_by",
    "referrals.processor_customer_id",
  ],
  "The organization's name of a step.": ["affiliate_tiers.tier_name"],
  "The organization's name of a kind of lead.": ["commissions.lead", "leads.kind"],
  "Bookkeeping needs the name and the address that a payout was sent to.": [
    "payouts.affiliate_name",
    "payouts.payout_email",
    "payouts.status_reason",
  ],
  "The ban that an erasure sets ends a declined application: `affiliates_declined`.": [
    "affiliates.decline_reason",
  ],
  "Keyed hashes, which keep a banned person out; nobody can compute the address from them without the key.": [
    "erased_bans.address_hashes",
  ],
  "Written by the erasure itself, without names and addresses: `erased-bans.test.ts`.": [
    "erased_bans.reason",
  ],
  "Mails to affiliates have none; those to other addresses are no affiliate's.": ["mails.recipient"],
  "Of the organization's customers and visitors.": [
    "clicks.code",
    "clicks.country",
    "clicks.landing_url",
    "clicks.referrer",
    "clicks.sub_id",
    "customer_texts.email",
    "payment_decisions.explanation",
    "referrals.customer_country",
    "referrals.email",
    "referrals.landing_url",
    "referrals.link_code",
    "referrals.referrer",
    "referrals.sub_id",
    "referrals.visitor_country",
    "sub_id_clicks.sub_id",
  ],
  "Of users and invited people, who are no affiliates. A user's data goes with its account.": [
    "invitations.email",
    "invitations.role",
    "security_events.actor",
    "security_events.detail",
    "security_events.ip_address",
    "security_events.kind",
    "security_events.network",
    "security_events.user_agent",
    "user_passkeys.credential_id",
    "user_passkeys.name",
    "user_passkeys.transports",
    "user_passwords.password_hash",
    "user_preferences.dates",
    "user_preferences.list_columns",
    "user_preferences.theme",
    "sign_in_identities.issuer",
    "sign_in_identities.subject",
    "user_sessions.ip_address",
    "user_sessions.method",
    "user_sessions.user_agent",
    "user_verifications.kind",
    "users.email",
    "users.name",
  ],
  "Deleted if they have the affiliate's name, address or id: `apps/api/test/identity/saved-views.test.ts`.": [
    "saved_views.name",
    "saved_views.search",
  ],
  // They are deleted with the row of the address, and cannot take any other text.
  "Gone with the row.": ["portal_accounts.language"],
};

/** In each column that does not stay. */
const SECRET = "secret@example.com";

let test: TestDatabase;

beforeAll(async () => {
  test = await createTestDatabase();
});

afterAll(() => test.close());

/** The columns of texts, JSON and lists of texts in tables that have a person's id or address. */
async function columnsOfPeople(): Promise<string[]> {
  const rows = await test.database<{ name: string }[]>`
    select relname || '.' || attname as name from pg_class class
    join pg_attribute on attrelid = class.oid and attnum > 0 and not attisdropped
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
      and atttypid in ('text'::regtype, 'text[]'::regtype, 'json'::regtype, 'jsonb'::regtype)
      and exists (select from pg_attribute where attrelid = class.oid
        and attname in ('affiliate_id', 'user_id', 'email', 'recipient'))
    order by 1`;
  return rows.map(({ name }) => name);
}

/** Adds a row of each kind that an affiliate can have, in addition to `addJane`. */
async function addRows(
  organization_id: string,
  { affiliate_id, campaign_id }: { affiliate_id: string; campaign_id: string },
): Promise<void> {
  const { database } = test;
  const times = { created_at: new Date(), expires_at: new Date(Date.now() + 60_000) };
  const of_affiliate = { organization_id, id: newId(times.created_at), affiliate_id };
  const of_address = { id: of_affiliate.id, email: SECRET };
  const hash = Buffer.alloc(32);
  await withoutTriggers(database, async (sql) => {
    await sql`insert into claims ${sql({
      ...of_affiliate,
      email: SECRET,
      paid_on: new Date(),
      note: "",
      payment_known: false,
      created_at: times.created_at,
    })}`;
    await sql`insert into payout_holds ${sql({
      organization_id,
      affiliate_id,
      reason: SECRET,
      held_by: "operator",
      held_at: times.created_at,
    })}`;
    await sql`insert into payout_email_changes ${sql({
      ...of_affiliate,
      ...times,
      session_id: of_affiliate.id,
      email: SECRET,
    })}`;
    await sql`insert into mails ${sql({
      ...of_affiliate,
      kind: "affiliate_approved",
      about: affiliate_id,
      state: "sent",
      due_at: null,
      finished_at: new Date(),
    })}`;
    await sql`
      insert into adjustments (organization_id, id, affiliate_id, currency, amount_minor, reason, voided, created_at)
      values (${organization_id}, ${newId(times.created_at)}, ${affiliate_id}, 'USD', 1, 'Bonus', true, ${times.created_at})`;
    await sql`insert into portal_accounts ${sql({ email: SECRET, language: "en" })}`;
    const code = { browser_hash: hash, link_hash: hash, mailed: true, organization_id, campaign_id };
    await sql`insert into portal_codes ${sql({ ...of_address, ...times, ...code })}`;
    const session = { token_hash: hash, updated_at: times.created_at };
    await sql`insert into portal_sessions ${sql({ ...of_address, ...times, ...session })}`;
  });
}

/** Sets all columns of the table's only rows. */
async function fill(columns: readonly string[]): Promise<void> {
  await withoutTriggers(test.database, async (sql) => {
    for (const [table, names] of byTable(columns)) {
      const types = await sql<{ name: string; type: string }[]>`
        select attname as name, atttypid::regtype::text as type from pg_attribute
        where attrelid = ${table}::regclass and attname = any (${names}::text[])`;
      const sets = types.map(({ name, type }) => {
        // An affiliate has several codes, each of them once.
        if (table === "affiliate_codes" && name === "code") return `${name} = '${SECRET}' || id`;
        if (type === "text") return `${name} = '${SECRET}'`;
        return type === "text[]" ? `${name} = array['${SECRET}']` : `${name} = '[{"value": "${SECRET}"}]'`;
      });
      const banned = table === "affiliates" ? ", banned = true" : "";
      await sql.unsafe(`update ${table} set ${sets.join(", ")}${banned}`);
    }
  });
}

function byTable(columns: readonly string[]): [string, string[]][] {
  const tables = groupBy(columns, (column) => column.split(".")[0] ?? "");
  return [...tables].map(([table, all]) => [table, all.map((column) => column.split(".")[1] ?? "")]);
}

/** Those of the columns that have the secret. */
async function withSecret(columns: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const column of columns) {
    const [table, name] = column.split(".");
    const rows = await test.database.unsafe(
      `select from ${table} where ${name}::text like '%${SECRET}%' limit 1`,
    );
    if (rows.length > 0) found.push(column);
  }
  return found;
}

it("empties each column that is not listed", async () => {
  const all = await columnsOfPeople();
  const kept = Object.values(KEPT).flat();
  expect(kept.filter((column) => !all.includes(column))).toEqual([]);
  const personal = all.filter((column) => !kept.includes(column));
  const context = await makePayoutContext(test.database);
  const jane = await addJane(context);
  await addRows(context.organization.id, jane);
  await fill(personal);
  expect(await withSecret(personal)).toEqual(personal);
  await eraseAffiliate(context, jane.affiliate_id);
  expect(await withSecret(personal)).toEqual([]);
});
