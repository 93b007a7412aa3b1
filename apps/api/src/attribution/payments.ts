import {
  listPaymentRowsInput,
  matchPaymentsInput,
  paymentRowPageSchema,
} from "@findersfee/contract/attribution/payment-rows";
import { matchingRowsSchema, rowCountSchema } from "@findersfee/contract/row-pages";
import { jobSchema } from "@findersfee/contract/work";
import {
  countMatchingPayments,
  listPaymentRows,
  matchPayments,
} from "@findersfee/domain/attribution/list-rows";
import { startJob } from "@findersfee/domain/work/jobs/start";
import { adminProcedure, router, viewProcedure } from "../trpc/trpc.ts";

export const payments = router({
  list: viewProcedure
    .input(listPaymentRowsInput)
    .output(paymentRowPageSchema)
    .query(({ ctx, input }) => listPaymentRows(ctx.domain, input)),

  count: viewProcedure
    .input(matchPaymentsInput)
    .output(rowCountSchema)
    .query(({ ctx, input }) => countMatchingPayments(ctx.domain, input)),

  matching: viewProcedure
    .input(matchPaymentsInput)
    .output(matchingRowsSchema)
    .query(({ ctx, input }) => matchPayments(ctx.domain, input)),

  export: adminProcedure
    .input(matchPaymentsInput)
    .output(jobSchema)
    .mutation(({ ctx, input }) => startJob(ctx.domain, { kind: "payments_export", input })),
});
