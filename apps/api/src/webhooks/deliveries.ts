import { rowCountSchema } from "@findersfee/contract/row-pages";
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
  matchDeliveriesInput,
  retriedDeliveriesSchema,
  retryDeliveriesInput,
} from "@findersfee/contract/webhooks/delivery-rows";
import { jobSchema } from "@findersfee/contract/work";
import { countDeliveries } from "@findersfee/domain/webhooks/deliveries/counts";
import { getDelivery } from "@findersfee/domain/webhooks/deliveries/get";
import {
  countListedDeliveries,
  listDeliveries,
  listEventDeliveries,
} from "@findersfee/domain/webhooks/deliveries/list";
import { retryDelivery } from "@findersfee/domain/webhooks/deliveries/retry";
import { retryDeliveries } from "@findersfee/domain/webhooks/deliveries/retry-many";
import { startJob } from "@findersfee/domain/work/jobs/start";
import { z } from "zod";
import { adminProcedure, repeatableProcedure, router, viewProcedure } from "../trpc/trpc.ts";

export const deliveries = router({
  list: viewProcedure
    .input(listDeliveriesInput)
    .output(deliveryRowPageSchema)
    .query(({ ctx, input }) => listDeliveries(ctx.domain, input)),

  count: viewProcedure
    .input(matchDeliveriesInput)
    .output(rowCountSchema)
    .query(({ ctx, input }) => countListedDeliveries(ctx.domain, input)),

  export: adminProcedure
    .input(matchDeliveriesInput)
    .output(jobSchema)
    .mutation(({ ctx, input }) => startJob(ctx.domain, { kind: "deliveries_export", input })),

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
