import type { Processor, ProcessorName } from "@findersfee/contract/processors/processors";
import { deleteProcessor } from "@findersfee/database/processors/processors";
import { writeAuditEntry } from "../../audit-log/write.ts";
import type { Context } from "../../context.ts";
import { beyondQuotas } from "../../quotas.ts";
import { inTransaction } from "../../transaction.ts";
import { requireLockedProcessor } from "./get.ts";
import { processorFields, viewProcessor } from "./view.ts";

/**
 * Disconnects a processor: rejects its further messages and deletes its secrets. Messages already received are
 * processed, and their results stay. Errors: `not_found`.
 */
export async function disconnectProcessor(sender: Context, name: ProcessorName): Promise<Processor> {
  const context = beyondQuotas(sender);
  return await inTransaction(context, async (sql) => {
    const row = await requireLockedProcessor(sql, context.organization.id, name);
    await deleteProcessor(sql, context.organization.id, name);
    await writeAuditEntry(sql, context, {
      resource: "processor",
      id: name,
      action: "deleted",
      before: processorFields(row),
      after: null,
    });
    return viewProcessor(row);
  });
}
