import {
  eventPageSchema,
  eventSchema,
  getEventInput,
  listEventsInput,
} from "@findersfee/contract/webhooks/events";
import { getEvent } from "@findersfee/domain/webhooks/events/get";
import { listEvents } from "@findersfee/domain/webhooks/events/list";
import { readProcedure, router } from "../trpc/trpc.ts";

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
          "The events of the last 90 days as sent to webhook endpoints, oldest first, so that a subscriber can read missed events. To continue, pass `after` with the `next_cursor` of the previous page or the id of the last event you have; no event is skipped. (`cursor`, as in other lists, is an alias.) `created_after` starts at a time, and `order=newest_first` starts at the end of the feed.",
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
          "An event of the last 90 days as sent, by the `webhook-id` of its deliveries. Available as soon as the event occurs.",
      },
      errors: ["not_found"],
    })
    .input(getEventInput)
    .output(eventSchema)
    .query(({ ctx, input }) => getEvent(ctx.domain, input.id)),
});
