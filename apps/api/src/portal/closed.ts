import { closedSchema } from "@findersfee/contract/portal/closed";
import { getClosed } from "@findersfee/domain/portal/closed";
import { portalRouter, programProcedure } from "./trpc.ts";

/** The program of an affiliate who was banned or declined. */
export const closed = portalRouter({
  get: programProcedure.output(closedSchema).query(({ ctx }) => getClosed(ctx.database, ctx.affiliate)),
});
