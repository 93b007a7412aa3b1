import { findInput, foundSchema } from "@findersfee/contract/search/find";
import { find } from "@findersfee/domain/search/find";
import { router, viewProcedure } from "./trpc/trpc.ts";

export const search = router({
  find: viewProcedure
    .input(findInput)
    .output(foundSchema)
    .query(({ ctx, input }) => find(ctx.domain, input)),
});
