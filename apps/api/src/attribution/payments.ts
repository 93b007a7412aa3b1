import { listPaymentRowsInput, paymentRowPageSchema } from "@findersfee/contract/attribution/payment-rows";
import { listPaymentRows } from "@findersfee/domain/attribution/list-rows";
import { router, viewProcedure } from "../trpc/trpc.ts";

export const payments = router({
  list: viewProcedure
    .input(listPaymentRowsInput)
    .output(paymentRowPageSchema)
    .query(({ ctx, input }) => listPaymentRows(ctx.domain, input)),
});
