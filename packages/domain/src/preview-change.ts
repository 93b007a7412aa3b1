import { type Database, type Transaction, transaction } from "@findersfee/database/postgres/connect";

/** Rolls back the transaction of a preview, and carries its result. */
class Preview<Result> extends Error {
  readonly result: Result;

  constructor(result: Result) {
    super("a preview is never committed");
    this.result = result;
  }
}

/** Runs a change in a transaction that is rolled back, and returns its result. */
export async function previewChange<Result>(
  database: Database,
  work: (sql: Transaction) => Promise<Result>,
): Promise<Result> {
  try {
    return await transaction(database, async (sql): Promise<never> => {
      throw new Preview(await work(sql));
    });
  } catch (error) {
    if (error instanceof Preview) return error.result;
    throw error;
  }
}
