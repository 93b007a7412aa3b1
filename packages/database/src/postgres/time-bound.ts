import { type Database, type Transaction, transaction } from "./connect.ts";
import { isTimeLimit } from "./errors.ts";

/** Runs reads within a time for each. Null: a read took longer, and Postgres canceled it. */
export async function withinTime<Result>(
  database: Database,
  milliseconds: number,
  read: (sql: Transaction) => Promise<Result>,
): Promise<Result | null> {
  try {
    return await transaction(database, async (sql) => {
      await sql`select set_config('statement_timeout', ${String(milliseconds)}, true)`;
      return await read(sql);
    });
  } catch (error) {
    if (isTimeLimit(error)) return null;
    throw error;
  }
}
