import { commissionSchema } from "@findersfee/contract/commissions/commissions";
import {
  flaggedAffiliatePageSchema,
  listFlaggedAffiliatesInput,
} from "@findersfee/contract/commissions/flagged-affiliates";
import {
  createManualCommissionInput,
  customerPaymentsInput,
  customerPaymentsSchema,
} from "@findersfee/contract/commissions/manual";
import { recruiterLossesSchema } from "@findersfee/contract/commissions/recruits";
import {
  approveCommissionsInput,
  changedCommissionsSchema,
  commissionIdsInput,
  commissionRowPageSchema,
  correctCommissionInput,
  exportCommissionsInput,
  listCommissionRowsInput,
  rejectCommissionsInput,
  stayVoidedInput,
  voidCommissionsInput,
} from "@findersfee/contract/commissions/rows";
import { commissionStoryInput, commissionStorySchema } from "@findersfee/contract/commissions/story";
import { matchingRowsSchema, rowCountSchema } from "@findersfee/contract/row-pages";
import { jobSchema } from "@findersfee/contract/work";
import { createManualCommission } from "@findersfee/domain/commissions/create-manual";
import { listCustomerPayments } from "@findersfee/domain/commissions/customer-payments";
import { listFlaggedAffiliates } from "@findersfee/domain/commissions/flagged-affiliates";
import {
  countCommissions,
  listCommissionRows,
  matchCommissions,
} from "@findersfee/domain/commissions/list-rows";
import { listRecruiterLosses } from "@findersfee/domain/commissions/recruiter-losses";
import { decideReviews } from "@findersfee/domain/commissions/review";
import { setCommissionStatuses } from "@findersfee/domain/commissions/set-status";
import { getCommissionStory } from "@findersfee/domain/commissions/story";
import { updateCommission } from "@findersfee/domain/commissions/update";
import { startJob } from "@findersfee/domain/work/jobs/start";
import { adminProcedure, repeatableProcedure, router, viewProcedure } from "../trpc/trpc.ts";

export const commissions = router({
  list: viewProcedure
    .input(listCommissionRowsInput)
    .output(commissionRowPageSchema)
    .query(({ ctx, input }) => listCommissionRows(ctx.domain, input)),

  count: viewProcedure
    .input(exportCommissionsInput)
    .output(rowCountSchema)
    .query(({ ctx, input }) => countCommissions(ctx.domain, input)),

  matching: viewProcedure
    .input(exportCommissionsInput)
    .output(matchingRowsSchema)
    .query(({ ctx, input }) => matchCommissions(ctx.domain, input)),

  story: viewProcedure
    .input(commissionStoryInput)
    .output(commissionStorySchema)
    .query(({ ctx, input }) => getCommissionStory(ctx.domain, input.id)),

  flagged_affiliates: viewProcedure
    .input(listFlaggedAffiliatesInput)
    .output(flaggedAffiliatePageSchema)
    .query(({ ctx, input }) => listFlaggedAffiliates(ctx.domain, input)),

  recruiter_losses: viewProcedure
    .input(commissionIdsInput)
    .output(recruiterLossesSchema)
    .query(({ ctx, input }) => listRecruiterLosses(ctx.domain, input)),

  customer_payments: adminProcedure
    .input(customerPaymentsInput)
    .output(customerPaymentsSchema)
    .query(({ ctx, input }) => listCustomerPayments(ctx.domain, input)),

  create: repeatableProcedure
    .input(createManualCommissionInput)
    .output(commissionSchema)
    .mutation(({ ctx, input }) => createManualCommission(ctx.domain, input)),

  void: adminProcedure
    .input(voidCommissionsInput)
    .output(changedCommissionsSchema)
    .mutation(({ ctx, input: { ids, reason } }) =>
      setCommissionStatuses(ctx.domain, { ids, payout_status: "voided" }, reason),
    ),

  correct: adminProcedure
    .input(correctCommissionInput)
    .output(commissionSchema)
    .mutation(({ ctx, input: { reason, ...change } }) => updateCommission(ctx.domain, change, reason)),

  restore: adminProcedure
    .input(commissionIdsInput)
    .output(changedCommissionsSchema)
    .mutation(({ ctx, input }) =>
      setCommissionStatuses(ctx.domain, { ids: input.ids, payout_status: "not_paid" }),
    ),

  approve: adminProcedure
    .input(approveCommissionsInput)
    .output(changedCommissionsSchema)
    .mutation(({ ctx, input }) => decideReviews(ctx.domain, { ...input, state: "approved" })),

  reject: adminProcedure
    .input(rejectCommissionsInput)
    .output(changedCommissionsSchema)
    .mutation(({ ctx, input }) => decideReviews(ctx.domain, { ...input, state: "rejected" })),

  keepVoided: adminProcedure
    .input(stayVoidedInput)
    .output(changedCommissionsSchema)
    .mutation(({ ctx, input }) => setCommissionStatuses(ctx.domain, input)),

  export: adminProcedure
    .input(exportCommissionsInput)
    .output(jobSchema)
    .mutation(({ ctx, input }) => startJob(ctx.domain, { kind: "commissions_export", input })),
});
