import { z } from "zod";
import { id, idInput, timestamp, timestampInput } from "../fields.ts";
import { eventTypes } from "./events.ts";

export const deliveryStates = ["pending", "delivered", "exhausted", "canceled"] as const;
/** Why an attempt failed; docs/webhooks.md defines each code. */
export const attemptErrorCodes = [
  "timeout",
  "dns",
  "tls",
  "proxy",
  "refused",
  "reset",
  "blocked_address",
  "bad_response",
  "http_status",
] as const;

/** One event to one endpoint. */
export const deliverySchema = z
  .object({
    event_id: id.meta({ description: "The event: the `webhook-id` of its deliveries." }),
    endpoint_id: id.meta({ description: "The endpoint that receives it." }),
    event_type: z.enum(eventTypes).meta({ description: "The event's type.", example: "commission.created" }),
    state: z.enum(deliveryStates).meta({
      description:
        "`pending` until it is `delivered`; `exhausted` after its last attempt failed; `canceled` when its endpoint was disabled or deleted.",
      example: "delivered",
    }),
    attempts: z.int().meta({ description: "Attempts so far.", example: 1 }),
    last_attempt_at: timestamp.nullable().meta({ description: "When the last attempt was made." }),
    next_attempt_at: timestamp.nullable().meta({
      description: "When the next attempt is due; null when none is scheduled, or the delivery is queued.",
      example: null,
    }),
    created_at: timestamp.meta({ description: "When the event occurred." }),
  })
  .meta({ id: "Delivery" });

const attemptSchema = z
  .object({
    number: z.int().meta({ description: "The attempt's number, from 1.", example: 1 }),
    attempted_at: timestamp.meta({ description: "When the attempt started." }),
    duration_milliseconds: z.int().meta({ description: "The attempt's duration.", example: 120 }),
    status: z
      .int()
      .nullable()
      .meta({ description: "The response's status code; null without a response.", example: 204 }),
    error_code: z
      .enum(attemptErrorCodes)
      .nullable()
      .meta({ description: "Why the attempt failed; null for a success.", example: null }),
    error_message: z.string().nullable().meta({ description: "The error, for people.", example: null }),
    response: z.string().meta({ description: "The first 16 KiB of the response body.", example: "" }),
    webhook_timestamp: z.int().meta({
      description: "The header `webhook-timestamp`, in seconds since 1970: part of the signed text.",
      example: 1_795_426_200,
    }),
  })
  .meta({ id: "Attempt" });

export const deliveryWithAttemptsSchema = deliverySchema.extend({
  attempt_log: z.array(attemptSchema).meta({ description: "Attempts of the last 30 days, oldest first." }),
  body: z.string().meta({
    description:
      "The body of each attempt, byte for byte. The signed text is `<event_id>.<webhook_timestamp>.<body>`.",
  }),
});

export type Delivery = z.infer<typeof deliverySchema>;
export type AttemptErrorCode = (typeof attemptErrorCodes)[number];
export type DeliveryState = (typeof deliveryStates)[number];
export type Attempt = z.infer<typeof attemptSchema>;
export type DeliveryWithAttempts = z.infer<typeof deliveryWithAttemptsSchema>;

export const listEventDeliveriesInput = z.strictObject({ event_id: idInput });

export const deliveryIdInput = z.strictObject({ endpoint_id: idInput, event_id: idInput });

export type DeliveryId = z.output<typeof deliveryIdInput>;

/** A job that redelivers an endpoint's events from a time range, in steps. */
export const replaySchema = z
  .object({
    id: id.meta({ description: "Identifies the replay." }),
    endpoint_id: id.meta({ description: "The endpoint that receives the events." }),
    kind: z.enum(["failed", "missed"]).meta({
      description:
        "`failed` redelivers events that failed; `missed` also delivers events that had no delivery.",
      example: "failed",
    }),
    events_from: timestamp.meta({ description: "Events created at or after this time." }),
    events_to: timestamp.meta({ description: "Events created before this time." }),
    deliveries: z.int().meta({ description: "Deliveries scheduled so far.", example: 120 }),
    done_until: timestamp.nullable().meta({ description: "Events before this time have been scheduled." }),
    created_at: timestamp.meta({ description: "When the replay was created." }),
    finished_at: timestamp
      .nullable()
      .meta({ description: "When the replay finished; null while it runs.", example: null }),
    stopped_at: timestamp
      .nullable()
      .meta({ description: "When the replay was canceled; null if it was not.", example: null }),
  })
  .meta({ id: "Replay" });

export type Replay = z.infer<typeof replaySchema>;

export const createReplayInput = z
  .strictObject({ endpoint_id: idInput, events_from: timestampInput, events_to: timestampInput })
  .refine(({ events_from, events_to }) => Date.parse(events_from) < Date.parse(events_to), {
    path: ["events_to"],
    error: "Must be after the start.",
  });

export const listReplaysInput = z.strictObject({ endpoint_id: idInput });
export const replayIdInput = z.strictObject({ id: idInput });

export const replayEstimateSchema = z.object({
  deliveries: z.int().meta({
    description: "Deliveries of the range that ended without arriving, at most `most_counted`.",
    example: 120,
  }),
  most_counted: z.int().meta({ description: "Counting stops here.", example: 100_000 }),
});

export type ReplayEstimate = z.infer<typeof replayEstimateSchema>;

export type CreateReplay = z.output<typeof createReplayInput>;
