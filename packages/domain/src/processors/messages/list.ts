import type { Page } from "@findersfee/contract/pages";
import {
  type InboundWebhook,
  type ListProcessorMessages,
  processorNames,
} from "@findersfee/contract/processors";
import {
  listMessages,
  type MessagePosition,
  type MessageSummaryRow,
} from "@findersfee/database/processor-messages";
import type { Context } from "../../context.ts";
import { invalidCursor, pageOf, readTimeCursor, timeCursor } from "../../pages.ts";
import { viewInboundWebhook } from "./view.ts";

/** Inbound webhooks, newest first. */
export async function listProcessorMessages(
  { database, organization }: Context,
  { processor, state, type, received_from, received_until, limit, cursor }: ListProcessorMessages,
): Promise<Page<InboundWebhook>> {
  const rows = await listMessages(database, organization.id, {
    processor: processor ?? null,
    state: state ?? null,
    type: type ?? null,
    received_from: received_from === undefined ? undefined : new Date(received_from),
    received_until: received_until === undefined ? undefined : new Date(received_until),
    below: cursor === undefined ? null : readCursor(cursor),
    limit: limit + 1,
  });
  return pageOf(rows, { limit, view: viewInboundWebhook, cursorOf });
}

function cursorOf({ received_at, processor, id }: MessageSummaryRow): string {
  return timeCursor({ at: received_at, name: processor, id });
}

function readCursor(cursor: string): MessagePosition {
  const { at, name, id } = readTimeCursor(cursor);
  const processor = processorNames.find((known) => known === name);
  if (processor === undefined) throw invalidCursor();
  return { received_at: at, processor, id };
}
