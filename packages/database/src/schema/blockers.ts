import { setTimeout as delay } from "node:timers/promises";
import { type Connection, connectAlone, type Database } from "../postgres/connect.ts";

const LOOK_MILLISECONDS = 100;

/** A session of Postgres that a migration waits for. */
export interface Blocker {
  pid: number;
  /** The session's `application_name`, such as `psql` or `pg_dump`. */
  program: string;
  user: string;
  state: string;
  /** Since its transaction began. */
  seconds: number;
  /** The last statement, if this role may see it. */
  statement: string;
}

/**
 * Looks again and again, on a connection of its own, for the sessions that a backend waits for. `finish`
 * stops it and returns the last ones. A statement that takes no time is never looked at.
 */
export function watchBlockers(database: Database, pid: number): { finish: () => Promise<Blocker[]> } {
  const controller = new AbortController();
  // biome-ignore lint/plugin/swallowed-failure: blockers are only reported; a failed look must not end the migration
  const watching = watch(database, pid, controller.signal).catch(() => []);
  return {
    finish: async () => {
      controller.abort();
      return await watching;
    },
  };
}

async function watch(database: Database, pid: number, signal: AbortSignal): Promise<Blocker[]> {
  let last: Blocker[] = [];
  const aborted = new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
  await Promise.race([delay(LOOK_MILLISECONDS), aborted]);
  if (signal.aborted) return last;
  const sql = connectAlone(database);
  try {
    while (!signal.aborted) {
      const blockers = await listBlockers(sql, pid);
      if (blockers.length > 0) last = blockers;
      await Promise.race([delay(LOOK_MILLISECONDS), aborted]);
    }
    return last;
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/** The sessions that a backend waits for. */
async function listBlockers(sql: Connection, pid: number): Promise<Blocker[]> {
  return await sql<Blocker[]>`
    select pid, coalesce(application_name, '') as program, coalesce(usename, '') as user, coalesce(state, '') as state,
      coalesce(extract(epoch from now() - xact_start), 0)::int as seconds, left(coalesce(query, ''), 100) as statement
    from pg_stat_activity where pid = any (pg_blocking_pids(${pid})) order by xact_start`;
}

/** A sentence about the sessions that a migration waits for. */
export function describeBlockers(blockers: readonly Blocker[]): string {
  if (blockers.length === 0) return "another session, which has ended";
  return blockers
    .map(({ pid, program, user, state, seconds, statement }) => {
      const what = statement === "" ? "" : `: ${statement.replaceAll(/\s+/g, " ")}`;
      return `process ${pid} (${program || "no name"}, user ${user}, ${state}, its transaction began ${seconds} s ago${what})`;
    })
    .join(", ");
}
