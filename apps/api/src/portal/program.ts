import { portalProgramSchema } from "@findersfee/contract/portal/program";
import { getPortalProgram } from "@findersfee/domain/portal/program";
import { portalRouter, programProcedure } from "./trpc.ts";

/** The program that a request names. */
export const program = portalRouter({
  get: programProcedure
    .output(portalProgramSchema)
    .query(({ ctx }) => getPortalProgram(ctx.database, ctx.affiliate)),
});
