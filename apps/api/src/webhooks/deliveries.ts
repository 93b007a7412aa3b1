import {
  deliveryIdInput,
  deliverySchema,
  deliveryWithAttemptsSchema,
  listEventDeliveriesInput,
} from "@findersfee/contract/webhooks/deliveries";
import {
  countDeliveriesInput,
  deliveryCountsSchema,
  deliveryRowPageSchema,
  listDeliveriesInput,
  retriedDeliveriesSchema,
  retryDeliveriesInput,
} from "@findersfee/contract/webhooks/delivery-rows";
import { countDeliveries } from "@findersfee/domain/webhooks/deliveries/counts";
import { getDelivery } from "@findersfee/domain/webhooks/deliveries/get";
import { listDeliveries, listEventDeliveries } from "@findersfee/domain/webhooks/deliveries/list";
import { retryDelivery } from "@findersfee/domain/webhooks/deliveries/retry";
import { retryDeliveries } from "@findersfee/domain/webhooks/deliveries/retry-many";
import { z } from "zod";
import { adminProcedure, repeatableProcedure, router, viewProcedure } from "../trpc/trpc.ts";

export const deliveries = router({
  list: viewProcedure
    .input(listDeliveriesInput)
    .output(deliveryRowPageSchema)
    .query(({ ctx, input }) => listDeliveries(ctx.domain, input)),

  counts: viewProcedure
    .input(countDeliveriesInput)
    .output(deliveryCountsSchema)
    .query(({ ctx, input }) => countDeliveries(ctx.domain, input)),

  ofEvent: viewProcedure
    .input(listEventDeliveriesInput)
    .output(z.array(deliverySchema))
    .query(({ ctx, input }) => listEventDeliveries(ctx.domain, input.event_id)),

  get: viewProcedure
    .input(deliveryIdInput)
    .output(deliveryWithAttemptsSchema)
    .query(({ ctx, input }) => getDelivery(ctx.domain, input)),

  retry: adminProcedure
    .input(deliveryIdInput)
    .output(deliverySchema)
    .mutation(({ ctx, input }) => retryDelivery(ctx.domain, input)),

  retryMany: repeatableProcedure
    .input(retryDeliveriesInput)
    .output(retriedDeliveriesSchema)
    .mutation(({ ctx, input }) => retryDeliveries(ctx.domain, input)),
});
