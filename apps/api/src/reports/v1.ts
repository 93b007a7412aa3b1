import { getPerformanceInput, performanceSchema } from "@findersfee/contract/reports/performance";
import { getPerformance } from "@findersfee/domain/reports/performance/get";
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
});
