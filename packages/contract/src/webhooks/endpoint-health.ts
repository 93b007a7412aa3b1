import { z } from "zod";
import { id, timestamp } from "../fields.ts";
import { attemptErrorCodes } from "./deliveries.ts";
import { endpointSchema } from "./endpoints.ts";

const endpointStates = ["ok", "failing", "disabled"] as const;

/** How an endpoint fared in the last 24 hours. */
const endpointHealthSchema = z
  .object({
    endpoint_id: id,
    state: z.enum(endpointStates).meta({
      description: "`failing` from the first failed attempt to the next success.",
    }),
    failing_since: timestamp
      .nullable()
      .meta({ description: "The first failed attempt since the last success." }),
    disabled_at: timestamp.nullable(),
    disabled_reason: endpointSchema.shape.disabled_reason,
    pending: z.int().meta({ description: "Deliveries that have not ended, at most `most_counted`." }),
    attempted: z.int().meta({
      description:
        "Deliveries of the last 24 hours that were attempted: the latest ones, at most `most_counted`.",
    }),
    delivered: z.int().meta({ description: "How many of `attempted` arrived." }),
    delivered_percent: z.number().nullable().meta({
      description:
        "The share of `attempted` that arrived, with one decimal, rounded down; null when none was attempted.",
      example: 99.1,
    }),
    p50_milliseconds: z.int().nullable().meta({
      description: "The median duration of the attempts that succeeded; null without one.",
      example: 88,
    }),
    last_failure: z
      .object({
        event_id: id,
        failed_at: timestamp,
        error_code: z.enum(attemptErrorCodes).nullable(),
        status: z.int().nullable(),
      })
      .nullable()
      .meta({ description: "The last attempt of the newest event that has not arrived; null without one." }),
  })
  .meta({ id: "EndpointHealth" });

export const endpointHealthListSchema = z.object({
  data: z.array(endpointHealthSchema).meta({ description: "All endpoints, newest first." }),
  most_counted: z.int().meta({
    description: "The maximum of each count: the more endpoints, the fewer deliveries are read of each.",
    example: 1000,
  }),
});

export type EndpointHealth = z.infer<typeof endpointHealthSchema>;
export type EndpointHealthList = z.infer<typeof endpointHealthListSchema>;
