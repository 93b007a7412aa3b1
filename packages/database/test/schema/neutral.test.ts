/*
 * Rules that cost nothing on one Postgres, and without which an organization could not be moved to another one later. Each exception
 * has its reason; a new one needs a better one.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../test-database.ts";

const SOURCES = join(import.meta.dirname, "../../src");

const RANDOM = "a hash of 256 random bits, by which the sender is found before its organization is known";

/** Unique indexes of tables of organizations without `organization_id`. */
const UNIQUE_EVERYWHERE: Record<string, string> = {
  api_keys_hash: RANDOM,
  invitations_token: RANDOM,
  portal_tokens_token: RANDOM,
  portal_codes_browser: RANDOM,
  portal_codes_link: RANDOM,
  portal_codes_pkey: "a code is of an address, which has no organization",
  counted_clicks_pkey:
    "unlogged, of the last hours, and a random visitor id; an organization's id would double its size",
  released_names_pkey: "names that the whole service shares: slugs and host names",
  sign_in_domains_proven: "a domain of the internet has one organization of the whole service",
};

/** Foreign keys of tables without `organization_id` to those of organizations. */
const TO_ORGANIZATIONS: Record<string, string> = {
  "portal_sessions (limited_to, affiliate_id) -> affiliates":
    "ends the session of a frame with its affiliate",
  "portal_sessions (limited_to) -> organizations": "ends the sessions at an organization's host name with it",
  "portal_sessions (limited_to, key_id) -> api_keys": "ends the sessions that a key opened with the key",
  "user_sessions (provider_organization_id) -> organizations":
    "ends the sessions of a provider with its organization",
};

/** Primary keys of tables of organizations that do not begin with it. */
const KEYED_OTHERWISE: Record<string, string> = {
  counted_clicks: "see above",
  portal_codes: "see above",
  released_names: "see above",
  sub_id_clicks: "partitions of a day are dropped as a whole",
  affiliate_networks: "partitions of a day are dropped as a whole",
};

/** Files that use `xmin` as the version of a row, which another server would change. */
const VERSIONS_BY_XMIN: Record<string, string> = {
  "portal/home.ts": "only tells an open page to ask again, which a move may do once",
  "webhooks/endpoints-to-send-to.ts":
    "compared within one attempt; another version records the attempt again",
  "webhooks/pending-deliveries.ts": "the same",
  "webhooks/endpoint-disabling.ts": "the same",
};

let test: TestDatabase;

beforeAll(async () => {
  test = await createTestDatabase();
});

afterAll(() => test.close());

interface Index {
  table: string;
  name: string;
  is_unique: boolean;
  is_primary: boolean;
  columns: string[];
}

/** The indexes of tables of organizations, with the columns of their keys. */
async function listIndexes(): Promise<Index[]> {
  return await test.database<Index[]>`
    select indrelid::regclass::text as "table", index_class.relname as name, indisunique as is_unique,
      indisprimary as is_primary,
      array(select pg_get_indexdef(indexrelid, number, false) from generate_series(1, indnkeyatts) number) as columns
    from pg_index
    join pg_class index_class on index_class.oid = indexrelid
    join pg_class class on class.oid = indrelid
    where class.relnamespace = 'public'::regnamespace and not class.relispartition and exists (
      select from pg_attribute where attrelid = class.oid and attname = 'organization_id')
    order by name`;
}

describe("an organization can be moved to another database", () => {
  it("keys and tokens are unique within it", async () => {
    const found = (await listIndexes())
      .filter(({ is_unique, columns }) => is_unique && !columns.includes("organization_id"))
      .map(({ name }) => name);
    expect(found).toEqual(Object.keys(UNIQUE_EVERYWHERE).sort());
  });

  it("feeds are read and ordered within it", async () => {
    const of_positions = (await listIndexes()).filter(({ columns }) => columns.includes('"position"'));
    const tables = new Set(of_positions.map(({ table }) => table));
    expect([...tables].sort()).toEqual(["audit_log_entries", "events", "member_security_events"]);
    for (const { name, columns } of of_positions) expect(columns[0], name).toBe("organization_id");
    // One clock for all, which `alignEventClock` raises: each would need its own before one is moved.
    const clocks = await test.database`select * from event_clock`;
    expect(clocks).toHaveLength(1);
  });

  it("nothing of people outside of organizations refers to it", async () => {
    const rows = await test.database<{ name: string }[]>`
      select referring.relname || ' ' || substring(pg_get_constraintdef(key.oid) from '\\(.*?\\)') || ' -> '
        || referred.relname as name
      from pg_constraint key
      join pg_class referring on referring.oid = conrelid
      join pg_class referred on referred.oid = confrelid
      where contype = 'f' and conparentid = 0 and referring.relname <> 'organizations'
        and not exists (
          select from pg_attribute where attrelid = conrelid and attname = 'organization_id')
        and (referred.relname = 'organizations' or exists (
          select from pg_attribute where attrelid = confrelid and attname = 'organization_id'))`;
    expect(rows.map(({ name }) => name).sort()).toEqual(Object.keys(TO_ORGANIZATIONS).sort());
  });

  it("its rows are found by it, in all of its tables", async () => {
    const found = (await listIndexes())
      .filter(({ is_primary, columns }) => is_primary && columns[0] !== "organization_id")
      .map(({ table }) => table)
      .sort();
    expect(found).toEqual(Object.keys(KEYED_OTHERWISE).sort());
  });

  it("versions of rows are columns", () => {
    const found = filesWith(/\b\w*\.?xmin::text\b/);
    expect(found).toEqual(Object.keys(VERSIONS_BY_XMIN).sort());
  });
});

/** The source files of statements that match. */
function filesWith(pattern: RegExp): string[] {
  return readdirSync(SOURCES, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && pattern.test(readFileSync(join(SOURCES, file), "utf8")))
    .sort();
}
