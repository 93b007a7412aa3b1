import {
  listReferralRowsInput,
  referralIdInput,
  referralRowPageSchema,
  referralTimelineSchema,
} from "@findersfee/contract/customers/referral-rows";
import { listReferralRows } from "@findersfee/domain/customers/referrals/list-rows";
import { getTimeline } from "@findersfee/domain/customers/timeline";
import { router, viewProcedure } from "../trpc/trpc.ts";

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
