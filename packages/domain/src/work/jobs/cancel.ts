import type { Job } from "@findersfee/contract/work";
import type { Connection } from "@findersfee/database/postgres/connect";
import { deleteJobInput, deleteSurplusJobFiles } from "@findersfee/database/work/job-files";
import { cancelJob as cancelRow } from "@findersfee/database/work/jobs";
import { type Author, writeAuditEntry } from "../../audit-log/write.ts";
import type { Context } from "../../context.ts";
import { beyondQuotas } from "../../quotas.ts";
import { inTransaction } from "../../transaction.ts";
import { requireJob } from "./get.ts";
import { MAX_FILES } from "./limits.ts";

/** Cancels a job after its current step; earlier steps stay done. A finished one stays as it is. Errors: `not_found`. */
export async function cancelJob(sender: Context, id: string): Promise<Job> {
  const context = beyondQuotas(sender);
  return await inTransaction(context, async (sql) => {
    await cancelWithin(sql, context, id);
    return await requireJob(sql, context, id);
  });
}

/** The same within a transaction of an operation. */
export async function cancelWithin(sql: Connection, author: Author, id: string): Promise<void> {
  const organization_id = author.organization.id;
  if (!(await cancelRow(sql, organization_id, id))) return;
  await deleteJobInput(sql, organization_id, id);
  await deleteSurplusJobFiles(sql, organization_id, MAX_FILES);
  await writeAuditEntry(sql, author, {
    resource: "job",
    id,
    action: "updated",
    before: { state: "running" },
    after: { state: "canceled" },
  });
}
