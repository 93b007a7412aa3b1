/*
 * Finds statements of migrations that keep others from a large table for as long as they read or write it. Each has a form that waits
 * for nobody, or for a moment only; docs/contributing/changes.md has them.
 */

/** Tables with a few rows for each organization, in which nobody notices. */
export const SMALL_TABLES: ReadonlySet<string> = new Set([
  "organizations",
  "campaigns",
  "commission_rule_sets",
  "users",
  "members",
  "saved_views",
  "endpoints",
  "api_keys",
  "processors",
  "payout_runs",
  "tier_evaluations",
  "total_seals",
  "backtests",
  "schema_migrations",
  "shards",
]);

interface Rule {
  /** The first group is the table. */
  finds: RegExp;
  unless?: RegExp;
  instead: string;
}

const RULES: readonly Rule[] = [
  {
    finds: /^create (?:unique )?index (?:if not exists )?\w+ on (?:only )?(\w+)/,
    instead: "create the index concurrently, in a file that runs outside of a transaction",
  },
  {
    finds: /^drop index (?!concurrently)(?:if exists )?(\w+)/,
    instead: "drop the index concurrently, in a file that runs outside of a transaction",
  },
  {
    finds: /^alter table (?:only )?(\w+)\b.*\badd (?:constraint \w+ )?(?:check|foreign key)\b/,
    unless: /\bnot valid\b/,
    instead: "add the constraint `not valid`, and validate it in the next file",
  },
  {
    finds: /^alter table (?:only )?(\w+)\b.*\badd (?:constraint \w+ )?(?:unique|primary key|exclude)\b/,
    unless: /\busing index\b/,
    instead: "create a unique index concurrently, and add the constraint with `using index`",
  },
  {
    finds: /^alter table (?:only )?(\w+)\b.*\balter (?:column )?\w+ (?:set data )?type\b/,
    instead: "add a column, write both, and let a job fill the rows",
  },
  {
    finds: /^alter table (?:only )?(\w+)\b.*\bset not null\b/,
    instead: "add a check that is not valid, validate it, and set the column not null in a later version",
  },
  {
    finds: /^alter table (?:only )?(\w+)\b.*\badd (?:column )?.*\b(?:generated always as|references)\b/,
    instead: "add a plain column, and its constraint `not valid`",
  },
  {
    finds:
      /^alter table (?:only )?(\w+)\b.*\badd (?:column )?.*\bdefault (?:\w+\.)?(?:gen_random_uuid|random|clock_timestamp|nextval)\(/,
    instead: "add the column without the default, which is computed for each row",
  },
  { finds: /^update (?:only )?(\w+)/, instead: "let a job change the rows, some at a time" },
  { finds: /^delete from (?:only )?(\w+)/, instead: "let a job delete the rows, some at a time" },
  {
    finds: /^(?:lock table|cluster|vacuum full|reindex(?! .*concurrently)) (\w+)/,
    instead: "nobody may wait for it",
  },
];

/** A statement that locks a table for long, and its replacement. */
export interface LockingStatement {
  statement: string;
  table: string;
  instead: string;
}

/** The statements of a migration that lock tables that can be large. Tables that it creates itself are empty. */
export function lockingStatements(sql: string): LockingStatement[] {
  const statements = statementsOf(sql);
  const created = new Set(
    statements.flatMap((statement) => /^create table (?:if not exists )?(\w+)/.exec(statement)?.[1] ?? []),
  );
  return statements.flatMap((statement) => {
    const [found] = RULES.flatMap(({ finds, unless, instead }) => {
      const table = finds.exec(statement)?.[1];
      if (table === undefined || created.has(table) || SMALL_TABLES.has(table)) return [];
      return unless?.test(statement) === true ? [] : { statement, table, instead };
    });
    return found ?? [];
  });
}

/** Without comments, each on one line; the bodies of functions are left out. */
function statementsOf(sql: string): string[] {
  return sql
    .replaceAll(/--.*$/gm, "")
    .replaceAll(/\$(\w*)\$[\s\S]*?\$\1\$/g, "''")
    .split(";")
    .map((statement) => statement.trim().replaceAll(/\s+/g, " ").toLowerCase())
    .filter((statement) => statement !== "");
}
