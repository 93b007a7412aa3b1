import type { Page } from "@findersfee/contract/pages";
import {
  type ListProcessorMessages,
  processorNames,
  type StoredMessage,
} from "@findersfee/contract/processors";
import {
  listMessages,
  type MessagePosition,
  type MessageSummaryRow,
} from "@findersfee/database/processor-messages";
import type { Context } from "../../context.ts";
import { invalidField } from "../../errors.ts";
import { viewStoredMessage } from "./view.ts";

/** The processors' messages, newest first. */
export async function listProcessorMessages(
  { database, organization }: Context,
  { processor, state, type, limit, cursor }: ListProcessorMessages,
): Promise<Page<StoredMessage>> {
  const rows = await listMessages(database, organization.id, {
    processor: processor ?? null,
    state: state ?? null,
    type: type ?? null,
    below: cursor === undefined ? null : readCursor(cursor),
    limit: limit + 1,
  });
  const has_more = rows.length > limit;
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    data: shown.map(viewStoredMessage),
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

function writeCursor({ received_at, processor, id }: MessageSummaryRow): string {
  return `${received_at.getTime()}.${processor}.${id}`;
}

function readCursor(cursor: string): MessagePosition {
  const [, time = "", name, id = ""] = /^([0-9]{1,14})\.([a-z]+)\.([\x21-\x7e]{1,255})$/.exec(cursor) ?? [];
  const processor = processorNames.find((known) => known === name);
  if (processor === undefined) {
    throw invalidField("cursor", "Must be a next_cursor that a list answered with.");
  }
  return { received_at: new Date(Number(time)), processor, id };
}
