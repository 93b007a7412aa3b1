import {
  connectionSchema,
  connectProcessorInput,
  connectStripeInput,
  disconnectProcessorInput,
  processorNameInput,
  processorSchema,
  processorWithSecretSchema,
  repairStripeInput,
  rotateProcessorInput,
  stripeSetupSchema,
  updateProcessorInput,
} from "@findersfee/contract/processors/processors";
import { requestEventsCheck } from "@findersfee/domain/processors/connections/check-events";
import { connectProcessor } from "@findersfee/domain/processors/connections/connect";
import { connectStripe, stripeSetup } from "@findersfee/domain/processors/connections/connect-stripe";
import { disconnectProcessor } from "@findersfee/domain/processors/connections/disconnect";
import { listProcessors } from "@findersfee/domain/processors/connections/get";
import { requestReconciliation } from "@findersfee/domain/processors/connections/reconcile";
import { repairStripe } from "@findersfee/domain/processors/connections/repair-stripe";
import { rotateProcessor } from "@findersfee/domain/processors/connections/rotate";
import { updateProcessor } from "@findersfee/domain/processors/connections/update";
import { z } from "zod";
import { adminProcedure, router, viewProcedure } from "../trpc/trpc.ts";

export const processors = router({
  list: viewProcedure.output(z.array(connectionSchema)).query(({ ctx }) => listProcessors(ctx.domain)),

  connect: adminProcedure
    .input(connectProcessorInput)
    .output(processorWithSecretSchema)
    .mutation(({ ctx, input }) => connectProcessor(ctx.domain, ctx.endpoint_policy.secrets_key, input)),

  update: adminProcedure
    .input(updateProcessorInput)
    .output(processorSchema)
    .mutation(({ ctx, input }) => updateProcessor(ctx.domain, ctx.endpoint_policy.secrets_key, input)),

  rotate: adminProcedure
    .input(rotateProcessorInput)
    .output(processorWithSecretSchema)
    .mutation(({ ctx, input }) => rotateProcessor(ctx.domain, ctx.endpoint_policy.secrets_key, input)),

  checkEvents: adminProcedure
    .input(processorNameInput)
    .output(processorSchema)
    .mutation(({ ctx, input }) => requestEventsCheck(ctx.domain, input.name)),

  reconcile: adminProcedure
    .input(processorNameInput)
    .output(processorSchema)
    .mutation(({ ctx, input }) => requestReconciliation(ctx.domain, input.name)),

  stripeSetup: viewProcedure
    .output(stripeSetupSchema)
    .query(({ ctx }) => stripeSetup(ctx.domain, ctx.public_url)),

  connectStripe: adminProcedure
    .input(connectStripeInput)
    .output(processorSchema)
    .mutation(({ ctx, input }) => {
      const { public_url, endpoint_policy } = ctx;
      return connectStripe(ctx.domain, { secrets_key: endpoint_policy.secrets_key, public_url }, input);
    }),

  repairStripe: adminProcedure
    .input(repairStripeInput)
    .output(processorSchema)
    .mutation(({ ctx }) => repairStripe(ctx.domain)),

  disconnect: adminProcedure
    .input(disconnectProcessorInput)
    .output(processorSchema)
    .mutation(({ ctx, input }) => disconnectProcessor(ctx.domain, input)),
});
