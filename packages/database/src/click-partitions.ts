import type { Connection } from "./connect.ts";
import { hasCode } from "./error-code.ts";

/** Makes the partitions of the month before and of so many months from this one on. */
export async function makeClickPartitions(sql: Connection, months: number, now = new Date()): Promise<void> {
  for (let month = -1; month < months; month++) {
    const from = monthFrom(now, month);
    const to = monthFrom(now, month + 1);
    // Several processes may do it at once; `if not exists` alone would let one of them fail.
    await sql.unsafe(`
      do $$ begin
        create table if not exists ${partitionName(from)} partition of clicks
          for values from ('${from.toISOString()}') to ('${to.toISOString()}');
      exception when duplicate_table or unique_violation then null;
      end $$`);
  }
}

/** Drops the partitions of the months that ended before; returns their names. */
export async function dropClickPartitions(sql: Connection, before: Date): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select inhrelid::regclass::text as name from pg_inherits where inhparent = 'clicks'::regclass`;
  const oldest_kept = partitionName(monthFrom(before, 0));
  const old = rows.map(({ name }) => name).filter((name) => name < oldest_kept);
  for (const name of old) await sql.unsafe(`drop table if exists ${name}`);
  return old;
}

/** The beginning of a month in UTC, so many months from the one of a moment. */
function monthFrom(moment: Date, months: number): Date {
  return new Date(Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth() + months));
}

function partitionName(month: Date): string {
  return `clicks_${month.toISOString().slice(0, 7).replace("-", "_")}`;
}

/** SQLSTATE check_violation: among others, that a row belongs to no partition. */
const CHECK_VIOLATION = "23514";

/** Whether a click could not be written because its month has no partition yet. */
export function hasNoPartition(error: unknown): boolean {
  return hasCode(error, CHECK_VIOLATION);
}
