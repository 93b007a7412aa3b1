import {
  getOnePerformanceSeriesInput,
  getPerformanceInput,
  performanceSchema,
  performanceSeriesSchema,
} from "@findersfee/contract/reports/performance";
import { getPerformance, getPerformanceSeries } from "@findersfee/domain/reports/performance/get";
import { readProcedure, router } from "../trpc/trpc.ts";

const tags = ["Analytics"];

/** Named by the path, as the SDK names its operations. */
export const v1_analytics = router({
  get: readProcedure
    .meta({
      openapi: {
        operationId: "getPerformance",
        method: "GET",
        path: "/analytics/performance",
        tags,
        summary: "Get the performance",
        description:
          "Clicks, sign-ups, conversions, revenue and commissions by affiliate, campaign, link, landing page, referrer, sub-id or country, of a period and the one before. Days are in the organization's time zone.",
      },
      errors: ["not_found"],
    })
    .input(getPerformanceInput)
    .output(performanceSchema)
    .query(({ ctx, input }) => getPerformance(ctx.domain, input)),

  series: readProcedure
    .meta({
      openapi: {
        operationId: "getPerformanceSeries",
        method: "GET",
        path: "/analytics/performance/series",
        tags,
        summary: "Get the performance over time",
        description:
          "The same metrics for each day, week or month of a period and the one before, at most 400 points: of everything, or of one row of `GET /analytics/performance`, by its `key`. The answer has one series.",
        successDescription: "The points.",
      },
      errors: ["not_found"],
    })
    .input(getOnePerformanceSeriesInput)
    .output(performanceSeriesSchema)
    .query(({ ctx, input: { dimension = "affiliate", key, ...input } }) =>
      getPerformanceSeries(ctx.domain, { ...input, dimension, keys: key === undefined ? undefined : [key] }),
    ),
});
