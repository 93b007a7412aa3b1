import type { AuditEntry, ExportAuditLog, ListAuditEntries } from "@findersfee/contract/audit-log";
import type { Page } from "@findersfee/contract/pages";
import type { RowCount } from "@findersfee/contract/row-pages";
import {
  countAuditEntries as countListed,
  listAuditEntries as listRows,
} from "@findersfee/database/audit-log/entries";
import type { Context } from "../context.ts";
import { firstIdOf } from "../ids.ts";
import { idOf, pageOf } from "../pages.ts";
import { countRows } from "../row-counts.ts";
import { viewAuditEntry } from "./view.ts";

/** Audit log entries, newest first. */
export async function listAuditEntries(
  { database, organization }: Context,
  { limit, cursor, ...filters }: ListAuditEntries,
): Promise<Page<AuditEntry>> {
  const { filter, range } = matching(filters);
  const below_id = lower(cursor?.toLowerCase(), range.below_id ?? undefined);
  const rows = await listRows(database, organization.id, {
    filter,
    range: { ...range, below_id, limit: limit + 1 },
  });
  return pageOf(rows, { limit, view: viewAuditEntry, cursorOf: idOf });
}

/** The number of entries on all pages of the list. */
export async function countAuditEntries(context: Context, filters: ExportAuditLog): Promise<RowCount> {
  const { filter, range } = matching(filters);
  return await countRows(context, (sql, limit) =>
    countListed(sql, context.organization.id, { filter, range: { ...range, limit } }),
  );
}

function matching({ resource, resource_id, actor, from, until }: ExportAuditLog) {
  return {
    // Ids are in lower case, and so are processors' names.
    filter: { resource, resource_id: resource_id?.toLowerCase(), actor },
    range: {
      from_id: from === undefined ? null : firstIdOf(new Date(from)),
      below_id: until === undefined ? null : firstIdOf(new Date(until)),
    },
  };
}

/** The smaller of two optional ids. */
function lower(one: string | undefined, other: string | undefined): string | null {
  if (one === undefined || other === undefined) return one ?? other ?? null;
  return one < other ? one : other;
}
