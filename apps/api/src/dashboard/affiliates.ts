import {
  affiliateRowPageSchema,
  exportAffiliatesInput,
  listAffiliateRowsInput,
} from "@findersfee/contract/affiliate-rows";
import { jobSchema } from "@findersfee/contract/jobs";
import { listAffiliateRows } from "@findersfee/domain/affiliates/list-rows";
import { startJob } from "@findersfee/domain/jobs/start";
import { adminProcedure, router, viewProcedure } from "../trpc.ts";

export const affiliates = router({
  list: viewProcedure
    .input(listAffiliateRowsInput)
    .output(affiliateRowPageSchema)
    .query(({ ctx, input }) => listAffiliateRows(ctx.domain, input)),

  export: adminProcedure
    .input(exportAffiliatesInput)
    .output(jobSchema)
    .mutation(({ ctx, input }) => startJob(ctx.domain, { kind: "affiliates_export", input })),
});
