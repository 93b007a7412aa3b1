import {
  earningPageSchema,
  earningStorySchema,
  getEarningInput,
  listEarningsInput,
} from "@findersfee/contract/portal/earnings";
import { getEarning, listEarnings } from "@findersfee/domain/portal/earnings";
import { activeProcedure, portalRouter } from "./trpc.ts";

/** The affiliate's commissions. */
export const earnings = portalRouter({
  list: activeProcedure
    .input(listEarningsInput)
    .output(earningPageSchema)
    .query(({ ctx, input }) => listEarnings(ctx.database, ctx.affiliate, input)),

  get: activeProcedure
    .input(getEarningInput)
    .output(earningStorySchema)
    .query(({ ctx, input }) => getEarning(ctx.database, ctx.affiliate, input.id)),
});
