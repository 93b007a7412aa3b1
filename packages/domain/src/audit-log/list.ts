import type { AuditEntry, ListAuditEntries } from "@findersfee/contract/audit-log";
import type { Page } from "@findersfee/contract/pages";
import { listAuditEntries as listRows } from "@findersfee/database/audit-log/entries";
import type { Context } from "../context.ts";
import { firstIdOf } from "../ids.ts";
import { idOf, pageOf } from "../pages.ts";
import { viewAuditEntry } from "./view.ts";

/** Audit log entries, newest first. */
export async function listAuditEntries(
  { database, organization }: Context,
  { limit, cursor, resource, resource_id, actor, from, until }: ListAuditEntries,
): Promise<Page<AuditEntry>> {
  const rows = await listRows(database, organization.id, {
    // Ids are in lower case, and so are processors' names.
    filter: { resource, resource_id: resource_id?.toLowerCase(), actor },
    range: {
      from_id: from === undefined ? null : firstIdOf(new Date(from)),
      below_id: lower(cursor?.toLowerCase(), until === undefined ? undefined : firstIdOf(new Date(until))),
      limit: limit + 1,
    },
  });
  return pageOf(rows, { limit, view: viewAuditEntry, cursorOf: idOf });
}

/** The smaller of two optional ids. */
function lower(one: string | undefined, other: string | undefined): string | null {
  if (one === undefined || other === undefined) return one ?? other ?? null;
  return one < other ? one : other;
}
