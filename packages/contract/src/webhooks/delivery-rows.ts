import { z } from "zod";
import { idInput, must, text, timestamp, timestampInput, wholeNumber } from "../fields.ts";
import { limitInput, pageOf } from "../pages.ts";
import { attemptErrorCodes, deliveryIdInput, deliverySchema, deliveryStates } from "./deliveries.ts";
import { eventTypes } from "./events.ts";

/** A delivery in the dashboard's list, with the result of its last attempt. */
const deliveryRowSchema = deliverySchema
  .extend({
    last_status: z
      .int()
      .nullable()
      .meta({ description: "The status of the last attempt's response; null without one.", example: 204 }),
    last_error_code: z.enum(attemptErrorCodes).nullable().meta({
      description: "Why the last attempt failed; null for a success, and before the first attempt.",
    }),
    last_duration_milliseconds: z
      .int()
      .nullable()
      .meta({ description: "The last attempt's duration; null before the first one.", example: 88 }),
  })
  .meta({ id: "DeliveryRow" });

export type DeliveryRow = z.infer<typeof deliveryRowSchema>;

export const deliveryRowPageSchema = pageOf(deliveryRowSchema);

const MAX_HTTP_STATUS = 999;
const ID_LENGTH = 36;
const CURSOR = /^[0-9a-f-]{36}\.[0-9a-f-]{36}$/;

const filters = {
  endpoint_id: idInput.optional().meta({ description: "Deliveries to this endpoint; otherwise to all." }),
  states: z.array(z.enum(deliveryStates)).min(1).max(deliveryStates.length).optional(),
  failed: z.boolean().optional().meta({
    description: "True: only deliveries that have not arrived and failed at their last attempt.",
  }),
  type: z.enum(eventTypes).optional(),
  error_code: z.enum(attemptErrorCodes).optional().meta({ description: "The error of the last attempt." }),
  status: wholeNumber(100, MAX_HTTP_STATUS)
    .optional()
    .meta({ description: "The status of the last attempt's response." }),
  created_from: timestampInput.optional().meta({ description: "Events at or after this time." }),
  created_until: timestampInput.optional().meta({ description: "Events before this time." }),
  text: text(ID_LENGTH)
    .regex(/^[0-9a-fA-F-]+$/, must("Must be the beginning of an event id."))
    .optional()
    .meta({ description: "The beginning of an event id." }),
};

const cursor = text(2 * ID_LENGTH + 1)
  .regex(CURSOR, must("Must be a next_cursor from a list response."))
  .optional();

export const listDeliveriesInput = z.strictObject({ ...filters, limit: limitInput, cursor });

export type ListDeliveries = z.output<typeof listDeliveriesInput>;

/** The rows on all pages of the list. */
export const matchDeliveriesInput = z.strictObject(filters);

export type MatchDeliveries = z.output<typeof matchDeliveriesInput>;

export const MAX_RETRIED = 1000;
const MAX_HOURS = 168;
const DAY_HOURS = 24;

/** Deliveries by name, or the first ones of a list. */
export const retryDeliveriesInput = z.strictObject({
  deliveries: z.array(deliveryIdInput).min(1).max(MAX_RETRIED).optional(),
  filter: z.strictObject(filters).optional(),
  cursor,
});

export const retriedDeliveriesSchema = z.object({
  retried: z.int().meta({ description: "Deliveries that are sent now.", example: 41 }),
  skipped: z
    .int()
    .meta({ description: "Deliveries to an endpoint that is disabled or deleted.", example: 0 }),
  next_cursor: z
    .string()
    .nullable()
    .meta({
      description: `With a filter: where the next request continues, at most ${MAX_RETRIED} deliveries later; null at the end.`,
      example: null,
    }),
});

export type RetryDeliveries = z.output<typeof retryDeliveriesInput>;
export type RetriedDeliveries = z.infer<typeof retriedDeliveriesSchema>;

export const countDeliveriesInput = z.strictObject({
  endpoint_id: idInput,
  hours: wholeNumber(1, MAX_HOURS).default(DAY_HOURS).meta({
    description: "How many hours, the present one included.",
    example: DAY_HOURS,
  }),
});

/** Events of an hour by how their deliveries stand now. */
const deliveryHourSchema = z.object({
  hour: timestamp.meta({ description: "The hour in which the events occurred: its first moment, in UTC." }),
  delivered: z.int().meta({ description: "Deliveries that arrived.", example: 172 }),
  failed: z.int().meta({ description: "Deliveries that ended without arriving.", example: 2 }),
  retrying: z.int().meta({ description: "Deliveries that failed and will be attempted again.", example: 0 }),
});

export const deliveryCountsSchema = z.object({
  hours: z.array(deliveryHourSchema).meta({ description: "Every hour, oldest first." }),
  is_complete: z
    .boolean()
    .meta({ description: "False: counting stopped before the end, and there are more." }),
});

export type CountDeliveries = z.output<typeof countDeliveriesInput>;
export type DeliveryCounts = z.infer<typeof deliveryCountsSchema>;
