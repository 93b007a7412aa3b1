import { z } from "zod";
import { id, idInput, must, text, timestamp, wholeNumber } from "../fields.ts";
import { eventTypes } from "./events.ts";

const MAX_URL_LENGTH = 2048;
const MAX_DESCRIPTION_LENGTH = 1000;
const DAY_SECONDS = 24 * 60 * 60;
const MAX_OVERLAP_DAYS = 30;
const MAX_REQUESTS_PER_SECOND = 1000;
const MAX_CAMPAIGNS = 100;

const describe = {
  event_types: "The event types to deliver; null for all, including types added in later versions.",
  description: "A note about the endpoint's purpose.",
  requests_per_second: `The maximum number of attempts started per second, 1 to ${MAX_REQUESTS_PER_SECOND}; null for no limit.`,
  ordered:
    "Strict order: one delivery at a time, the oldest event first. A failing event holds back the later ones until it is delivered or exhausted.",
  campaign_ids:
    "Only events of these campaigns: their affiliates, and the affiliates' referrals and commissions. Null for all events.",
};

const disabledReasons = ["operator", "gone", "failing", "secret"] as const;

const endpointSecretSchema = z
  .object({
    id: id.meta({ description: "Identifies the secret." }),
    created_at: timestamp.meta({ description: "When the secret was created." }),
    expires_at: timestamp.nullable().meta({
      description: "When the secret expires; null for the current one.",
      example: null,
    }),
  })
  .meta({ id: "EndpointSecret" });

const customHeaderSchema = z
  .object({
    name: z.string().meta({ description: "The header's name.", example: "X-Api-Key" }),
    updated_at: timestamp.meta({ description: "When the value was last set." }),
  })
  .meta({ id: "EndpointCustomHeader" });

/** A webhook endpoint: the URL that receives an organization's events. */
export const endpointSchema = z
  .object({
    id: id.meta({ description: "Identifies the endpoint." }),
    url: z
      .string()
      .meta({ description: "The URL that receives events.", example: "https://example.com/webhooks" }),
    event_types: z
      .array(z.enum(eventTypes))
      .nullable()
      .meta({ description: describe.event_types, example: null }),
    description: z.string().meta({ description: describe.description, example: "Ledger" }),
    requests_per_second: z
      .int()
      .nullable()
      .meta({ description: describe.requests_per_second, example: null }),
    ordered: z.boolean().meta({ description: describe.ordered, example: false }),
    campaign_ids: z.array(id).nullable().meta({ description: describe.campaign_ids, example: null }),
    custom_headers: z.array(customHeaderSchema).meta({
      description: "Custom headers sent with each delivery; their values are never shown.",
      example: [],
    }),
    enabled: z.boolean().meta({ description: "Whether the endpoint receives events.", example: true }),
    disabled_at: timestamp.nullable().meta({ description: "When the endpoint was disabled.", example: null }),
    disabled_reason: z.enum(disabledReasons).nullable().meta({
      description:
        "Why the endpoint is disabled: by an operator or the organization, after a 410 response, after every delivery failed for 5 days, or because its signing secret or custom headers cannot be decrypted.",
      example: null,
    }),
    failing_since: timestamp
      .nullable()
      .meta({ description: "The first failed attempt since the last success.", example: null }),
    secrets: z.array(endpointSecretSchema).meta({
      description:
        "The valid signing secrets, the current one first. Each signs every delivery; the secrets themselves are not shown here.",
    }),
    created_at: timestamp.meta({ description: "When the endpoint was created." }),
  })
  .meta({ id: "Endpoint" });

/** An endpoint with the secret that its receiver uses to verify deliveries. */
export const endpointWithSecretSchema = endpointSchema.extend({
  secret: z.string().meta({
    description: "The signing secret: `whsec_` and base64.",
    example: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
  }),
});

export const currentSecretSchema = z.object({
  secret: endpointWithSecretSchema.shape.secret.nullable().meta({
    description: "The signing secret; null when it cannot be decrypted: rotate it.",
    example: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
  }),
});

export type Endpoint = z.infer<typeof endpointSchema>;
export type EndpointWithSecret = z.infer<typeof endpointWithSecretSchema>;
export type CurrentSecret = z.infer<typeof currentSecretSchema>;

const eventTypesInput = z
  .array(z.enum(eventTypes))
  .min(1, must("Must name at least one event type."))
  .transform((types) => [...new Set(types)])
  .nullable()
  .meta({ description: describe.event_types, example: null });

const url = text(MAX_URL_LENGTH).meta({
  description: "An https URL.",
  example: "https://example.com/webhooks",
});
const description = text(MAX_DESCRIPTION_LENGTH).meta({
  description: describe.description,
  example: "Ledger",
});

/** Optional when creating and updating. */
const settings = {
  requests_per_second: wholeNumber(1, MAX_REQUESTS_PER_SECOND)
    .nullable()
    .optional()
    .meta({ description: describe.requests_per_second, example: 50 }),
  ordered: z.boolean().optional().meta({ description: describe.ordered, example: false }),
  campaign_ids: z
    .array(idInput.toLowerCase())
    .min(1, must("Must name at least one campaign."))
    .max(MAX_CAMPAIGNS)
    .transform((ids) => [...new Set(ids)])
    .nullable()
    .optional()
    .meta({ description: describe.campaign_ids, example: null }),
};

export const createEndpointInput = z.strictObject({
  url,
  event_types: eventTypesInput.default(null),
  description: description.default(""),
  ...settings,
  custom_headers: z
    .record(z.string(), z.string())
    .optional()
    .meta({
      description: "Custom headers to send with each delivery, by name: at most 10.",
      example: { "X-Api-Key": "5f0b9a7c" },
    }),
});

export const updateEndpointInput = z.strictObject({
  id: idInput,
  url: url.optional(),
  event_types: eventTypesInput.optional(),
  description: description.optional(),
  ...settings,
  custom_headers: z
    .record(z.string(), z.string().nullable())
    .optional()
    .meta({
      description: "Headers to set, by name; null removes a header. Other headers keep their values.",
      example: { "X-Api-Key": "5f0b9a7c", "X-Former": null },
    }),
});

export const rotateEndpointInput = z.strictObject({
  id: idInput,
  overlap_seconds: wholeNumber(0, MAX_OVERLAP_DAYS * DAY_SECONDS)
    .default(DAY_SECONDS)
    .meta({
      description:
        "Seconds that the current secret stays valid alongside the new one; 0 for a leaked secret.",
      example: DAY_SECONDS,
    }),
});

export const expireEndpointSecretInput = z.strictObject({
  id: idInput,
  secret_id: idInput.meta({ description: "The previous secret to expire now." }),
});

export const enableEndpointInput = z.strictObject({
  id: idInput,
  replay_missed: z.boolean().default(false).meta({
    description:
      "Also deliver missed events: failed deliveries, and events from while the endpoint was disabled.",
    example: true,
  }),
});

export const testEndpointInput = z.strictObject({
  id: idInput,
  type: z.enum(eventTypes).optional().meta({
    description:
      "The event type to send, even if the endpoint does not subscribe to it. Default: a type that it subscribes to.",
    example: "commission.created",
  }),
});

export const endpointIdInput = z.strictObject({ id: idInput });

export type CreateEndpoint = z.output<typeof createEndpointInput>;
export type UpdateEndpoint = z.output<typeof updateEndpointInput>;
export type RotateEndpoint = z.output<typeof rotateEndpointInput>;
export type ExpireEndpointSecret = z.output<typeof expireEndpointSecretInput>;
export type TestEndpoint = z.output<typeof testEndpointInput>;
export type EnableEndpoint = z.output<typeof enableEndpointInput>;
