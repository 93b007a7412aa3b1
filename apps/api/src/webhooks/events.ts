import { rowCountSchema } from "@findersfee/contract/row-pages";
import { deliverySchema } from "@findersfee/contract/webhooks/deliveries";
import {
  eventRowIdInput,
  eventRowPageSchema,
  eventWithDeliveriesSchema,
  listEventRowsInput,
  matchEventsInput,
  sendEventInput,
} from "@findersfee/contract/webhooks/event-rows";
import { jobSchema } from "@findersfee/contract/work";
import { retryDelivery } from "@findersfee/domain/webhooks/deliveries/retry";
import {
  countEvents,
  getEventWithDeliveries,
  listEventRows,
} from "@findersfee/domain/webhooks/events/list-rows";
import { startJob } from "@findersfee/domain/work/jobs/start";
import { adminProcedure, router, viewProcedure } from "../trpc/trpc.ts";

export const events = router({
  list: viewProcedure
    .input(listEventRowsInput)
    .output(eventRowPageSchema)
    .query(({ ctx, input }) => listEventRows(ctx.domain, input)),

  count: viewProcedure
    .input(matchEventsInput)
    .output(rowCountSchema)
    .query(({ ctx, input }) => countEvents(ctx.domain, input)),

  export: adminProcedure
    .input(matchEventsInput)
    .output(jobSchema)
    .mutation(({ ctx, input }) => startJob(ctx.domain, { kind: "events_export", input })),

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
