import { type Connection, type Database, type Transaction, transaction } from "./connect.ts";
import { hasCode } from "./error-code.ts";

/*
 * Partitions are created and dropped while others read and write the table, so no statement here may wait for an ACCESS
 * EXCLUSIVE lock on it: all later statements would queue behind it. `create table … partition of` and
 * `drop table` of a partition need that lock; attaching and detaching concurrently take SHARE UPDATE EXCLUSIVE, which
 * does not conflict with reads and writes.
 *
 * Every step can fail or be interrupted. The next run finds unfinished steps in Postgres' catalogs.
 */

/** A table that is partitioned by range of one timestamp, by UTC day or month. */
export interface PartitionedTable {
  /** The parent's name. A partition's name adds its period: `attempts_2026_11_22`, `clicks_2026_11`. */
  name: string;
  period: "day" | "month";
  /** The number of future periods that have partitions: writes fail only after all runs have failed for that long. */
  ahead: number;
}

/** Attempts at deliveries. */
export const ATTEMPTS: PartitionedTable = { name: "attempts", period: "day", ahead: 10 };
/** Clicks on affiliates' links. */
export const CLICKS: PartitionedTable = { name: "clicks", period: "month", ahead: 3 };

interface Period {
  name: string;
  from: Date;
  to: Date;
}

interface Partition {
  /** Quoted if necessary. */
  name: string;
  from: Date;
  to: Date;
  /** A detach was started and not finished; reads and writes of the parent no longer include the partition. */
  is_detaching: boolean;
}

/** A step that failed; the next run retries it. */
export interface DeferredStep {
  partition: string;
  error: unknown;
}

/** Waiting for these locks blocks no reader or writer, but occupies a connection. */
const LOCK_TIMEOUT = "5s";

/** The comment that marks a detached partition for being dropped. Detached tables without it are never dropped. */
function dropMark({ name }: PartitionedTable): string {
  return `Findersfee drops this partition of ${name}`;
}

/**
 * Creates the partitions of the previous, the current and the future periods, starting with the current one, which is
 * needed at once.
 *
 * Takes no lock when all exist. Any number of processes may call it at the same time.
 */
export async function makePartitions(
  database: Database,
  table: PartitionedTable,
  { ahead = table.ahead, now = new Date() }: { ahead?: number; now?: Date } = {},
): Promise<void> {
  const partitions = await listPartitions(database, table);
  const offsets = [0, ...Array.from({ length: ahead }, (_, index) => index + 1), -1];
  for (const offset of offsets) {
    const period = periodOf(table, now, offset);
    if (partitions.some((partition) => covers(partition, period))) continue;
    await transaction(database, (sql) => makePartition(sql, table, period));
  }
}

/** SQLSTATE check_violation: raised, among others, for a row without a partition. */
const CHECK_VIOLATION = "23514";

/** Whether a row was rejected because its period has no partition yet. */
export function hasNoPartition(error: unknown): boolean {
  return hasCode(error, CHECK_VIOLATION);
}

/** Creates the current period's partition in the transaction of `sql`, if it is missing. */
export async function makePresentPartition(
  sql: Transaction,
  table: PartitionedTable,
  now = new Date(),
): Promise<void> {
  const period = periodOf(table, now, 0);
  const partitions = await listPartitions(sql, table);
  if (!partitions.some((partition) => covers(partition, period))) await makePartition(sql, table, period);
}

/** Whether the period of a moment has a partition. */
export async function hasPartition(database: Database, table: PartitionedTable, now: Date): Promise<boolean> {
  const period = periodOf(table, now, 0);
  return (await listPartitions(database, table)).some((partition) => covers(partition, period));
}

/** Counts the periods after the present one that have partitions without a gap before them. */
export async function countPartitionsAhead(
  sql: Connection,
  table: PartitionedTable,
  now = new Date(),
): Promise<number> {
  const partitions = await listPartitions(sql, table);
  const has = (offset: number) =>
    partitions.some((partition) => covers(partition, periodOf(table, now, offset)));
  let ahead = 0;
  while (has(ahead + 1)) ahead += 1;
  return ahead;
}

/**
 * Drops the partitions that ended at or before a moment, and finishes earlier drops. Returns the names of the dropped
 * partitions, and the steps that failed, as they do while a long transaction reads the table.
 *
 * The pool should have a statement limit: detaching waits for all transactions that use the table.
 */
export async function dropPartitions(
  database: Database,
  table: PartitionedTable,
  before: Date,
): Promise<{ dropped: string[]; deferred: DeferredStep[] }> {
  const deferred: DeferredStep[] = [];
  const attempt = async (partition: string, step: () => PromiseLike<unknown>): Promise<boolean> => {
    try {
      await step();
      return true;
    } catch (error) {
      deferred.push({ partition, error });
      return false;
    }
  };
  const partitions = await listPartitions(database, table);
  // Postgres detaches one partition of a table at a time: an unfinished detach blocks all others.
  for (const { name } of partitions.filter(({ is_detaching }) => is_detaching)) {
    if (!(await attempt(name, () => detach(database, table, { name, how: "finalize" })))) break;
  }
  const old = partitions.filter(({ to, is_detaching }) => to <= before && !is_detaching);
  for (const { name } of deferred.length > 0 ? [] : old) {
    const detached = await attempt(name, async () => {
      await database.unsafe(`comment on table ${name} is '${dropMark(table)}'`);
      await detach(database, table, { name, how: "concurrently" });
    });
    if (!detached) break;
  }
  const dropped: string[] = [];
  for (const name of await listDetached(database, table)) {
    if (await attempt(name, () => transaction(database, (sql) => dropTable(sql, name)))) dropped.push(name);
  }
  return { dropped, deferred };
}

/** Creates and attaches the table of a period, in one transaction. */
async function makePartition(sql: Transaction, table: PartitionedTable, period: Period): Promise<void> {
  await limitLockWaits(sql);
  // Serializes processes with the lock that attaching needs anyway. The next statement sees the last holder's changes.
  await sql.unsafe(`lock table only ${table.name} in share update exclusive mode`);
  const partitions = await listPartitions(sql, table);
  if (partitions.some((partition) => covers(partition, period))) return;
  const { name, from, to } = period;
  await sql.unsafe(`create table if not exists ${name} (like ${table.name} including all)`);
  // The existing table may have been detached and marked, but not dropped yet.
  await sql.unsafe(`comment on table ${name} is null`);
  await sql.unsafe(`
    alter table ${table.name} attach partition ${name}
      for values from ('${from.toISOString()}') to ('${to.toISOString()}')`);
}

/** Runs outside of a transaction: detaching concurrently requires that. */
async function detach(
  database: Database,
  table: PartitionedTable,
  { name, how }: { name: string; how: "concurrently" | "finalize" },
): Promise<void> {
  await database.unsafe(`alter table ${table.name} detach partition ${name} ${how}`);
}

async function dropTable(sql: Transaction, name: string): Promise<void> {
  await limitLockWaits(sql);
  await sql.unsafe(`drop table if exists ${name}`);
}

async function limitLockWaits(sql: Transaction): Promise<void> {
  await sql`select set_config('lock_timeout', ${LOCK_TIMEOUT}, true)`;
}

/** Returns the attached partitions by their bounds, without those that are unbounded on one side. */
async function listPartitions(sql: Connection, { name }: PartitionedTable): Promise<Partition[]> {
  return await sql<Partition[]>`
    select partition.oid::regclass::text as name, bound[1]::timestamptz as from, bound[2]::timestamptz as to,
      inhdetachpending as is_detaching
    from pg_inherits
    join pg_class partition on partition.oid = inhrelid
    cross join lateral regexp_match(
      pg_get_expr(relpartbound, partition.oid), 'FROM \\(''([^'']+)''\\) TO \\(''([^'']+)''\\)') as bound
    where inhparent = ${name}::regclass and bound is not null
    order by 2`;
}

/** Returns detached tables that are marked for being dropped. */
async function listDetached(sql: Database, table: PartitionedTable): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select detached.oid::regclass::text as name
    from pg_description
    join pg_class detached on detached.oid = objoid
    where classoid = 'pg_class'::regclass and objsubid = 0 and description = ${dropMark(table)}
      and detached.relkind = 'r' and not detached.relispartition
      and detached.relnamespace = (select relnamespace from pg_class where oid = ${table.name}::regclass)
    order by 1`;
  return rows.map(({ name }) => name);
}

function covers(partition: Partition, period: Period): boolean {
  return !partition.is_detaching && partition.from <= period.from && partition.to >= period.to;
}

/** Returns the period that is `offset` periods after the one of a moment, in UTC. */
function periodOf({ name, period }: PartitionedTable, moment: Date, offset: number): Period {
  const begin = (further: number) =>
    period === "day"
      ? new Date(Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth(), moment.getUTCDate() + further))
      : new Date(Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth() + further));
  const from = begin(offset);
  const date = from.toISOString().slice(0, period === "day" ? 10 : 7);
  return { name: `${name}_${date.replaceAll("-", "_")}`, from, to: begin(offset + 1) };
}
