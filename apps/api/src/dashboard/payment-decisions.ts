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
import { adminProcedure, router, viewProcedure } from "../trpc.ts";

export const payment_decisions = router({
  list: viewProcedure
    .input(listPaymentDecisionsInput)
    .output(paymentDecisionPageSchema)
    .query(({ ctx, input }) => listPaymentDecisions(ctx.domain, input)),

  get: viewProcedure
    .input(paymentDecisionIdInput)
    .output(paymentDecisionSchema)
    .query(({ ctx, input }) => getPaymentDecision(ctx.domain, input.id)),

  dryRun: viewProcedure
    .input(dryRunPaymentInput)
    .output(dryRunSchema)
    .query(({ ctx, input }) => dryRunPayment(ctx.domain, input)),

  rerun: adminProcedure
    .input(paymentDecisionIdInput)
    .output(paymentDecisionSchema)
    .mutation(({ ctx, input }) => rerunPayment(ctx.domain, input.id)),
});
