import type { Migration } from "../migrations.ts";
import { connectAlone, type Database } from "../postgres/connect.ts";

/*
 * Migrations that must not hold locks for long run outside of a transaction, a statement at a time. Each statement may be repeated: a
 * migration that was interrupted begins again. So only these are allowed.
 */

const CREATE_INDEX = /^create (?:unique )?index concurrently if not exists ([a-z0-9_]+)\s/;
const ALLOWED: readonly RegExp[] = [
  CREATE_INDEX,
  /^drop index concurrently if exists [a-z0-9_]+$/,
  /^alter table [a-z0-9_]+ validate constraint [a-z0-9_]+$/,
];

/** The statements of a migration, without comments. Errors: one that cannot be repeated. */
function repeatableStatements({ name, sql }: Pick<Migration, "name" | "sql">): string[] {
  const statements = sql
    .replaceAll(/--.*$/gm, "")
    .split(";")
    .map((statement) => statement.trim().replaceAll(/\s+/g, " "))
    .filter((statement) => statement !== "");
  for (const statement of statements) {
    if (ALLOWED.some((allowed) => allowed.test(statement))) continue;
    throw new Error(
      `${name} runs outside of a transaction, so it may only have \`create index concurrently if not exists\`, \`drop index concurrently if exists\` and \`alter table … validate constraint\`, and not: ${statement}`,
    );
  }
  return statements;
}

/** Runs the statements. One index after the other: a failed attempt leaves an index that is not valid, which is built again. */
export async function runOutsideTransaction(database: Database, migration: Migration): Promise<void> {
  const statements = repeatableStatements(migration);
  const sql = connectAlone(database);
  try {
    const [{ limit }] = await sql<[{ limit: string }]>`select current_setting('statement_timeout') as limit`;
    // A role's time limit is meant for the service's statements, not for migrations.
    if (limit !== "0") await sql`set statement_timeout = 0`;
    for (const statement of statements) {
      const index = CREATE_INDEX.exec(statement)?.[1];
      if (index !== undefined && (await isInvalid(sql, index))) {
        await sql.unsafe(`drop index concurrently if exists ${index}`);
      }
      await sql.unsafe(statement);
    }
    // A pooler gives the connection to others.
    if (limit !== "0") await sql`reset statement_timeout`;
  } finally {
    await sql.end({ timeout: 5 });
  }
}

async function isInvalid(sql: Database, index: string): Promise<boolean> {
  const rows = await sql`select from pg_index where indexrelid = to_regclass(${index}) and not indisvalid`;
  return rows.length > 0;
}
