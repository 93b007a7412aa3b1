import { type AuditLogLine, auditLogLineSchema, type ReadAuditLog } from "@findersfee/contract/audit-log";
import {
  FEED_BEGINNING,
  type FeedPosition,
  type FeedRow,
  listAuditLogFeed,
} from "@findersfee/database/audit-log/feed";
import type { Context } from "../context.ts";
import { firstIdOf } from "../ids.ts";

/** The rows of a statement: few enough that any number of readers need little memory. */
const CHUNK = 500;

/**
 * The changes of an organization and the security events of its members, oldest first, a line of JSON each.
 * Every line has a cursor. A reader that continues after the last line misses none, even if a transaction
 * commits late. Read on demand; no connection is held between two chunks.
 */
export async function* readAuditLog(
  { database, organization }: Context,
  { after, created_after, limit }: ReadAuditLog,
): AsyncGenerator<string> {
  const from_id = created_after === undefined ? FEED_BEGINNING.id : firstIdOf(new Date(created_after));
  let position = positionOf(after);
  for (let left = limit; left > 0; ) {
    const wanted = Math.min(left, CHUNK);
    const rows = await listAuditLogFeed(database, organization.id, {
      after: position,
      from_id,
      limit: wanted,
    });
    if (rows.length > 0) yield rows.map((row) => `${JSON.stringify(viewLine(row))}\n`).join("");
    position = rows.at(-1) ?? position;
    left = rows.length < wanted ? 0 : left - rows.length;
  }
}

/** The position of a cursor; the beginning for an empty one. */
function positionOf(cursor: string): FeedPosition {
  const [position, id] = cursor.split(".");
  if (position === undefined || id === undefined) return FEED_BEGINNING;
  return { position: BigInt(position), id };
}

/** The fields of a change or of a security event; those of the other are left out. */
function viewLine({ position, created_at, last_at, ...row }: FeedRow): AuditLogLine {
  return auditLogLineSchema.parse({
    ...row,
    cursor: `${position}.${row.id}`,
    created_at: created_at.toISOString(),
    last_at: last_at?.toISOString() ?? null,
  });
}
