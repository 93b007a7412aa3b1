import { type ExportAuditLog, exportAuditLogInput } from "@findersfee/contract/audit-log";
import { FEED_BEGINNING, type FeedRow, listAuditLogFeed } from "@findersfee/database/audit-log/feed";
import { z } from "zod";
import { EXPORT_PAGE } from "../csv/export-step.ts";
import { type Cell, writeLines } from "../csv/write-lines.ts";
import { firstIdOf } from "../ids.ts";
import type { JobKind } from "./jobs/kind.ts";

const HEADER = [
  "id",
  "type",
  "created",
  "actor",
  "actor_name",
  // Columns of changes.
  "resource",
  "resource_id",
  "resource_name",
  "action",
  "before",
  "after",
  "currency",
  // Columns of security events.
  "kind",
  "user_id",
  "user_name",
  "user_email",
  "detail",
  "ip_address",
  "user_agent",
  "times",
  "last",
];

/** The feed's position of the last row that was read; null: none was. JSON knows no bigint. */
const feedPosition = z.object({ position: z.string(), id: z.string() }).nullable();

/** The audit log of the list's filters as CSV, oldest first, with the security events of members, which only owners read. */
export const auditLogExport: JobKind<ExportAuditLog> = {
  input: exportAuditLogInput,
  file: "audit-log",
  file_role: "owner",
  async step({ sql, organization, input, position, done }) {
    const after = feedPosition.parse(position);
    const rows = await listAuditLogFeed(sql, organization.id, {
      after: after === null ? FEED_BEGINNING : { position: BigInt(after.position), id: after.id },
      from_id: input.from === undefined ? FEED_BEGINNING.id : firstIdOf(new Date(input.from)),
      limit: EXPORT_PAGE,
    });
    const lines = rows.filter((row) => isWanted(row, input)).map(lineOf);
    const last = rows.length < EXPORT_PAGE ? undefined : rows.at(-1);
    return {
      position: last === undefined ? null : { position: String(last.position), id: last.id },
      done: done + lines.length,
      content: writeLines(after === null ? [HEADER, ...lines] : lines),
    };
  },
};

/** A security event belongs to no resource, and to its person as well as to its actor. */
function isWanted(row: FeedRow, { resource, resource_id, actor, until }: ExportAuditLog): boolean {
  if (until !== undefined && row.created_at >= new Date(until)) return false;
  if (resource !== undefined && row.resource !== resource) return false;
  if (resource_id !== undefined && row.resource_id !== resource_id.toLowerCase()) return false;
  return actor === undefined || row.actor === actor || `user ${row.user_id}` === actor;
}

function lineOf(row: FeedRow): Cell[] {
  return [
    row.id,
    row.type,
    row.created_at.toISOString(),
    row.actor ?? "",
    row.actor_name ?? "",
    row.resource ?? "",
    row.resource_id ?? "",
    row.resource_name ?? "",
    row.action ?? "",
    row.before === null ? "" : JSON.stringify(row.before),
    row.after === null ? "" : JSON.stringify(row.after),
    row.currency ?? "",
    row.kind ?? "",
    row.user_id ?? "",
    row.user_name ?? "",
    row.user_email ?? "",
    row.detail ?? "",
    row.ip_address ?? "",
    row.user_agent ?? "",
    row.times === null ? "" : String(row.times),
    row.last_at?.toISOString() ?? "",
  ];
}
