import { auditEntryPageSchema, listAuditEntriesInput } from "@findersfee/contract/audit-log";
import { listAuditEntries } from "@findersfee/domain/audit-log/list";
import { router, viewProcedure } from "../trpc/trpc.ts";

/** The audit log. */
export const changes = router({
  list: viewProcedure
    .input(listAuditEntriesInput)
    .output(auditEntryPageSchema)
    .query(({ ctx, input }) => listAuditEntries(ctx.domain, input)),
});
