import { auditEntryPageSchema, listAuditEntriesInput } from "@findersfee/contract/audit-log";
import { listChanges } from "@findersfee/domain/changes/list";
import { router, staffProcedure } from "../trpc.ts";

/** The audit log. */
export const changes = router({
  list: staffProcedure
    .input(listAuditEntriesInput)
    .output(auditEntryPageSchema)
    .query(({ ctx, input }) => listChanges(ctx.domain, input)),
});
