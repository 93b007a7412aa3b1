import type { Connection } from "./connect.ts";

const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;

/** Makes the partitions of the day before and of so many days from now on. */
export async function makeAttemptPartitions(sql: Connection, days: number, now = new Date()): Promise<void> {
  for (let day = -1; day < days; day++) {
    const from = new Date(Math.floor(now.getTime() / DAY_MILLISECONDS + day) * DAY_MILLISECONDS);
    const to = new Date(from.getTime() + DAY_MILLISECONDS);
    // Several workers may do it at once; `if not exists` alone would let one of them fail.
    await sql.unsafe(`
      do $$ begin
        create table if not exists ${partitionName(from)} partition of attempts
          for values from ('${from.toISOString()}') to ('${to.toISOString()}');
      exception when duplicate_table or unique_violation then null;
      end $$`);
  }
}

/** Drops the partitions of the days that ended before; returns their names. */
export async function dropAttemptPartitions(sql: Connection, before: Date): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select inhrelid::regclass::text as name from pg_inherits where inhparent = 'attempts'::regclass`;
  const newest = partitionName(new Date(before.getTime() - DAY_MILLISECONDS));
  const old = rows.map(({ name }) => name).filter((name) => name <= newest);
  for (const name of old) await sql.unsafe(`drop table if exists ${name}`);
  return old;
}

function partitionName(day: Date): string {
  return `attempts_${day.toISOString().slice(0, 10).replaceAll("-", "_")}`;
}
