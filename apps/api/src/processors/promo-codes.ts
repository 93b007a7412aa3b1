import {
  affiliateIdInput,
  linkPromoCodeInput,
  listPromoCodesInput,
  promoCodePageSchema,
  promoCodeSchema,
} from "@findersfee/contract/processors/processors";
import { linkPromoCode } from "@findersfee/domain/processors/promo-codes/link";
import { listPromoCodes } from "@findersfee/domain/processors/promo-codes/list";
import { retryPromoCode } from "@findersfee/domain/processors/promo-codes/retry";
import { adminProcedure, router, viewProcedure } from "../trpc/trpc.ts";

export const promo_codes = router({
  list: viewProcedure
    .input(listPromoCodesInput)
    .output(promoCodePageSchema)
    .query(({ ctx, input }) => listPromoCodes(ctx.domain, input)),

  retry: adminProcedure
    .input(affiliateIdInput)
    .output(promoCodeSchema)
    .mutation(({ ctx, input }) => retryPromoCode(ctx.domain, input.affiliate_id)),

  link: adminProcedure
    .input(linkPromoCodeInput)
    .output(promoCodeSchema)
    .mutation(({ ctx, input }) => linkPromoCode(ctx.domain, input)),
});
