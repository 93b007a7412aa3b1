import { changedAffiliatesSchema } from "@findersfee/contract/affiliates/review";
import { payoutFileSchema } from "@findersfee/contract/payouts/files";
import {
  approvePayoutRunInput,
  declinePayoutRunInput,
  getPayoutRunInput,
  holdPayoutsInput,
  listPayoutRunsInput,
  payoutPreviewPageSchema,
  payoutRunPageSchema,
  payoutRunProposalSchema,
  payoutRunSchema,
  payoutRunSummarySchema,
  previewPayoutRunInput,
  proposePayoutRunInput,
  releasePayoutHoldsInput,
  startedPayoutRunSchema,
  startPayoutRunInput,
} from "@findersfee/contract/payouts/runs";
import { listPayoutFiles } from "@findersfee/domain/payouts/files/list";
import { holdPayouts, releasePayoutHolds } from "@findersfee/domain/payouts/holds";
import { approvePayoutRun, declinePayoutRun } from "@findersfee/domain/payouts/runs/decide";
import { getPayoutRun } from "@findersfee/domain/payouts/runs/get";
import { listPayoutRuns } from "@findersfee/domain/payouts/runs/list";
import { previewPayoutRun } from "@findersfee/domain/payouts/runs/preview";
import { proposePayoutRun } from "@findersfee/domain/payouts/runs/propose";
import { startPayoutRun } from "@findersfee/domain/payouts/runs/start";
import { summarizePayoutRun } from "@findersfee/domain/payouts/runs/summarize";
import { z } from "zod";
import { adminProcedure, peopleProcedure, router, viewProcedure } from "../trpc/trpc.ts";

export const payout_runs = router({
  summary: viewProcedure.output(payoutRunSummarySchema).query(({ ctx }) => summarizePayoutRun(ctx.domain)),

  preview: viewProcedure
    .input(previewPayoutRunInput)
    .output(payoutPreviewPageSchema)
    .query(({ ctx, input }) => previewPayoutRun(ctx.domain, input)),

  propose: viewProcedure
    .input(proposePayoutRunInput)
    .output(payoutRunProposalSchema)
    .query(({ ctx, input }) => proposePayoutRun(ctx.domain, input)),

  start: adminProcedure
    .input(startPayoutRunInput)
    .output(startedPayoutRunSchema)
    .mutation(({ ctx, input }) => startPayoutRun(ctx.domain, input)),

  /** By a person: nobody approves a run of their own with a key. */
  approve: peopleProcedure
    .input(approvePayoutRunInput)
    .output(payoutRunSchema)
    .mutation(({ ctx, input }) => approvePayoutRun(ctx.domain, input)),

  decline: peopleProcedure
    .input(declinePayoutRunInput)
    .output(payoutRunSchema)
    .mutation(({ ctx, input }) => declinePayoutRun(ctx.domain, input)),

  get: viewProcedure
    .input(getPayoutRunInput)
    .output(payoutRunSchema)
    .query(({ ctx, input }) => getPayoutRun(ctx.domain, input.id)),

  list: viewProcedure
    .input(listPayoutRunsInput)
    .output(payoutRunPageSchema)
    .query(({ ctx, input }) => listPayoutRuns(ctx.domain, input)),

  hold: adminProcedure
    .input(holdPayoutsInput)
    .output(changedAffiliatesSchema)
    .mutation(({ ctx, input }) => holdPayouts(ctx.domain, input)),

  release: adminProcedure
    .input(releasePayoutHoldsInput)
    .output(changedAffiliatesSchema)
    .mutation(({ ctx, input }) => releasePayoutHolds(ctx.domain, input.affiliate_ids)),

  files: viewProcedure
    .input(getPayoutRunInput)
    .output(z.array(payoutFileSchema))
    .query(({ ctx, input }) => listPayoutFiles(ctx.domain, input.id)),
});
