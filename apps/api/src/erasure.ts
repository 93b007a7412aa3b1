import { affiliateSchema } from "@findersfee/contract/affiliates/affiliates";
import { eraseAffiliateInput, erasedMembersSchema, eraseMembersInput } from "@findersfee/contract/erasure";
import { eraseAffiliate } from "@findersfee/domain/erasure/affiliate";
import { eraseMembers } from "@findersfee/domain/erasure/members";
import { ownerProcedure, router } from "./trpc/trpc.ts";

/** Permanent erasure of personal data. */
export const erasures = router({
  affiliate: ownerProcedure
    .input(eraseAffiliateInput)
    .output(affiliateSchema)
    .mutation(({ ctx, input }) => eraseAffiliate(ctx.domain, input.affiliate_id)),
  members: ownerProcedure
    .input(eraseMembersInput)
    .output(erasedMembersSchema)
    .mutation(async ({ ctx }) => ({ entries: await eraseMembers(ctx.domain) })),
});
