import { connect, type Database } from "../../src/postgres/connect.ts";
import { FULL_TESTS } from "../full-tests.ts";
import { FaultyPostgres, failNth } from "./faulty-postgres.ts";
import type { FaultKind } from "./kinds.ts";

/** The faults that cut the connection before or after the call takes effect. */
export const LOST_ANSWERS = ["cut_before", "cut_after"] as const satisfies readonly FaultKind[];

/**
 * Those of tests that take long. The short form leaves out calls that never took effect: nothing has changed then, as after
 * any other error. A lost answer of a commit is what code forgets.
 */
export const LONG_TESTS_LOST_ANSWERS: readonly FaultKind[] = FULL_TESTS ? LOST_ANSWERS : ["cut_after"];

/** Which calls fail in tests of which an attempt takes long: in the short form, every second one. */
export const LONG_TESTS_EVERY = FULL_TESTS ? 1 : 2;

/**
 * Runs an attempt repeatedly, each time on new connections to the database at this address. The first call of the first
 * attempt fails, the second call of the second one (or the one that is `every` calls later), and so on, until an attempt makes
 * fewer calls.
 */
export async function failEachCall(
  url: string,
  kind: FaultKind,
  attempt: (database: Database, number: number, faulty: FaultyPostgres) => Promise<void>,
  { every = 1 }: { every?: number } = {},
): Promise<void> {
  const faulty = await FaultyPostgres.before(url);
  try {
    for (let number = 1; number === 1 || faulty.failed.length > 0; number += every) {
      const database = connect({ url: faulty.url, poolSize: 5, prepare: true, name: "findersfee each call" });
      faulty.follow(failNth(number, kind));
      await attempt(database, number, faulty).finally(() => database.end({ timeout: 1 }));
    }
  } finally {
    await faulty.close();
  }
}
