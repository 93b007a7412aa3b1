import type { RetriedMails } from "@findersfee/contract/reports/health";
import { retryGivenUpMails } from "@findersfee/database/mails/mails";
import { notifyWorkers } from "@findersfee/database/work/shards";
import { writeAuditEntry } from "../../audit-log/write.ts";
import type { Context } from "../../context.ts";
import { inTransaction } from "../../transaction.ts";

/** Sends failed mails again. It leaves mails alone that were retried in the meantime. */
export async function retryMails(context: Context, ids: readonly string[]): Promise<RetriedMails> {
  const organization_id = context.organization.id;
  return await inTransaction(context, async (sql) => {
    const retried = await retryGivenUpMails(sql, organization_id, ids);
    for (const { id, kind } of retried) {
      await writeAuditEntry(sql, context, {
        resource: "mail",
        id,
        action: "rerun",
        before: { kind, state: "given_up" },
        after: { kind, state: "due" },
      });
    }
    if (retried.length > 0) await notifyWorkers(sql, "mails", [organization_id]);
    return { retried: retried.length };
  });
}
