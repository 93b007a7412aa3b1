import { getOverviewInput, overviewSchema } from "@findersfee/contract/reports/analytics";
import {
  getPerformanceInput,
  getPerformanceSeriesInput,
  performanceSchema,
  performanceSeriesSchema,
} from "@findersfee/contract/reports/performance";
import { getOverview } from "@findersfee/domain/reports/overview";
import { getPerformance, getPerformanceSeries } from "@findersfee/domain/reports/performance/get";
import { router, viewProcedure } from "../trpc/trpc.ts";

export const analytics = router({
  overview: viewProcedure
    .input(getOverviewInput)
    .output(overviewSchema)
    .query(({ ctx, input }) => getOverview(ctx.domain, input)),

  performance: viewProcedure
    .input(getPerformanceInput)
    .output(performanceSchema)
    .query(({ ctx, input }) => getPerformance(ctx.domain, input)),

  performance_series: viewProcedure
    .input(getPerformanceSeriesInput)
    .output(performanceSeriesSchema)
    .query(({ ctx, input }) => getPerformanceSeries(ctx.domain, input)),
});
