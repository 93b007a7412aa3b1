import { connect, type Database } from "../../src/postgres/connect.ts";
import { FULL_TESTS } from "../full-tests.ts";
import { type Call, FaultyPostgres } from "./faulty-postgres.ts";
import type { FaultKind } from "./kinds.ts";

/**
 * The faults that cut the connection before or after the call takes effect. The short form leaves out calls
 * that never took effect: nothing has changed then, as after any other error. Code tends to forget the lost
 * answer of a commit.
 */
export const LOST_ANSWERS: readonly FaultKind[] = FULL_TESTS ? ["cut_before", "cut_after"] : ["cut_after"];

/**
 * The short form fails each call that takes effect by itself, and of the others, which are undone with their transaction or only read,
 * one of this many; fewer where an attempt takes long.
 */
const EVERY = FULL_TESTS ? 1 : 12;
export const LONG_TESTS_EVERY = FULL_TESTS ? 1 : 24;

const COMMITS = /^\s*(commit|end)\b/i;
const READS_OR_BEGINS = /^\s*(select|begin|rollback|connect$)/i;

/** Whether what a call changes stays although its answer is lost. */
const takesEffect = ({ sql, in_transaction }: Call) =>
  in_transaction ? COMMITS.test(sql) : !READS_OR_BEGINS.test(sql);

/**
 * Runs an attempt repeatedly, each time on new connections to the database at this address. The first call of the first attempt fails,
 * then the next one that takes effect, or the one that is `every` calls later, and so on, until an attempt makes none of these; at
 * last its last one.
 *
 * @param attempt its second parameter is another number each time: that of the call that failed before, plus 1
 */
export async function failEachCall(
  url: string,
  kind: FaultKind,
  attempt: (database: Database, number: number, faulty: FaultyPostgres) => Promise<void>,
  { every = EVERY }: { every?: number } = {},
): Promise<void> {
  const faulty = await FaultyPostgres.before(url);
  /** Returns the number of the failed call, or null. */
  const failFrom = async (number: number, isFailing: (call: Call) => boolean) => {
    const database = connect({ url: faulty.url, poolSize: 5, prepare: true, name: "findersfee each call" });
    faulty.follow((call) => (faulty.failed.length === 0 && isFailing(call) ? kind : null));
    await attempt(database, number, faulty).finally(() => database.end({ timeout: 1 }));
    return faulty.failed[0]?.number ?? null;
  };
  try {
    let last = 0;
    const isNext = (call: Call) =>
      call.number > last && (last === 0 || takesEffect(call) || call.number >= last + every);
    for (;;) {
      const failed = await failFrom(last + 1, isNext);
      if (failed === null) break;
      last = failed;
    }
    const { calls } = faulty;
    // Not the number of the attempt before, in which no call failed.
    if (calls > last) await failFrom(calls + 1, ({ number }) => number === calls);
  } finally {
    await faulty.close();
  }
}
