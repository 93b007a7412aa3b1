import {
  type InboundWebhook,
  type ProcessorMessageId,
  type ProcessorName,
  processorNames,
} from "@findersfee/contract/processors/processors";
import { makeDeadLettersDue, makeMessageDue } from "@findersfee/database/processors/messages";
import { notifyWorkers } from "@findersfee/database/work/shards";
import type { Context } from "../../context.ts";
import { inTransaction } from "../../transaction.ts";
import { requireMessage } from "./get.ts";
import { viewInboundWebhook } from "./view.ts";

const STEP = 500;

/** Processes an inbound webhook again, regardless of its outcome. Errors: `not_found`. */
export async function rerunProcessorMessage(
  context: Context,
  key: ProcessorMessageId,
): Promise<InboundWebhook> {
  const organization_id = context.organization.id;
  return await inTransaction(context, async (sql) => {
    await requireMessage(sql, organization_id, key);
    await makeMessageDue(sql, organization_id, key);
    await notifyWorkers(sql, "inbound_webhooks", [organization_id]);
    return viewInboundWebhook(await requireMessage(sql, organization_id, key));
  });
}

/** Processes all dead-lettered webhooks again, in steps; returns how many there were. */
export async function rerunDeadLetteredMessages(
  context: Context,
  { processor }: { processor?: ProcessorName | undefined },
): Promise<{ messages: number }> {
  const organization_id = context.organization.id;
  for (let messages = 0; ; ) {
    const step = await inTransaction(context, async (sql) => {
      const due = await makeDeadLettersDue(sql, organization_id, {
        processors: processor === undefined ? processorNames : [processor],
        limit: STEP,
      });
      if (due > 0) await notifyWorkers(sql, "inbound_webhooks", [organization_id]);
      return due;
    });
    messages += step;
    if (step < STEP) return { messages };
  }
}
