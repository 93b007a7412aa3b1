import type { Page } from "@findersfee/contract/pages";
import {
  type InboundWebhook,
  type ListProcessorMessages,
  processorNames,
} from "@findersfee/contract/processors/processors";
import {
  findLastSearchedMessage,
  findMessageIds,
  listMessages,
  type MessageFilter,
  type MessagePosition,
} from "@findersfee/database/processors/messages";
import type { Context } from "../../context.ts";
import { invalidCursor, pageOf, readTimeCursor, timeCursor } from "../../pages.ts";
import { viewInboundWebhook } from "./view.ts";

/** The messages that one page searches for a type, or for a text that many ids begin with. */
const SEARCHED = 2_000;
/** Up to this many, ids with a text are looked up first. */
const FEW = 1_000;

/**
 * Inbound webhooks, newest first. A page that searches for a type, or for a text that many ids begin with, reads a limited
 * number of messages: it may have fewer than `limit`, or none, and still a `next_cursor`.
 */
export async function listProcessorMessages(
  { database, organization }: Context,
  { processor, text, received_from, received_until, limit, cursor, ...query }: ListProcessorMessages,
): Promise<Page<InboundWebhook>> {
  const processors = processor === undefined ? processorNames : [processor];
  const ids =
    text === undefined
      ? null
      : await findMessageIds(database, organization.id, { processors, prefix: text, most: FEW });
  const filter: MessageFilter = {
    ...query,
    processors,
    text: text === undefined ? undefined : { prefix: text, ids },
    received_from: received_from === undefined ? undefined : new Date(received_from),
    received_until: received_until === undefined ? undefined : new Date(received_until),
  };
  const below = cursor === undefined ? null : readCursor(cursor);
  const is_search = query.type !== undefined || (text !== undefined && ids === null);
  const searched = is_search ? SEARCHED : limit + 1;
  const range = { below, limit: limit + 1 };
  const rows = await listMessages(database, organization.id, { filter, range, searched });
  const page = pageOf(rows, { limit, view: viewInboundWebhook, cursorOf });
  if (!is_search || page.pagination.has_more) return page;
  const last = await findLastSearchedMessage(database, organization.id, { filter, below, searched });
  if (last === null) return page;
  return { ...page, pagination: { ...page.pagination, has_more: true, next_cursor: cursorOf(last) } };
}

function cursorOf({ received_at, processor, id }: MessagePosition): string {
  return timeCursor({ at: received_at, name: processor, id });
}

function readCursor(cursor: string): MessagePosition {
  const { at, name, id } = readTimeCursor(cursor);
  const processor = processorNames.find((known) => known === name);
  if (processor === undefined) throw invalidCursor();
  return { received_at: at, processor, id };
}
