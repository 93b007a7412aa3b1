import { z } from "zod";
import { id, idInput, must, text, timestamp, timestampInput } from "../fields.ts";
import { limitInput, pageOf } from "../pages.ts";
import { deliverySchema } from "./deliveries.ts";
import { eventTypes } from "./events.ts";

const count = z.int().meta({ example: 1 });

/** An event in the dashboard's list, with how its deliveries stand. */
const eventRowSchema = z
  .object({
    id,
    type: z.enum(eventTypes),
    about_id: id.meta({ description: "The affiliate, referral or commission that it is about." }),
    about_email: z.string().nullable().meta({
      description: "The email of that affiliate or referral, or of a commission's affiliate.",
    }),
    created_at: timestamp,
    deliveries: z
      .object({ pending: count, delivered: count, exhausted: count, canceled: count })
      .meta({ description: "Deliveries of the event by state." }),
  })
  .meta({ id: "EventRow" });

export type EventListRow = z.infer<typeof eventRowSchema>;

export const eventRowPageSchema = pageOf(eventRowSchema);

const ID_LENGTH = 36;

const filters = {
  type: z.enum(eventTypes).optional(),
  created_from: timestampInput.optional().meta({ description: "Events at or after this time." }),
  created_until: timestampInput.optional().meta({ description: "Events before this time." }),
  text: text(ID_LENGTH)
    .regex(/^[0-9a-fA-F-]+$/, must("Must be the beginning of an event id."))
    .optional()
    .meta({ description: "The beginning of an event id." }),
};

export const listEventRowsInput = z.strictObject({
  ...filters,
  limit: limitInput,
  cursor: z.uuid(must("Must be a next_cursor from a list response.")).optional(),
});

/** The rows on all pages of the list. */
export const matchEventsInput = z.strictObject(filters);

export type MatchEvents = z.output<typeof matchEventsInput>;

export type ListEventRows = z.output<typeof listEventRowsInput>;

export const eventWithDeliveriesSchema = z.object({
  id,
  type: z.enum(eventTypes),
  created_at: timestamp,
  body: z.string().meta({ description: "The body of its deliveries, byte for byte." }),
  deliveries: z.array(deliverySchema).meta({ description: "Its deliveries, one for each endpoint." }),
});

export type EventWithDeliveries = z.infer<typeof eventWithDeliveriesSchema>;

export const eventRowIdInput = z.strictObject({ id: idInput });

export const sendEventInput = z.strictObject({ id: idInput, endpoint_id: idInput });
