import { createClaimInput } from "@findersfee/contract/customers/claims";
import {
  listPortalClaimsInput,
  portalClaimPageSchema,
  portalClaimSchema,
} from "@findersfee/contract/portal/claims";
import { createClaim, listOwnClaims } from "@findersfee/domain/portal/claims";
import { activeProcedure, portalRouter } from "./trpc.ts";

/** The missing sales that the affiliate reported. */
export const claims = portalRouter({
  create: activeProcedure
    .input(createClaimInput)
    .output(portalClaimSchema)
    .mutation(({ ctx, input }) => createClaim(ctx.database, ctx.affiliate, input)),

  list: activeProcedure
    .input(listPortalClaimsInput)
    .output(portalClaimPageSchema)
    .query(({ ctx, input }) => listOwnClaims(ctx.database, ctx.affiliate, input)),
});
