import { connect, type Database } from "../../src/postgres/connect.ts";
import { FULL_TESTS } from "../full-tests.ts";
import { FaultyPostgres, failNth } from "./faulty-postgres.ts";
import type { FaultKind } from "./kinds.ts";

/**
 * The faults that cut the connection before or after the call takes effect. The short form leaves out calls that never took effect:
 * nothing has changed then, as after any other error. A lost answer of a commit is what code forgets.
 */
export const LOST_ANSWERS: readonly FaultKind[] = FULL_TESTS ? ["cut_before", "cut_after"] : ["cut_after"];

/** Which calls fail: in the short form every second one, or every third one where an attempt takes long, and the last one. */
const EVERY = FULL_TESTS ? 1 : 2;
export const LONG_TESTS_EVERY = FULL_TESTS ? 1 : 3;

/**
 * Runs an attempt repeatedly, each time on new connections to the database at this address. The first call of the first
 * attempt fails, then the one that is `every` calls later, and so on, until an attempt makes fewer calls; at last its last one.
 */
export async function failEachCall(
  url: string,
  kind: FaultKind,
  attempt: (database: Database, number: number, faulty: FaultyPostgres) => Promise<void>,
  { every = EVERY }: { every?: number } = {},
): Promise<void> {
  const faulty = await FaultyPostgres.before(url);
  const failCall = async (number: number) => {
    const database = connect({ url: faulty.url, poolSize: 5, prepare: true, name: "findersfee each call" });
    faulty.follow(failNth(number, kind));
    await attempt(database, number, faulty).finally(() => database.end({ timeout: 1 }));
    return faulty.failed.length > 0;
  };
  try {
    let number = 1;
    while (await failCall(number)) number += every;
    const last = Math.min(faulty.calls, number - 1);
    if (last > Math.max(0, number - every)) await failCall(last);
  } finally {
    await faulty.close();
  }
}
