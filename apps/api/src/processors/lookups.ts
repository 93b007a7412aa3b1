import {
  listLookupsInput,
  lookupPageSchema,
  retryLookupsInput,
  retryLookupsSchema,
} from "@findersfee/contract/processors/processors";
import { listLookups } from "@findersfee/domain/processors/lookups/list";
import { retryLookups } from "@findersfee/domain/processors/lookups/retry";
import { adminProcedure, router, viewProcedure } from "../trpc/trpc.ts";

export const processor_lookups = router({
  list: viewProcedure
    .input(listLookupsInput)
    .output(lookupPageSchema)
    .query(({ ctx, input }) => listLookups(ctx.domain, input)),

  retry: adminProcedure
    .input(retryLookupsInput)
    .output(retryLookupsSchema)
    .mutation(({ ctx }) => retryLookups(ctx.domain)),
});
