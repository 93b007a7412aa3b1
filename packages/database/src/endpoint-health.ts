import { type Connection, type Database, transaction } from "./connect.ts";
import { statement } from "./statement.ts";

interface EndpointKey {
  organization_id: string;
  endpoint_id: string;
}

const TAKE_PROBE = statement<object, "organization_id" | "endpoint_id" | "next_probe_at">(`
  update endpoint_health set line_due_at = :next_probe_at::timestamptz
  where organization_id = :organization_id::uuid and endpoint_id = :endpoint_id::uuid
    and (line_due_at is null or line_due_at <= now())
  returning 1 as taken`);

/** True for one worker: the others leave the failing endpoint alone until `next_probe_at`. */
export async function takeProbe(
  sql: Connection,
  { organization_id, endpoint_id }: EndpointKey,
  next_probe_at: Date,
): Promise<boolean> {
  return (await TAKE_PROBE.run(sql, { organization_id, endpoint_id, next_probe_at })).length > 0;
}

const TAKE_LINES = statement<EndpointKey & { failures: number }, "limit" | "look_again_at">(`
  with due as materialized (
    select organization_id, endpoint_id from endpoint_health
    where line_due_at <= now() order by line_due_at limit :limit::int for update skip locked
  )
  update endpoint_health health set line_due_at = :look_again_at::timestamptz
  from due
  where health.organization_id = due.organization_id and health.endpoint_id = due.endpoint_id
  returning health.organization_id, health.endpoint_id, health.failures`);

/** Lines that are to be looked at; for other workers they are not until `look_again_at`. */
export function takeLines(
  sql: Connection,
  { limit, look_again_at }: { limit: number; look_again_at: Date },
): Promise<(EndpointKey & { failures: number })[]> {
  return TAKE_LINES.run(sql, { limit, look_again_at });
}

const LOOK_AGAIN = statement<object, "organization_id" | "endpoint_id" | "at">(`
  update endpoint_health set line_due_at = :at::timestamptz
  where organization_id = :organization_id::uuid and endpoint_id = :endpoint_id::uuid`);

/** Says when the endpoint's line is to be looked at again. */
export async function lookAgain(
  sql: Connection,
  { organization_id, endpoint_id }: EndpointKey,
  at: Date,
): Promise<void> {
  await LOOK_AGAIN.run(sql, { organization_id, endpoint_id, at });
}

/**
 * Takes an endpoint's line away if nothing waits in it. Two statements: who puts something into the line
 * locks the same row, so the second one's snapshot sees it, or it finds the line gone and makes it again.
 */
export async function endLine(
  database: Database,
  { organization_id, endpoint_id }: EndpointKey,
): Promise<void> {
  await transaction(database, async (sql) => {
    await sql`
      select from endpoint_health
      where organization_id = ${organization_id} and endpoint_id = ${endpoint_id} for update`;
    await sql`
      update endpoint_health set line_due_at = null
      where organization_id = ${organization_id} and endpoint_id = ${endpoint_id}
        and not exists (
          select from deliveries
          where organization_id = ${organization_id} and endpoint_id = ${endpoint_id} and state = 'waiting')`;
  });
}
