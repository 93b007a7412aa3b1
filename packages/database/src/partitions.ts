import { type Database, type Transaction, transaction } from "./connect.ts";
import { hasCode } from "./error-code.ts";

/*
 * Partitions are made and dropped while others read and write the table, so no statement here may wait for an ACCESS
 * EXCLUSIVE lock on it: everything that arrives later would queue behind the wait. `create table … partition of` and
 * `drop table` of a partition need that lock; attaching and detaching concurrently take SHARE UPDATE EXCLUSIVE, which
 * goes with reads and writes.
 *
 * Every step can fail or be interrupted. The next run finds unfinished steps in Postgres' catalogs.
 */

/** A table that is partitioned by range of one timestamp, a UTC day or month each. */
export interface PartitionedTable {
  /** Of the parent; a partition's name is this and its period: `attempts_2026_11_22`, `clicks_2026_11`. */
  name: string;
  period: "day" | "month";
  /** Periods after this one for which partitions are made: so long may every run fail before a write does. */
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
  /** Quoted where it must be. */
  name: string;
  from: Date;
  to: Date;
  /** A detach of it was begun and not finished; it is no longer read or written through the parent. */
  is_detaching: boolean;
}

/** A step that failed; the next run takes it up. */
export interface DeferredStep {
  partition: string;
  error: unknown;
}

/** Waiting for these locks blocks no reader or writer, but a connection. */
const LOCK_TIMEOUT = "5s";

/** The comment of a partition that is being dropped: a detached table with it is ours to drop, any other is not. */
function dropMark({ name }: PartitionedTable): string {
  return `Findersfee drops this partition of ${name}`;
}

/**
 * Makes the partitions of the period before, this one, and those ahead. The present one comes first: it is needed at
 * once.
 *
 * Takes no lock when all are there. Any number of processes may do it at the same time.
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

/** SQLSTATE check_violation: among others, that a row belongs to no partition. */
const CHECK_VIOLATION = "23514";

/** Whether a row could not be written because its period has no partition yet. */
export function hasNoPartition(error: unknown): boolean {
  return hasCode(error, CHECK_VIOLATION);
}

/** Makes the present period's partition in the transaction of `sql`, should it be missing. */
export async function makePresentPartition(
  sql: Transaction,
  table: PartitionedTable,
  now = new Date(),
): Promise<void> {
  const period = periodOf(table, now, 0);
  const partitions = await listPartitions(sql, table);
  if (!partitions.some((partition) => covers(partition, period))) await makePartition(sql, table, period);
}

/** Whether rows of this moment can be written. */
export async function hasPartition(database: Database, table: PartitionedTable, now: Date): Promise<boolean> {
  const period = periodOf(table, now, 0);
  return (await listPartitions(database, table)).some((partition) => covers(partition, period));
}

/**
 * Drops the partitions that ended at or before a moment, and what an earlier run left of such ones. Returns the names
 * of those that are gone, and the steps that failed, as they do while somebody reads the table for long.
 *
 * The database should limit its statements: detaching waits for all transactions that use the table.
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
  // Postgres detaches one partition of a table at a time: an unfinished one would stop all others.
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

/** Makes the table of a period and attaches it, in one transaction: it exists as a whole or not at all. */
async function makePartition(sql: Transaction, table: PartitionedTable, period: Period): Promise<void> {
  await limitLockWaits(sql);
  // Processes take turns by this lock, which attaching needs anyway. The next statement sees what the last one did.
  await sql.unsafe(`lock table only ${table.name} in share update exclusive mode`);
  const partitions = await listPartitions(sql, table);
  if (partitions.some((partition) => covers(partition, period))) return;
  const { name, from, to } = period;
  await sql.unsafe(`create table if not exists ${name} (like ${table.name} including all)`);
  // An earlier one may have been detached to be dropped, and not dropped yet.
  await sql.unsafe(`comment on table ${name} is null`);
  await sql.unsafe(`
    alter table ${table.name} attach partition ${name}
      for values from ('${from.toISOString()}') to ('${to.toISOString()}')`);
}

/** Runs alone: detaching concurrently cannot be part of a transaction. */
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

/** The partitions that are attached, by their bounds; those that are open to one side are left out. */
async function listPartitions(sql: Database | Transaction, { name }: PartitionedTable): Promise<Partition[]> {
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

/** The tables that were partitions, and were detached to be dropped. */
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

/** The period that is so many after the one of a moment, in UTC. */
function periodOf({ name, period }: PartitionedTable, moment: Date, offset: number): Period {
  const begin = (further: number) =>
    period === "day"
      ? new Date(Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth(), moment.getUTCDate() + further))
      : new Date(Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth() + further));
  const from = begin(offset);
  const date = from.toISOString().slice(0, period === "day" ? 10 : 7);
  return { name: `${name}_${date.replaceAll("-", "_")}`, from, to: begin(offset + 1) };
}
