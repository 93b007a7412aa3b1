import { affiliateSchema } from "@findersfee/contract/affiliates";
import { eraseAffiliateInput, erasedOwnersSchema, eraseOwnersInput } from "@findersfee/contract/erasures";
import { eraseAffiliate } from "@findersfee/domain/erasure/affiliate";
import { eraseOwners } from "@findersfee/domain/erasure/owners";
import { router, staffProcedure } from "../trpc.ts";

/** Permanent erasure of personal data. */
export const erasures = router({
  affiliate: staffProcedure
    .input(eraseAffiliateInput)
    .output(affiliateSchema)
    .mutation(({ ctx, input }) => eraseAffiliate(ctx.domain, input.affiliate_id)),
  owners: staffProcedure
    .input(eraseOwnersInput)
    .output(erasedOwnersSchema)
    .mutation(async ({ ctx }) => ({ entries: await eraseOwners(ctx.domain) })),
});
