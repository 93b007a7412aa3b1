import {
  listReferralRowsInput,
  matchReferralsInput,
  referralIdInput,
  referralRowPageSchema,
  referralTimelineSchema,
} from "@findersfee/contract/customers/referral-rows";
import { rowCountSchema } from "@findersfee/contract/row-pages";
import { jobSchema } from "@findersfee/contract/work";
import { countReferrals, listReferralRows } from "@findersfee/domain/customers/referrals/list-rows";
import { getTimeline } from "@findersfee/domain/customers/timeline";
import { startJob } from "@findersfee/domain/work/jobs/start";
import { adminProcedure, router, viewProcedure } from "../trpc/trpc.ts";

export const referrals = router({
  list: viewProcedure
    .input(listReferralRowsInput)
    .output(referralRowPageSchema)
    .query(({ ctx, input }) => listReferralRows(ctx.domain, input)),

  count: viewProcedure
    .input(matchReferralsInput)
    .output(rowCountSchema)
    .query(({ ctx, input }) => countReferrals(ctx.domain, input)),

  export: adminProcedure
    .input(matchReferralsInput)
    .output(jobSchema)
    .mutation(({ ctx, input }) => startJob(ctx.domain, { kind: "referrals_export", input })),

  timeline: viewProcedure
    .input(referralIdInput)
    .output(referralTimelineSchema)
    .query(({ ctx, input }) => getTimeline(ctx.domain, input.id)),
});
