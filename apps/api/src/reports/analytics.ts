import { getOverviewInput, overviewSchema } from "@findersfee/contract/reports/analytics";
import {
  getPerformanceInput,
  getPerformanceSeriesInput,
  performanceSchema,
  performanceSeriesSchema,
} from "@findersfee/contract/reports/performance";
import { getRetentionInput, retentionSchema } from "@findersfee/contract/reports/retention";
import { getOverview } from "@findersfee/domain/reports/overview";
import { getPerformance, getPerformanceSeries } from "@findersfee/domain/reports/performance/get";
import { getRetention } from "@findersfee/domain/reports/retention";
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

  retention: viewProcedure
    .input(getRetentionInput)
    .output(retentionSchema)
    .query(({ ctx, input }) => getRetention(ctx.domain, input)),
});
