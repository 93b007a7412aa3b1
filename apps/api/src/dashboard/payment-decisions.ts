import {
  dryRunPaymentInput,
  dryRunSchema,
  listPaymentDecisionsInput,
  paymentDecisionIdInput,
  paymentDecisionPageSchema,
  paymentDecisionSchema,
} from "@findersfee/contract/payment-decisions";
import { dryRunPayment } from "@findersfee/domain/attribution/dry-run";
import { getPaymentDecision } from "@findersfee/domain/attribution/get";
import { listPaymentDecisions } from "@findersfee/domain/attribution/list";
import { rerunPayment } from "@findersfee/domain/attribution/rerun";
import { router, staffProcedure } from "../trpc.ts";

export const payment_decisions = router({
  list: staffProcedure
    .input(listPaymentDecisionsInput)
    .output(paymentDecisionPageSchema)
    .query(({ ctx, input }) => listPaymentDecisions(ctx.domain, input)),

  get: staffProcedure
    .input(paymentDecisionIdInput)
    .output(paymentDecisionSchema)
    .query(({ ctx, input }) => getPaymentDecision(ctx.domain, input.id)),

  dryRun: staffProcedure
    .input(dryRunPaymentInput)
    .output(dryRunSchema)
    .query(({ ctx, input }) => dryRunPayment(ctx.domain, input)),

  rerun: staffProcedure
    .input(paymentDecisionIdInput)
    .output(paymentDecisionSchema)
    .mutation(({ ctx, input }) => rerunPayment(ctx.domain, input.id)),
});
