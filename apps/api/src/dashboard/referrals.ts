import {
  listReferralRowsInput,
  referralIdInput,
  referralRowPageSchema,
  referralTimelineSchema,
} from "@findersfee/contract/referral-rows";
import { getTimeline } from "@findersfee/domain/customers/timeline";
import { listReferralRows } from "@findersfee/domain/referrals/list-rows";
import { router, viewProcedure } from "../trpc.ts";

export const referrals = router({
  list: viewProcedure
    .input(listReferralRowsInput)
    .output(referralRowPageSchema)
    .query(({ ctx, input }) => listReferralRows(ctx.domain, input)),

  timeline: viewProcedure
    .input(referralIdInput)
    .output(referralTimelineSchema)
    .query(({ ctx, input }) => getTimeline(ctx.domain, input.id)),
});
