import { makeLookupsDue } from "@findersfee/database/lookups";
import { addJob } from "@findersfee/database/queue";
import { change } from "../../change.ts";
import type { Context } from "../../context.ts";
import { LOOK_UP } from "../../events/wake.ts";

/** Tries all lookups of the organization again that were not answered, also those that failed for good. */
export async function retryLookups(context: Context): Promise<{ lookups: number }> {
  return await change(context, async (sql) => {
    const lookups = await makeLookupsDue(sql, context.organization.id);
    if (lookups > 0) await addJob(sql, LOOK_UP, { key: LOOK_UP, queue: LOOK_UP });
    return { lookups };
  });
}
