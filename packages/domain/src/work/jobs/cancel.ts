import type { Job } from "@findersfee/contract/work";
import { deleteJobInput, deleteSurplusJobFiles } from "@findersfee/database/work/job-files";
import { cancelJob as cancelRow } from "@findersfee/database/work/jobs";
import { writeAuditEntry } from "../../audit-log/write.ts";
import type { Context } from "../../context.ts";
import { beyondQuotas } from "../../quotas.ts";
import { inTransaction } from "../../transaction.ts";
import { requireJob } from "./get.ts";
import { MAX_FILES } from "./limits.ts";

/** Cancels a job after its current step; earlier steps stay done. A finished one stays as it is. Errors: `not_found`. */
export async function cancelJob(sender: Context, id: string): Promise<Job> {
  const context = beyondQuotas(sender);
  const { organization } = context;
  return await inTransaction(context, async (sql) => {
    if (await cancelRow(sql, organization.id, id)) {
      await deleteJobInput(sql, organization.id, id);
      await deleteSurplusJobFiles(sql, organization.id, MAX_FILES);
      await writeAuditEntry(sql, context, {
        resource: "job",
        id,
        action: "updated",
        before: { state: "running" },
        after: { state: "canceled" },
      });
    }
    return await requireJob(sql, organization.id, id);
  });
}
