import {
  getPayoutRunInput,
  listPayoutRunsInput,
  payoutPreviewPageSchema,
  payoutRunPageSchema,
  payoutRunSchema,
  previewPayoutRunInput,
  startPayoutRunInput,
} from "@findersfee/contract/payout-runs";
import { getPayoutRun } from "@findersfee/domain/payout-runs/get";
import { listPayoutRuns } from "@findersfee/domain/payout-runs/list";
import { previewPayoutRun } from "@findersfee/domain/payout-runs/preview";
import { startPayoutRun } from "@findersfee/domain/payout-runs/start";
import { router, staffProcedure } from "../trpc.ts";

export const payout_runs = router({
  preview: staffProcedure
    .input(previewPayoutRunInput)
    .output(payoutPreviewPageSchema)
    .query(({ ctx, input }) => previewPayoutRun(ctx.domain, input)),

  start: staffProcedure
    .input(startPayoutRunInput)
    .output(payoutRunSchema)
    .mutation(({ ctx, input }) => startPayoutRun(ctx.domain, input)),

  get: staffProcedure
    .input(getPayoutRunInput)
    .output(payoutRunSchema)
    .query(({ ctx, input }) => getPayoutRun(ctx.domain, input.id)),

  list: staffProcedure
    .input(listPayoutRunsInput)
    .output(payoutRunPageSchema)
    .query(({ ctx, input }) => listPayoutRuns(ctx.domain, input)),
});
