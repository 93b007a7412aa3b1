import { exportAdjustmentsInput } from "@findersfee/contract/ledger/adjustments";
import { jobSchema } from "@findersfee/contract/work";
import { startJob } from "@findersfee/domain/work/jobs/start";
import { adminProcedure, router } from "../trpc/trpc.ts";

export const adjustments = router({
  export: adminProcedure
    .input(exportAdjustmentsInput)
    .output(jobSchema)
    .mutation(({ ctx, input }) => startJob(ctx.domain, { kind: "adjustments_export", input })),
});
