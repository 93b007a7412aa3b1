import { affiliateSchema } from "@findersfee/contract/affiliates";
import { eraseAffiliateInput, erasedOwnersSchema, eraseOwnersInput } from "@findersfee/contract/erasures";
import { eraseAffiliate } from "@findersfee/domain/erasure/affiliate";
import { eraseOwners } from "@findersfee/domain/erasure/owners";
import { ownerProcedure, router } from "../trpc.ts";

/** Permanent erasure of personal data. */
export const erasures = router({
  affiliate: ownerProcedure
    .input(eraseAffiliateInput)
    .output(affiliateSchema)
    .mutation(({ ctx, input }) => eraseAffiliate(ctx.domain, input.affiliate_id)),
  owners: ownerProcedure
    .input(eraseOwnersInput)
    .output(erasedOwnersSchema)
    .mutation(async ({ ctx }) => ({ entries: await eraseOwners(ctx.domain) })),
});
