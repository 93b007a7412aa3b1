import {
  getOwnPerformanceInput,
  getOwnPerformanceSeriesInput,
  ownPerformanceSchema,
  ownPerformanceSeriesSchema,
} from "@findersfee/contract/reports/performance";
import { getOwnPerformance, getOwnPerformanceSeries } from "@findersfee/domain/reports/performance/own";
import { activeProcedure, portalRouter } from "./trpc.ts";

/** The results of the affiliate's links, pages, referrers, sub-ids and countries. */
export const performance = portalRouter({
  get: activeProcedure
    .input(getOwnPerformanceInput)
    .output(ownPerformanceSchema)
    .query(({ ctx, input }) => getOwnPerformance(ctx.database, ctx.affiliate, input)),

  series: activeProcedure
    .input(getOwnPerformanceSeriesInput)
    .output(ownPerformanceSeriesSchema)
    .query(({ ctx, input }) => getOwnPerformanceSeries(ctx.database, ctx.affiliate, input)),
});
