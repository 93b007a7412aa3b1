import type { Connection } from "./connect.ts";
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
  { started_at }: Pick<Reading, "started_at">,
): Promise<void> {
  await sql`
    update processors set reconciled_at = reconcile_started_at, reconcile_started_at = null,
      reconcile_since = null, reconcile_after = null
    where organization_id = ${organization_id} and name = ${name} and reconcile_started_at = ${started_at}`;
}
