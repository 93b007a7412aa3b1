import {
  acceptClaimInput,
  acceptedClaimSchema,
  claimDetailSchema,
  claimIdInput,
  claimPreviewSchema,
  claimRowPageSchema,
  declineClaimInput,
  listClaimsInput,
  matchClaimsInput,
  previewClaimInput,
} from "@findersfee/contract/customers/claims";
import { rowCountSchema } from "@findersfee/contract/row-pages";
import { jobSchema } from "@findersfee/contract/work";
import { acceptClaim, previewClaim } from "@findersfee/domain/customers/claims/accept";
import { declineClaim } from "@findersfee/domain/customers/claims/decline";
import { getClaim } from "@findersfee/domain/customers/claims/get";
import { countClaims, listClaims } from "@findersfee/domain/customers/claims/list";
import { startJob } from "@findersfee/domain/work/jobs/start";
import { adminProcedure, router, viewProcedure } from "../trpc/trpc.ts";

/** Missing sales that affiliates report. */
export const claims = router({
  list: viewProcedure
    .input(listClaimsInput)
    .output(claimRowPageSchema)
    .query(({ ctx, input }) => listClaims(ctx.domain, input)),

  count: viewProcedure
    .input(matchClaimsInput)
    .output(rowCountSchema)
    .query(({ ctx, input }) => countClaims(ctx.domain, input)),

  export: adminProcedure
    .input(matchClaimsInput)
    .output(jobSchema)
    .mutation(({ ctx, input }) => startJob(ctx.domain, { kind: "claims_export", input })),

  get: viewProcedure
    .input(claimIdInput)
    .output(claimDetailSchema)
    .query(({ ctx, input }) => getClaim(ctx.domain, input.id)),

  preview: adminProcedure
    .input(previewClaimInput)
    .output(claimPreviewSchema)
    // A mutation, so that clients do not repeat it automatically: it changes nothing, but locks the organization's payments.
    .mutation(({ ctx, input }) => previewClaim(ctx.domain, input)),

  accept: adminProcedure
    .input(acceptClaimInput)
    .output(acceptedClaimSchema)
    .mutation(({ ctx, input }) => acceptClaim(ctx.domain, input)),

  decline: adminProcedure
    .input(declineClaimInput)
    .mutation(({ ctx, input }) => declineClaim(ctx.domain, input)),
});
