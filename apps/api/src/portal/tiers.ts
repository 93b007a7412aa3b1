import { portalTiersSchema } from "@findersfee/contract/portal/tiers";
import { getPortalTiers } from "@findersfee/domain/tiers/own";
import { activeProcedure, portalRouter } from "./trpc.ts";

/** An affiliate's tier, and its place among others. */
export const tiers = portalRouter({
  get: activeProcedure
    .output(portalTiersSchema)
    .query(({ ctx }) => getPortalTiers(ctx.database, ctx.affiliate)),
});
