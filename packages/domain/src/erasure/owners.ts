import { writeAuditEntry } from "../audit-log/write.ts";
import type { Context } from "../context.ts";
import { inTransaction } from "../transaction.ts";
import { eraseAuditLog } from "./audit-log.ts";

/**
 * Erases the email addresses of owners, present and former, from the organization's audit log; returns the number of
 * entries that this changed. The current addresses in the settings stay.
 */
export async function eraseOwners(context: Context): Promise<number> {
  const { id } = context.organization;
  return await inTransaction(context, async (sql) => {
    const entries = await eraseAuditLog(sql, id, { resource: "organization", resource_id: id });
    if (entries > 0) {
      await writeAuditEntry(sql, context, {
        resource: "organization",
        id,
        action: "erased",
        before: {},
        after: {},
      });
    }
    return entries;
  });
}
