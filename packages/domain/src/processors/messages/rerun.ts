import type { ProcessorMessageId, ProcessorName, StoredMessage } from "@findersfee/contract/processors";
import { makeMessageDue, makeParkedDue } from "@findersfee/database/processor-messages";
import { addJob } from "@findersfee/database/queue";
import { change } from "../../change.ts";
import type { Context } from "../../context.ts";
import { WORK_OFF } from "../../events/wake.ts";
import { requireMessage } from "./get.ts";
import { viewStoredMessage } from "./view.ts";

const STEP = 500;

/** Works a message off again, whatever became of it. Errors: `not_found`. */
export async function rerunProcessorMessage(
  context: Context,
  key: ProcessorMessageId,
): Promise<StoredMessage> {
  const organization_id = context.organization.id;
  return await change(context, async (sql) => {
    await requireMessage(sql, organization_id, key);
    await makeMessageDue(sql, organization_id, key);
    await addJob(sql, WORK_OFF, { key: WORK_OFF });
    return viewStoredMessage(await requireMessage(sql, organization_id, key));
  });
}

/** Works all parked messages off again, in steps; returns how many there were. */
export async function rerunParkedMessages(
  context: Context,
  { processor }: { processor?: ProcessorName | undefined },
): Promise<{ messages: number }> {
  const organization_id = context.organization.id;
  for (let messages = 0; ; ) {
    const step = await change(context, async (sql) => {
      const due = await makeParkedDue(sql, organization_id, { processor: processor ?? null, limit: STEP });
      if (due > 0) await addJob(sql, WORK_OFF, { key: WORK_OFF });
      return due;
    });
    messages += step;
    if (step < STEP) return { messages };
  }
}
