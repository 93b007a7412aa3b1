import {
  auditEntryPageSchema,
  exportAuditLogInput,
  listAuditEntriesInput,
} from "@findersfee/contract/audit-log";
import { rowCountSchema } from "@findersfee/contract/row-pages";
import { jobSchema } from "@findersfee/contract/work";
import { countAuditEntries, listAuditEntries } from "@findersfee/domain/audit-log/list";
import { startJob } from "@findersfee/domain/work/jobs/start";
import { ownerProcedure, router, viewProcedure } from "../trpc/trpc.ts";

/** The audit log. */
export const changes = router({
  list: viewProcedure
    .input(listAuditEntriesInput)
    .output(auditEntryPageSchema)
    .query(({ ctx, input }) => listAuditEntries(ctx.domain, input)),

  count: viewProcedure
    .input(exportAuditLogInput)
    .output(rowCountSchema)
    .query(({ ctx, input }) => countAuditEntries(ctx.domain, input)),

  export: ownerProcedure
    .input(exportAuditLogInput)
    .output(jobSchema)
    .mutation(({ ctx, input }) => startJob(ctx.domain, { kind: "audit_log_export", input })),
});
