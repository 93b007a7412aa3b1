import { eraseAuditLog } from "@findersfee/database/erasure";
import { writeAuditEntry } from "../audit-log/write.ts";
import type { Context } from "../context.ts";
import { beyondQuotas } from "../quotas.ts";
import { inTransaction } from "../transaction.ts";

/**
 * Erases the email addresses of members and invited people, present and former, from the organization's audit log;
 * returns the number of entries that this changed. The users themselves stay.
 */
export async function eraseMembers(sender: Context): Promise<number> {
  const context = beyondQuotas(sender);
  const { id } = context.organization;
  return await inTransaction(context, async (sql) => {
    const members = await eraseAuditLog(sql, id, { resource: "member", resource_id: null });
    const entries = members + (await eraseAuditLog(sql, id, { resource: "invitation", resource_id: null }));
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
