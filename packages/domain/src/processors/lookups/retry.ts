import { makeLookupsDue } from "@findersfee/database/processors/lookups";
import { notifyWorkers } from "@findersfee/database/work/shards";
import type { Context } from "../../context.ts";
import { inTransaction } from "../../transaction.ts";

/** Retries all unanswered lookups of the organization, including permanently failed ones. */
export async function retryLookups(context: Context): Promise<{ lookups: number }> {
  return await inTransaction(context, async (sql) => {
    const lookups = await makeLookupsDue(sql, context.organization.id);
    if (lookups > 0) await notifyWorkers(sql, "lookups", [context.organization.id]);
    return { lookups };
  });
}
