import { portalApplicationSchema, updateApplicationInput } from "@findersfee/contract/portal/application";
import { getApplication, updateApplication } from "@findersfee/domain/portal/application";
import { portalRouter, programProcedure } from "./trpc.ts";

/** The affiliate's own application, which it edits while it waits for a decision. */
export const application = portalRouter({
  get: programProcedure
    .output(portalApplicationSchema)
    .query(({ ctx }) => getApplication(ctx.database, ctx.affiliate)),

  update: programProcedure
    .input(updateApplicationInput)
    .output(portalApplicationSchema)
    .mutation(({ ctx, input }) => updateApplication(ctx.database, ctx.affiliate, input)),
});
