import { listOwnReferralsInput, ownReferralPageSchema } from "@findersfee/contract/portal/referrals";
import { listOwnReferrals } from "@findersfee/domain/portal/referrals";
import { activeProcedure, portalRouter } from "./trpc.ts";

/** The customers that the affiliate referred. */
export const referrals = portalRouter({
  list: activeProcedure
    .input(listOwnReferralsInput)
    .output(ownReferralPageSchema)
    .query(({ ctx, input }) => listOwnReferrals(ctx.database, ctx.affiliate, input)),
});
