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
import { router, staffProcedure } from "../trpc.ts";

export const deliveries = router({
  list: staffProcedure
    .input(listDeliveriesInput)
    .output(deliveryPageSchema)
    .query(({ ctx, input }) => listDeliveries(ctx.domain, input)),

  ofEvent: staffProcedure
    .input(listEventDeliveriesInput)
    .output(z.array(deliverySchema))
    .query(({ ctx, input }) => listEventDeliveries(ctx.domain, input.event_id)),

  get: staffProcedure
    .input(deliveryIdInput)
    .output(deliveryWithAttemptsSchema)
    .query(({ ctx, input }) => getDelivery(ctx.domain, input)),

  retry: staffProcedure
    .input(deliveryIdInput)
    .output(deliverySchema)
    .mutation(({ ctx, input }) => retryDelivery(ctx.domain, input)),
});
