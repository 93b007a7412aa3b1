import type { Page } from "@findersfee/contract/pages";
import type { ListLookups, ProcessorLookup } from "@findersfee/contract/processors";
import { type LookupPosition, type LookupRow, listWaitingLookups } from "@findersfee/database/lookups";
import type { Context } from "../../context.ts";
import { invalidField } from "../../errors.ts";

/** What waits for data of the processor's API, the longest waiting first. Errors: `invalid_request`. */
export async function listLookups(
  { database, organization }: Context,
  { purpose, limit, cursor }: ListLookups,
): Promise<Page<ProcessorLookup>> {
  const rows = await listWaitingLookups(database, organization.id, {
    purpose: purpose ?? null,
    after: cursor === undefined ? null : readCursor(cursor),
    limit: limit + 1,
  });
  const has_more = rows.length > limit;
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    data: shown.map(viewLookup),
    pagination: {
      page: null,
      limit,
      total_count: null,
      total_pages: null,
      has_more,
      next_cursor: has_more && last !== undefined ? writeCursor(last) : null,
    },
  };
}

function viewLookup(row: LookupRow): ProcessorLookup {
  const { kind, subject, purpose, object_id, account, attempts, error } = row;
  return {
    kind,
    subject,
    purpose,
    object_id,
    account,
    attempts,
    error,
    next_attempt_at: row.due_at?.toISOString() ?? null,
    waiting_since: row.wanted_at.toISOString(),
  };
}

function writeCursor({ wanted_at, kind, subject }: LookupRow): string {
  return `${wanted_at.getTime()}.${kind}.${subject}`;
}

function readCursor(cursor: string): LookupPosition {
  const [, time, kind, subject] = /^([0-9]{1,14})\.([a-z_]{1,20})\.(.{1,512})$/s.exec(cursor) ?? [];
  if (time === undefined || kind === undefined || subject === undefined) {
    throw invalidField("cursor", "Must be a next_cursor that a list answered with.");
  }
  return { wanted_at: new Date(Number(time)), kind, subject };
}
