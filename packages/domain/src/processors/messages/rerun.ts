import type { ProcessorMessageId, ProcessorName, StoredMessage } from "@findersfee/contract/processors";
import { makeDeadLettersDue, makeMessageDue } from "@findersfee/database/processor-messages";
import { notifyWorkers } from "@findersfee/database/shards";
import { change } from "../../change.ts";
import type { Context } from "../../context.ts";
import { requireMessage } from "./get.ts";
import { viewStoredMessage } from "./view.ts";

const STEP = 500;

/** Processes an inbound webhook again, regardless of its outcome. Errors: `not_found`. */
export async function rerunProcessorMessage(
  context: Context,
  key: ProcessorMessageId,
): Promise<StoredMessage> {
  const organization_id = context.organization.id;
  return await change(context, async (sql) => {
    await requireMessage(sql, organization_id, key);
    await makeMessageDue(sql, organization_id, key);
    await notifyWorkers(sql, "inbound_webhooks", [organization_id]);
    return viewStoredMessage(await requireMessage(sql, organization_id, key));
  });
}

/** Processes all dead-lettered webhooks again, in steps; returns how many there were. */
export async function rerunDeadLetteredMessages(
  context: Context,
  { processor }: { processor?: ProcessorName | undefined },
): Promise<{ messages: number }> {
  const organization_id = context.organization.id;
  for (let messages = 0; ; ) {
    const step = await change(context, async (sql) => {
      const due = await makeDeadLettersDue(sql, organization_id, {
        processor: processor ?? null,
        limit: STEP,
      });
      if (due > 0) await notifyWorkers(sql, "inbound_webhooks", [organization_id]);
      return due;
    });
    messages += step;
    if (step < STEP) return { messages };
  }
}
