import { deliverySchema } from "@findersfee/contract/webhooks/deliveries";
import {
  eventRowIdInput,
  eventRowPageSchema,
  eventWithDeliveriesSchema,
  listEventRowsInput,
  sendEventInput,
} from "@findersfee/contract/webhooks/event-rows";
import { retryDelivery } from "@findersfee/domain/webhooks/deliveries/retry";
import { getEventWithDeliveries, listEventRows } from "@findersfee/domain/webhooks/events/list-rows";
import { adminProcedure, router, viewProcedure } from "../trpc/trpc.ts";

export const events = router({
  list: viewProcedure
    .input(listEventRowsInput)
    .output(eventRowPageSchema)
    .query(({ ctx, input }) => listEventRows(ctx.domain, input)),

  get: viewProcedure
    .input(eventRowIdInput)
    .output(eventWithDeliveriesSchema)
    .query(({ ctx, input }) => getEventWithDeliveries(ctx.domain, input.id)),

  send: adminProcedure
    .input(sendEventInput)
    .output(deliverySchema)
    .mutation(({ ctx, input: { id, endpoint_id } }) =>
      retryDelivery(ctx.domain, { event_id: id, endpoint_id }),
    ),
});
