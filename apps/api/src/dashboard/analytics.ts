import { getOverviewInput, overviewSchema } from "@findersfee/contract/analytics";
import { getOverview } from "@findersfee/domain/analytics/overview";
import { router, viewProcedure } from "../trpc.ts";

export const analytics = router({
  overview: viewProcedure
    .input(getOverviewInput)
    .output(overviewSchema)
    .query(({ ctx, input }) => getOverview(ctx.domain, input)),
});
