import { eventPageSchema, listEventsInput } from "@findersfee/contract/events";
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
          "The events of the last 90 days as they were sent to webhook endpoints, oldest first: what a subscriber missed can be read again. Go on with `after` = the `next_cursor` of the page before, or the id of the last event you have; none is skipped.",
      },
      errors: ["not_found"],
    })
    .input(listEventsInput)
    .output(eventPageSchema)
    .query(({ ctx, input }) => listEvents(ctx.domain, input)),
});
