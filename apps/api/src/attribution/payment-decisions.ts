import {
  dryRunPaymentInput,
  dryRunSchema,
  listPaymentDecisionsInput,
  paymentDecisionIdInput,
  paymentDecisionPageSchema,
  paymentDecisionSchema,
} from "@findersfee/contract/attribution/payment-decisions";
import {
  countPaymentsInput,
  decidedAgainSchema,
  decisionIdsInput,
  listRefusedPaymentsInput,
  paymentCountsSchema,
  paymentExplanationSchema,
  refusedPaymentsSchema,
} from "@findersfee/contract/attribution/payment-rows";
import { dryRunPayment } from "@findersfee/domain/attribution/dry-run";
import { explainPayment } from "@findersfee/domain/attribution/explain";
import { getPaymentDecision } from "@findersfee/domain/attribution/get";
import { listPaymentDecisions } from "@findersfee/domain/attribution/list";
import { countPayments } from "@findersfee/domain/attribution/list-rows";
import { listRefusedPayments } from "@findersfee/domain/attribution/refused";
import { previewRerun, rerunPayment, rerunPayments } from "@findersfee/domain/attribution/rerun";
import { adminProcedure, router, viewProcedure } from "../trpc/trpc.ts";

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

  counts: viewProcedure
    .input(countPaymentsInput)
    .output(paymentCountsSchema)
    .query(({ ctx, input }) => countPayments(ctx.domain, input)),

  explain: viewProcedure
    .input(paymentDecisionIdInput)
    .output(paymentExplanationSchema)
    .query(({ ctx, input }) => explainPayment(ctx.domain, input.id)),

  refused: viewProcedure
    .input(listRefusedPaymentsInput)
    .output(refusedPaymentsSchema)
    .query(({ ctx, input }) => listRefusedPayments(ctx.domain, input)),

  previewRerun: adminProcedure
    .input(decisionIdsInput)
    .output(decidedAgainSchema)
    // A mutation, so that clients do not repeat it automatically: it changes nothing, but locks the organization's payments.
    .mutation(({ ctx, input }) => previewRerun(ctx.domain, input.ids)),

  rerunMany: adminProcedure
    .input(decisionIdsInput)
    .output(decidedAgainSchema)
    .mutation(({ ctx, input }) => rerunPayments(ctx.domain, input.ids)),
});
