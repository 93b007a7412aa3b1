import {
  type MessageCounts,
  type ProcessorName,
  processorNames,
} from "@findersfee/contract/processors/processors";
import { countMessages } from "@findersfee/database/processors/messages";
import type { Context } from "../../context.ts";

const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;
const MAX_COUNTED = 1_000;

/** Inbound webhooks by state: those that wait or are dead-lettered, and the newest ones of the last day. */
export async function countProcessorMessages(
  { database, organization }: Context,
  { processor }: { processor?: ProcessorName | undefined },
): Promise<MessageCounts> {
  const row = await countMessages(database, organization.id, {
    processors: processor === undefined ? processorNames : [processor],
    since: new Date(Date.now() - DAY_MILLISECONDS),
    most: MAX_COUNTED,
  });
  return {
    received: row.received,
    parked: row.parked,
    last_day: {
      received: row.last_received,
      done: row.last_done,
      skipped: row.last_skipped,
      parked: row.last_parked,
    },
    most_counted: MAX_COUNTED,
  };
}
