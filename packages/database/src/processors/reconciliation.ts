import type { Connection } from "../postgres/connect.ts";
import type { ProcessorName } from "./processors.ts";

/** The progress of reading a processor's events, from the newest one back. */
export interface Reading {
  started_at: Date;
  since: Date;
  /** The id of the last event that was read; null: none yet. */
  after: string | null;
}

interface Key {
  organization_id: string;
  name: ProcessorName;
}

/**
 * Continues an unfinished reading that started after `not_before`, or starts a new one. Null:
 * the processor is no longer connected.
 */
export async function beginReading(
  sql: Connection,
  { organization_id, name }: Key,
  { now, since, not_before }: { now: Date; since: Date; not_before: Date },
): Promise<Reading | null> {
  const [row] = await sql<Reading[]>`
    update processors set
      reconcile_after = case when goes_on then reconcile_after end,
      reconcile_since = case when goes_on then reconcile_since else ${since}::timestamptz end,
      reconcile_started_at = case when goes_on then reconcile_started_at else ${now}::timestamptz end
    from (
      select coalesce(reconcile_started_at >= ${not_before} and reconcile_since <= ${since}, false) as goes_on
      from processors where organization_id = ${organization_id} and name = ${name} for update
    ) as reading
    where organization_id = ${organization_id} and name = ${name}
    returning reconcile_started_at as started_at, reconcile_since as since, reconcile_after as after`;
  return row ?? null;
}

export async function advanceReading(
  sql: Connection,
  { organization_id, name }: Key,
  { started_at, after }: Pick<Reading, "started_at" | "after">,
): Promise<void> {
  await sql`
    update processors set reconcile_after = ${after}
    where organization_id = ${organization_id} and name = ${name} and reconcile_started_at = ${started_at}`;
}

export async function endReading(
  sql: Connection,
  { organization_id, name }: Key,
  { started_at, events }: Pick<Reading, "started_at"> & { events: number },
): Promise<void> {
  await sql`
    update processors set reconciled_at = reconcile_started_at, reconciled_events = ${events},
      reconcile_started_at = null, reconcile_since = null, reconcile_after = null, reconcile_error = null
    where organization_id = ${organization_id} and name = ${name} and reconcile_started_at = ${started_at}`;
}

/** Records why a reading failed. The next one continues it. */
export async function failReading(
  sql: Connection,
  { organization_id, name }: Key,
  error: string,
): Promise<void> {
  await sql`
    update processors set reconcile_error = ${error} where organization_id = ${organization_id} and name = ${name}`;
}

/** Records that somebody asked for a reading. */
export async function requestReading(sql: Connection, { organization_id, name }: Key): Promise<void> {
  await sql`
    update processors set reconcile_requested_at = now(), reconcile_error = null
    where organization_id = ${organization_id} and name = ${name}`;
}

/** Returns when somebody asked for a reading that has not ended; null: nobody did. */
export async function findReadingRequest(
  sql: Connection,
  { organization_id, name }: Key,
): Promise<Date | null> {
  const [row] = await sql<[{ reconcile_requested_at: Date | null }?]>`
    select reconcile_requested_at from processors where organization_id = ${organization_id} and name = ${name}`;
  return row?.reconcile_requested_at ?? null;
}

/** Records that a requested reading has ended; a later request stays. */
export async function endReadingRequest(
  sql: Connection,
  { organization_id, name }: Key,
  requested_at: Date,
): Promise<void> {
  await sql`
    update processors set reconcile_requested_at = null
    where organization_id = ${organization_id} and name = ${name} and reconcile_requested_at <= ${requested_at}`;
}
