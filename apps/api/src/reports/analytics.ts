import { getOverviewInput, overviewSchema } from "@findersfee/contract/reports/analytics";
import { getOverview } from "@findersfee/domain/reports/overview";
import { router, viewProcedure } from "../trpc/trpc.ts";

export const analytics = router({
  overview: viewProcedure
    .input(getOverviewInput)
    .output(overviewSchema)
    .query(({ ctx, input }) => getOverview(ctx.domain, input)),
});
