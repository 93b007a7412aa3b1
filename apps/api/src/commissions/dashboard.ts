import {
  changedCommissionsSchema,
  commissionIdsInput,
  commissionRowPageSchema,
  exportCommissionsInput,
  listCommissionRowsInput,
} from "@findersfee/contract/commissions/rows";
import { commissionStoryInput, commissionStorySchema } from "@findersfee/contract/commissions/story";
import { jobSchema } from "@findersfee/contract/work";
import { listCommissionRows } from "@findersfee/domain/commissions/list-rows";
import { setCommissionStatuses } from "@findersfee/domain/commissions/set-status";
import { getCommissionStory } from "@findersfee/domain/commissions/story";
import { startJob } from "@findersfee/domain/work/jobs/start";
import { adminProcedure, router, viewProcedure } from "../trpc/trpc.ts";

export const commissions = router({
  list: viewProcedure
    .input(listCommissionRowsInput)
    .output(commissionRowPageSchema)
    .query(({ ctx, input }) => listCommissionRows(ctx.domain, input)),

  story: viewProcedure
    .input(commissionStoryInput)
    .output(commissionStorySchema)
    .query(({ ctx, input }) => getCommissionStory(ctx.domain, input.id)),

  void: adminProcedure
    .input(commissionIdsInput)
    .output(changedCommissionsSchema)
    .mutation(({ ctx, input }) =>
      setCommissionStatuses(ctx.domain, { ids: input.ids, payout_status: "voided" }),
    ),

  restore: adminProcedure
    .input(commissionIdsInput)
    .output(changedCommissionsSchema)
    .mutation(({ ctx, input }) =>
      setCommissionStatuses(ctx.domain, { ids: input.ids, payout_status: "not_paid" }),
    ),

  export: adminProcedure
    .input(exportCommissionsInput)
    .output(jobSchema)
    .mutation(({ ctx, input }) => startJob(ctx.domain, { kind: "commissions_export", input })),
});
