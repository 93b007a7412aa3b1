import { eventPageSchema, eventSchema, getEventInput, listEventsInput } from "@findersfee/contract/events";
import { getEvent } from "@findersfee/domain/events/get";
import { listEvents } from "@findersfee/domain/events/list";
import { readProcedure, router } from "../trpc.ts";

const tags = ["Events"];

export const events = router({
  list: readProcedure
    .meta({
      openapi: {
        method: "GET",
        path: "/events",
        tags,
        summary: "List events",
        description:
          "The events of the last 90 days as they were sent to webhook endpoints, oldest first: what a subscriber missed can be read again. Go on with `after` = the `next_cursor` of the page before, or the id of the last event you have; none is skipped. (`cursor`, as other lists call it, is the same.) `created_after` begins at a time, and `order=newest_first` shows where the feed ends.",
      },
      errors: ["not_found"],
    })
    .input(listEventsInput)
    .output(eventPageSchema)
    .query(({ ctx, input }) => listEvents(ctx.domain, input)),

  get: readProcedure
    .meta({
      openapi: {
        method: "GET",
        path: "/events/{id}",
        tags,
        summary: "Get an event",
        description:
          "An event of the last 90 days as it was sent, by the `webhook-id` of its deliveries, from the moment that it happened.",
      },
      errors: ["not_found"],
    })
    .input(getEventInput)
    .output(eventSchema)
    .query(({ ctx, input }) => getEvent(ctx.domain, input.id)),
});
