import {
  deliveryIdInput,
  deliveryPageSchema,
  deliverySchema,
  deliveryWithAttemptsSchema,
  listDeliveriesInput,
  listEventDeliveriesInput,
} from "@findersfee/contract/deliveries";
import { getDelivery } from "@findersfee/domain/deliveries/get";
import { listDeliveries, listEventDeliveries } from "@findersfee/domain/deliveries/list";
import { retryDelivery } from "@findersfee/domain/deliveries/retry";
import { z } from "zod";
import { adminProcedure, router, viewProcedure } from "../trpc.ts";

export const deliveries = router({
  list: viewProcedure
    .input(listDeliveriesInput)
    .output(deliveryPageSchema)
    .query(({ ctx, input }) => listDeliveries(ctx.domain, input)),

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
});
