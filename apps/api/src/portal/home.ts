import { homeSchema, pulseSchema } from "@findersfee/contract/portal/home";
import { getHome, getPulse } from "@findersfee/domain/portal/home";
import { activeProcedure, portalRouter } from "./trpc.ts";

/** The first page. An open one asks for the pulse, and for the rest when that differs. */
export const home = portalRouter({
  get: activeProcedure.output(homeSchema).query(({ ctx }) => getHome(ctx.database, ctx.affiliate)),

  pulse: activeProcedure.output(pulseSchema).query(({ ctx }) => getPulse(ctx.database, ctx.affiliate)),
});
