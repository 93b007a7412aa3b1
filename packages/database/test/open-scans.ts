import type { Database } from "../src/postgres/connect.ts";

/** A statement that reads a table of organizations without the organization. */
export interface OpenScan {
  table: string;
  statement: string;
}

interface Plan {
  "Relation Name"?: string;
  "Index Cond"?: string;
  "Recheck Cond"?: string;
  Filter?: string;
  "Join Filter"?: string;
  Alias?: string;
  "Subplan Name"?: string;
  Output?: string[];
  Plans?: Plan[];
}

/** Tables that a sender's secret, or a name of the whole service, finds a row of before its organization is known. */
const FOUND_WITHOUT = ["api_keys", "portal_tokens", "invitations", "released_names", "sign_in_domains"];

/**
 * Statements that come at any moment beside those of a request: the API deletes expired keys of all organizations each minute, and reads
 * a session again after some seconds, with all organizations of its person.
 */
const AT_ANY_MOMENT = /^\s*(delete from idempotency_keys|select session\.id, session\.user_id)\b/;

/**
 * Returns the scans of these statements that no condition confines to an organization, by their plans without values. Joins are nested
 * loops, so that each scan shows its own conditions.
 */
export async function openScans(database: Database, statements: Iterable<string>): Promise<OpenScan[]> {
  const tables = new Set(await tablesOfOrganizations(database));
  const found: OpenScan[] = [];
  await database.begin(async (sql) => {
    await sql`set local enable_hashjoin = off`;
    await sql`set local enable_mergejoin = off`;
    await sql`set local enable_material = off`;
    for (const statement of statements) {
      if (!isPlanned(statement)) continue;
      const [row] = await sql.unsafe<{ "QUERY PLAN": { Plan: Plan }[] }[]>(
        `explain (generic_plan, verbose, format json) ${statement}`,
      );
      for (const { Plan: plan } of row?.["QUERY PLAN"] ?? []) {
        for (const table of openIn(plan, tables)) found.push({ table, statement });
      }
    }
  });
  return found.filter(({ table }) => !FOUND_WITHOUT.includes(table));
}

function isPlanned(statement: string): boolean {
  return !AT_ANY_MOMENT.test(statement) && /^\s*(select|with|insert|update|delete)\b/i.test(statement);
}

/** `joined` is the condition of the loop around a scan. */
function openIn(plan: Plan, tables: ReadonlySet<string>, joined = ""): string[] {
  const { "Relation Name": table = "", Alias: alias, "Subplan Name": subplan, Plans: inner = [] } = plan;
  const conditions = [plan["Index Cond"], plan["Recheck Cond"], plan.Filter].join(" ");
  // A subplan without parameters is read once, and its rows are compared with those of its statement.
  const compared = subplan === undefined ? "" : (plan.Output ?? []).join(" ");
  const is_confined =
    /\borganization_id\b/.test(conditions + compared) || joined.includes(`${alias}.organization_id`);
  const is_open = tables.has(table) && inner.length === 0 && !is_confined;
  return [...(is_open ? [table] : []), ...inner.flatMap((one) => openIn(one, tables, plan["Join Filter"]))];
}

async function tablesOfOrganizations(database: Database): Promise<string[]> {
  const rows = await database<{ name: string }[]>`
    select distinct class.relname as name from pg_class class
    join pg_attribute on attrelid = class.oid and attname = 'organization_id'
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`;
  return rows.map(({ name }) => name);
}
