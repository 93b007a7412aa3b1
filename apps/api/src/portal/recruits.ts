import { portalRecruitsSchema } from "@findersfee/contract/portal/recruits";
import { getPortalRecruits } from "@findersfee/domain/portal/recruits";
import { activeProcedure, portalRouter } from "./trpc.ts";

/** An affiliate's recruits, and its link for more. */
export const recruits = portalRouter({
  get: activeProcedure
    .output(portalRecruitsSchema)
    .query(({ ctx }) => getPortalRecruits(ctx.database, ctx.affiliate)),
});
