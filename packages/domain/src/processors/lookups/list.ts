import type { Page } from "@findersfee/contract/pages";
import type { ListLookups, ProcessorLookup } from "@findersfee/contract/processors/processors";
import {
  type LookupPosition,
  type LookupRow,
  listWaitingLookups,
} from "@findersfee/database/processors/lookups";
import type { Context } from "../../context.ts";
import { pageOf, readTimeCursor, timeCursor } from "../../pages.ts";

/** The lookups of the processor's API that payment facts wait for, longest waiting first. Errors: `invalid_request`. */
export async function listLookups(
  { database, organization }: Context,
  { purpose, limit, cursor }: ListLookups,
): Promise<Page<ProcessorLookup>> {
  const rows = await listWaitingLookups(database, organization.id, {
    purpose: purpose ?? null,
    after: cursor === undefined ? null : readCursor(cursor),
    limit: limit + 1,
  });
  return pageOf(rows, { limit, view: viewLookup, cursorOf });
}

function viewLookup(row: LookupRow): ProcessorLookup {
  const { kind, subject, purpose, object_id, account, failures, reason } = row;
  return {
    kind,
    subject,
    purpose,
    object_id,
    account,
    attempts: failures,
    error: reason,
    next_attempt_at: row.due_at?.toISOString() ?? null,
    waiting_since: row.wanted_at.toISOString(),
  };
}

function cursorOf({ wanted_at, kind, subject }: LookupRow): string {
  return timeCursor({ at: wanted_at, name: kind, id: subject });
}

function readCursor(cursor: string): LookupPosition {
  const { at, name, id } = readTimeCursor(cursor);
  return { wanted_at: at, kind: name, subject: id };
}
