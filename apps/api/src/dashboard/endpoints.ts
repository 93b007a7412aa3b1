import { deliverySchema } from "@findersfee/contract/deliveries";
import {
  createEndpointInput,
  enableEndpointInput,
  endpointIdInput,
  endpointSchema,
  endpointWithSecretSchema,
  expireEndpointSecretInput,
  rotateEndpointInput,
  storedEndpointSchema,
  testEndpointInput,
  updateEndpointInput,
} from "@findersfee/contract/endpoints";
import { testEndpoint } from "@findersfee/domain/deliveries/send-test";
import { createEndpoint } from "@findersfee/domain/endpoints/create";
import { deleteEndpoint } from "@findersfee/domain/endpoints/delete";
import { disableEndpoint } from "@findersfee/domain/endpoints/disable";
import { enableEndpoint } from "@findersfee/domain/endpoints/enable";
import { expireEndpointSecret } from "@findersfee/domain/endpoints/expire-secret";
import { getEndpoint } from "@findersfee/domain/endpoints/get";
import { listEndpoints } from "@findersfee/domain/endpoints/list";
import { rotateEndpoint } from "@findersfee/domain/endpoints/rotate";
import { updateEndpoint } from "@findersfee/domain/endpoints/update";
import { z } from "zod";
import { router, staffProcedure } from "../trpc.ts";

export const endpoints = router({
  list: staffProcedure.output(z.array(endpointSchema)).query(({ ctx }) => listEndpoints(ctx.domain)),

  get: staffProcedure
    .input(endpointIdInput)
    .output(storedEndpointSchema)
    .query(({ ctx, input }) => getEndpoint(ctx.domain, ctx.endpoint_policy, input.id)),

  create: staffProcedure
    .input(createEndpointInput)
    .output(endpointWithSecretSchema)
    .mutation(({ ctx, input }) => createEndpoint(ctx.domain, ctx.endpoint_policy, input)),

  update: staffProcedure
    .input(updateEndpointInput)
    .output(endpointSchema)
    .mutation(({ ctx, input }) => updateEndpoint(ctx.domain, ctx.endpoint_policy, input)),

  disable: staffProcedure
    .input(endpointIdInput)
    .output(endpointSchema)
    .mutation(({ ctx, input }) => disableEndpoint(ctx.domain, input.id)),

  enable: staffProcedure
    .input(enableEndpointInput)
    .output(endpointSchema)
    .mutation(({ ctx, input }) => enableEndpoint(ctx.domain, input, ctx.endpoint_policy)),

  rotate: staffProcedure
    .input(rotateEndpointInput)
    .output(endpointWithSecretSchema)
    .mutation(({ ctx, input }) => rotateEndpoint(ctx.domain, ctx.endpoint_policy, input)),

  expireSecret: staffProcedure
    .input(expireEndpointSecretInput)
    .output(endpointSchema)
    .mutation(({ ctx, input }) => expireEndpointSecret(ctx.domain, input)),

  test: staffProcedure
    .input(testEndpointInput)
    .output(deliverySchema)
    .mutation(({ ctx, input }) => testEndpoint(ctx.domain, input)),

  delete: staffProcedure
    .input(endpointIdInput)
    .output(endpointSchema)
    .mutation(({ ctx, input }) => deleteEndpoint(ctx.domain, input.id)),
});
