import { deliverySchema } from "@findersfee/contract/webhooks/deliveries";
import { endpointHealthListSchema } from "@findersfee/contract/webhooks/endpoint-health";
import {
  createEndpointInput,
  currentSecretSchema,
  enableEndpointInput,
  endpointIdInput,
  endpointSchema,
  endpointWithSecretSchema,
  expireEndpointSecretInput,
  rotateEndpointInput,
  testEndpointInput,
  updateEndpointInput,
} from "@findersfee/contract/webhooks/endpoints";
import { testEndpoint } from "@findersfee/domain/webhooks/deliveries/send-test";
import { createEndpoint } from "@findersfee/domain/webhooks/endpoints/create";
import { deleteEndpoint } from "@findersfee/domain/webhooks/endpoints/delete";
import { disableEndpoint } from "@findersfee/domain/webhooks/endpoints/disable";
import { enableEndpoint } from "@findersfee/domain/webhooks/endpoints/enable";
import { expireEndpointSecret } from "@findersfee/domain/webhooks/endpoints/expire-secret";
import { getEndpoint, getEndpointSecret } from "@findersfee/domain/webhooks/endpoints/get";
import { listEndpointHealth } from "@findersfee/domain/webhooks/endpoints/health";
import { listEndpoints } from "@findersfee/domain/webhooks/endpoints/list";
import { rotateEndpoint } from "@findersfee/domain/webhooks/endpoints/rotate";
import { updateEndpoint } from "@findersfee/domain/webhooks/endpoints/update";
import { z } from "zod";
import { adminProcedure, router, viewProcedure } from "../trpc/trpc.ts";

export const endpoints = router({
  list: viewProcedure.output(z.array(endpointSchema)).query(({ ctx }) => listEndpoints(ctx.domain)),

  health: viewProcedure.output(endpointHealthListSchema).query(({ ctx }) => listEndpointHealth(ctx.domain)),

  get: viewProcedure
    .input(endpointIdInput)
    .output(endpointSchema)
    .query(({ ctx, input }) => getEndpoint(ctx.domain, input.id)),

  secret: adminProcedure
    .input(endpointIdInput)
    .output(currentSecretSchema)
    .query(({ ctx, input }) => getEndpointSecret(ctx.domain, ctx.endpoint_policy, input.id)),

  create: adminProcedure
    .input(createEndpointInput)
    .output(endpointWithSecretSchema)
    .mutation(({ ctx, input }) => createEndpoint(ctx.domain, ctx.endpoint_policy, input)),

  update: adminProcedure
    .input(updateEndpointInput)
    .output(endpointSchema)
    .mutation(({ ctx, input }) => updateEndpoint(ctx.domain, ctx.endpoint_policy, input)),

  disable: adminProcedure
    .input(endpointIdInput)
    .output(endpointSchema)
    .mutation(({ ctx, input }) => disableEndpoint(ctx.domain, input.id)),

  enable: adminProcedure
    .input(enableEndpointInput)
    .output(endpointSchema)
    .mutation(({ ctx, input }) => enableEndpoint(ctx.domain, input, ctx.endpoint_policy)),

  rotate: adminProcedure
    .input(rotateEndpointInput)
    .output(endpointWithSecretSchema)
    .mutation(({ ctx, input }) => rotateEndpoint(ctx.domain, ctx.endpoint_policy, input)),

  expireSecret: adminProcedure
    .input(expireEndpointSecretInput)
    .output(endpointSchema)
    .mutation(({ ctx, input }) => expireEndpointSecret(ctx.domain, input)),

  test: adminProcedure
    .input(testEndpointInput)
    .output(deliverySchema)
    .mutation(({ ctx, input }) => testEndpoint(ctx.domain, input)),

  delete: adminProcedure
    .input(endpointIdInput)
    .output(endpointSchema)
    .mutation(({ ctx, input }) => deleteEndpoint(ctx.domain, input.id)),
});
