import { affiliateRowPageSchema, listAffiliateRowsInput } from "@findersfee/contract/affiliate-rows";
import { listAffiliateRows } from "@findersfee/domain/affiliates/list-rows";
import { router, viewProcedure } from "../trpc.ts";

export const affiliates = router({
  list: viewProcedure
    .input(listAffiliateRowsInput)
    .output(affiliateRowPageSchema)
    .query(({ ctx, input }) => listAffiliateRows(ctx.domain, input)),
});
