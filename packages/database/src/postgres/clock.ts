import type { Connection } from "./connect.ts";

/**
 * A larger difference gives rows a wrong date: the process dates them, and statements compare them with the
 * database's time.
 */
const MAX_CLOCK_SECONDS = 60;

/** How far the clock of this process is ahead of the database's, in seconds, but for half of the time that the answer took. */
export async function clockOffset(sql: Connection): Promise<number> {
  const asked_at = Date.now();
  const started = performance.now();
  const [{ now }] = await sql<[{ now: number }]>`select extract(epoch from clock_timestamp())::float8 as now`;
  const half = (performance.now() - started) / 2;
  return (asked_at + half) / 1000 - now;
}

/** How the clock of this machine is wrong, as a sentence for an operator; null: it is like the database's. */
export async function describeWrongClock(sql: Connection): Promise<string | null> {
  const seconds = Math.round(await clockOffset(sql));
  if (Math.abs(seconds) <= MAX_CLOCK_SECONDS) return null;
  return `The clock of this machine is ${Math.abs(seconds)} s ${seconds > 0 ? "ahead of" : "behind"} the database's.`;
}
