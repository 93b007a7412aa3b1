import type { Database } from "../src/postgres/connect.ts";

/** Runs work and returns the statements that Postgres got for it, without those of transactions themselves. */
export async function statementsOf(database: Database, work: () => Promise<unknown>): Promise<string[]> {
  return (await withStatements(database, work))[1];
}

/** The same, after the work's result. */
export async function withStatements<Result>(
  database: Database,
  work: () => Promise<Result>,
): Promise<[Result, string[]]> {
  const statements: string[] = [];
  const { options } = database;
  const before = options.debug;
  options.debug = (_connection, query) => {
    if (!/^\s*(begin|commit|rollback|savepoint)\b/i.test(query)) statements.push(query);
  };
  try {
    return [await work(), statements];
  } finally {
    options.debug = before;
  }
}
