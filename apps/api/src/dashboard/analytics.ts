import {
  getSeriesInput,
  getTotalsInput,
  listTopAffiliatesInput,
  seriesSchema,
  topAffiliatesSchema,
  totalsComparisonSchema,
} from "@findersfee/contract/analytics";
import { getSeries } from "@findersfee/domain/analytics/series";
import { listTopAffiliates } from "@findersfee/domain/analytics/top";
import { getTotals } from "@findersfee/domain/analytics/totals";
import { router, viewProcedure } from "../trpc.ts";

export const analytics = router({
  totals: viewProcedure
    .input(getTotalsInput)
    .output(totalsComparisonSchema)
    .query(({ ctx, input }) => getTotals(ctx.domain, input)),

  series: viewProcedure
    .input(getSeriesInput)
    .output(seriesSchema)
    .query(({ ctx, input }) => getSeries(ctx.domain, input)),

  top: viewProcedure
    .input(listTopAffiliatesInput)
    .output(topAffiliatesSchema)
    .query(({ ctx, input }) => listTopAffiliates(ctx.domain, input)),
});
