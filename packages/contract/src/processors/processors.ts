import { z } from "zod";
import { codeInput, id, idInput, must, text, timestamp, timestampInput } from "../fields.ts";
import { limitInput, pageOf } from "../pages.ts";

/** Supported processors; `generic` is any other billing system, in this service's own format. */
export const processorNames = ["stripe", "generic"] as const;

export type ProcessorName = (typeof processorNames)[number];

const processorName = z
  .enum(processorNames)
  .meta({ description: "The payment processor.", example: "stripe" });

const endpointStates = [
  "creating",
  "active",
  "events_missing",
  "disabled",
  "deleted",
  "moved",
  "failed",
  "deleting",
  "undeletable",
] as const;

/** The webhook endpoint at Stripe that the service created with an API key. */
const endpointFields = {
  endpoint_state: z.enum(endpointStates).nullable().meta({
    description:
      "The webhook endpoint that the service created at Stripe; null: a person created it. `creating`: is being created or repaired. `active`: sends all required event types. `events_missing`, `disabled`, `deleted`, `moved` (to another URL): somebody changed it at Stripe; repair it. `failed`: Stripe rejected its creation, see `endpoint_error`. `deleting`: the connection ends when it is deleted. `undeletable`: it could not be deleted, see `endpoint_error`.",
    example: "active",
  }),
  endpoint_id: z.string().nullable().meta({
    description: "Stripe's id of that endpoint; null until it is created.",
    example: "we_1SVmJkB7WZ01zgkW",
  }),
  endpoint_url: z.string().nullable().meta({
    description: "The address that the endpoint was created with.",
    example: "https://partners.example.com/processors/stripe/0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90",
  }),
  endpoint_error: z.string().nullable().meta({
    description: "Why the endpoint could not be created, checked or deleted.",
    example: null,
  }),
};

/** An organization's connection to a payment processor. */
export const processorSchema = z
  .object({
    name: processorName,
    path: z.string().meta({
      description: "The URL on this service that receives the processor's webhooks.",
      example: "/processors/stripe/0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90",
    }),
    livemode: z.boolean().meta({
      description: "Whether the connection is for live mode; messages of the other mode are skipped.",
      example: true,
    }),
    connected_accounts: z.array(z.string()).meta({
      description:
        "Stripe Connect accounts to accept events from. Events of any other connected account are skipped (`connected_account`).",
      example: [],
    }),
    api_key_last_four: z
      .string()
      .nullable()
      .meta({ description: "The last characters of the API key; null without one.", example: "x7Qk" }),
    previous_secret_expires_at: timestamp.nullable().meta({
      description: "Messages signed with the previous secret are accepted until this time.",
      example: null,
    }),
    reconciled_at: timestamp.nullable().meta({
      description: "When a reconciliation of missed events last completed.",
      example: null,
    }),
    events_checked_at: timestamp.nullable().meta({
      description: "When the required event types of the webhook endpoint at Stripe were last checked.",
      example: "2026-11-20T09:30:00.000Z",
    }),
    missing_events: z
      .array(z.string())
      .nullable()
      .meta({
        description:
          "Required event types that the webhook endpoint at Stripe does not enable; null when unknown.",
        example: ["invoice_payment.paid"],
      }),
    events_check_error: z.string().nullable().meta({
      description: "Why `missing_events` is unknown: no endpoint with this address, or a missing permission.",
      example: null,
    }),
    ...endpointFields,
    missing_rights: z
      .array(z.string())
      .nullable()
      .meta({
        description: "Permissions that the API key lacks; null when unknown.",
        example: ["events:read"],
      }),
    rights_checked_at: timestamp.nullable().meta({
      description: "When the permissions of the API key were last checked.",
      example: "2026-11-20T09:30:00.000Z",
    }),
    created_at: timestamp.meta({ description: "When the processor was connected." }),
  })
  .meta({ id: "Processor" });

/** A connection with the secret that signs its messages. */
export const processorWithSecretSchema = processorSchema.extend({
  signing_secret: z.string().meta({
    description: "The secret that signs the processor's messages.",
    example: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
  }),
});

/** A connection in the dashboard's list, with how it fares. */
export const connectionSchema = processorSchema
  .extend({
    last_message_at: timestamp.nullable().meta({
      description: "When the last message was received; null: none has arrived.",
    }),
    last_message_type: z.string().nullable().meta({ description: "Its type.", example: "invoice.paid" }),
    refused_at: timestamp.nullable().meta({
      description: "When a message was last refused, for example because of its signature; null: none was.",
      example: null,
    }),
    refused_reason: z.string().nullable().meta({ description: "Why.", example: null }),
    reconcile_requested_at: timestamp.nullable().meta({
      description: "When the reconciliation that runs, or is about to, was requested; null: none.",
      example: null,
    }),
    reconciled_events: z
      .int()
      .nullable()
      .meta({ description: "Missed events that the last reconciliation imported.", example: 0 }),
    reconcile_error: z
      .string()
      .nullable()
      .meta({ description: "Why the last reconciliation failed; null: it did not.", example: null }),
  })
  .meta({ id: "Connection" });

export type Connection = z.infer<typeof connectionSchema>;

export type Processor = z.infer<typeof processorSchema>;
export type ProcessorWithSecret = z.infer<typeof processorWithSecretSchema>;

const signingSecret = text(255)
  .regex(/^whsec_[A-Za-z0-9+/=_-]{16,}$/, must("Must be a signing secret, beginning with whsec_."))
  .meta({
    description:
      "The secret that signs the processor's messages. Default for the generic processor: a new one.",
    example: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
  });

const stripeKey = text(255).regex(
  /^(rk|sk)_(live|test)_[A-Za-z0-9_]{8,}$/,
  must("Must be a restricted key of Stripe: rk_live_… or rk_test_…."),
);

const apiKey = stripeKey.nullable().meta({
  description: "A restricted key of Stripe, for creating promotion codes and reading events; null for none.",
  example: null,
});

/** The accounts are listed in each connection, so their number is bounded. */
const MAX_CONNECTED_ACCOUNTS = 1_000;

const connectedAccounts = z
  .array(
    z
      .string()
      .regex(/^acct_[A-Za-z0-9]{1,250}$/, must("Must be Stripe's id of a connected account: acct_….")),
  )
  .max(MAX_CONNECTED_ACCOUNTS)
  .transform((accounts) => [...new Set(accounts)].sort())
  .meta({
    description:
      "Stripe Connect accounts to accept events from, in addition to the organization's own account.",
    example: ["acct_1SVmJkB7WZ01zgkW"],
  });

export const connectProcessorInput = z.strictObject({
  name: processorName,
  signing_secret: signingSecret.optional(),
  api_key: apiKey.default(null),
  livemode: z.boolean().default(true),
  connected_accounts: connectedAccounts.optional(),
});

/** Connects Stripe by a key alone; its prefix names the mode. */
export const connectStripeInput = z.strictObject({
  api_key: stripeKey.meta({
    description: "A restricted key of Stripe that may write webhook endpoints.",
    example: "rk_live_51SVmJkB7WZ01zgkW",
  }),
  connected_accounts: connectedAccounts.optional(),
});

export const repairStripeInput = z.strictObject({});

/** Whether and how Stripe can be connected by a key. */
export const stripeSetupSchema = z.object({
  endpoint_url: z.string().nullable().meta({
    description: "The address of the endpoint that the service would create; null: see `problem`.",
  }),
  problem: z.string().nullable().meta({ description: "Why Stripe cannot reach the service.", example: null }),
  uses_promo_codes: z
    .boolean()
    .meta({ description: "Whether a campaign uses promotion codes.", example: true }),
});

export const disconnectProcessorInput = z.strictObject({
  name: processorName,
  leave_endpoint: z.boolean().default(false).meta({
    description: "Disconnects at once, and leaves the endpoint that the service created at Stripe.",
  }),
});

export type ConnectStripe = z.output<typeof connectStripeInput>;
export type DisconnectProcessor = z.output<typeof disconnectProcessorInput>;
export type StripeSetup = z.infer<typeof stripeSetupSchema>;

export const updateProcessorInput = z.strictObject({
  name: processorName,
  api_key: apiKey.optional(),
  livemode: z.boolean().optional(),
  connected_accounts: connectedAccounts.optional(),
});

export const rotateProcessorInput = z.strictObject({
  name: processorName,
  signing_secret: signingSecret.optional(),
});

export const processorNameInput = z.strictObject({ name: processorName });

export type ConnectProcessor = z.output<typeof connectProcessorInput>;
export type UpdateProcessor = z.output<typeof updateProcessorInput>;
export type RotateProcessor = z.output<typeof rotateProcessorInput>;

export const messageStates = ["received", "done", "skipped", "parked"] as const;

/** An inbound webhook: a message from a payment processor. */
export const inboundWebhookSchema = z
  .object({
    processor: processorName,
    id: z
      .string()
      .meta({ description: "The processor's id of the message.", example: "evt_1SVmJkB7WZ01zgkWqS6X2b3c" }),
    type: z.string().meta({ description: "The message's type.", example: "invoice.paid" }),
    account: z.string().nullable().meta({
      description: "The Stripe Connect account that the event belongs to; null for the organization's own.",
      example: null,
    }),
    state: z.enum(messageStates).meta({
      description:
        "`received` until it is `done`; `skipped` when it needs no processing; `parked` (dead-lettered) when it cannot be parsed or processing failed too often.",
      example: "done",
    }),
    reason: z.string().nullable().meta({
      description: "Why it was skipped or dead-lettered, or why the last attempt failed.",
      example: null,
    }),
    attempts: z.int().meta({ description: "Failed attempts.", example: 0 }),
    next_attempt_at: timestamp.nullable().meta({ description: "When it is processed next.", example: null }),
    came_by: z.enum(["webhook", "reconciliation", "lookup"]).meta({
      description:
        "`webhook`: sent by the processor. `reconciliation`: missed, and imported from the processor's list of events. `lookup`: fetched from the processor's API.",
      example: "webhook",
    }),
    occurred_at: timestamp.meta({ description: "When it occurred, according to the processor." }),
    received_at: timestamp.meta({ description: "When it was received." }),
  })
  .meta({ id: "InboundWebhook" });

export const messageBodySchema = z.object({
  body: z.string().meta({ description: "The message as received.", example: '{"id":"evt_1"}' }),
});

export type InboundWebhook = z.infer<typeof inboundWebhookSchema>;
export type MessageBody = z.infer<typeof messageBodySchema>;

/** The id formats of the processors: printable ASCII without spaces. */
export const messageIdInput = z.string().regex(/^[\x21-\x7e]{1,255}$/, must("Must be a message's id."));

export const listProcessorMessagesInput = z.strictObject({
  processor: processorName.optional(),
  state: z.enum(messageStates).optional(),
  type: text(255).optional(),
  text: messageIdInput
    .optional()
    .meta({ description: "The beginning of a message's id.", example: "evt_1S" }),
  received_from: timestampInput.optional().meta({ description: "Received at or after this time." }),
  received_until: timestampInput.optional().meta({ description: "Received before this time." }),
  limit: limitInput,
  cursor: text(600).optional(),
});

export const processorMessagePageSchema = pageOf(inboundWebhookSchema);

export const processorMessageIdInput = z.strictObject({ processor: processorName, id: messageIdInput });

/** A decision about a payment that a message reported, or that followed from its customer. */
const ledToSchema = z.object({
  id: id.meta({ description: "Identifies the decision." }),
  processor_payment_id: z.string(),
  outcome: z.string().meta({ example: "commission" }),
  paid_at: timestamp,
  currency: z.string(),
  revenue_amount: z.number(),
  commission_amount: z.number(),
  commission_id: id.nullable(),
});

export const inboundWebhookDetailSchema = inboundWebhookSchema
  .extend({
    decisions: z.array(ledToSchema).meta({
      description:
        "Decisions about the payments that the message reports; of a customer's report, about all of the customer's. The latest payments first, at most 20.",
    }),
  })
  .meta({ id: "InboundWebhookDetail" });

export type InboundWebhookDetail = z.infer<typeof inboundWebhookDetailSchema>;

const messageCount = z.int().meta({ example: 3 });

export const messageCountsSchema = z.object({
  received: messageCount.meta({ description: "Messages that wait to be processed." }),
  parked: messageCount.meta({ description: "Dead-lettered messages." }),
  last_day: z
    .object({ received: messageCount, done: messageCount, skipped: messageCount, parked: messageCount })
    .meta({ description: "The messages of the last 24 hours, the newest ones, by state." }),
  most_counted: z.int().meta({ description: "Counting stops here.", example: 1000 }),
});

export type MessageCounts = z.infer<typeof messageCountsSchema>;

export const countProcessorMessagesInput = z.strictObject({ processor: processorName.optional() });

export const rerunDeadLetteredInput = z.strictObject({ processor: processorName.optional() });

export const rerunDeadLetteredSchema = z.object({
  messages: z.int().meta({ description: "Dead-lettered messages that are processed again.", example: 3 }),
});

export type ListProcessorMessages = z.output<typeof listProcessorMessagesInput>;
export type ProcessorMessageId = z.output<typeof processorMessageIdInput>;

export const lookupPurposes = ["products", "payment", "amounts", "promo_codes"] as const;

/** Data to fetch from the processor's API, which a payment, refund or dispute requires. */
const lookupSchema = z
  .object({
    kind: z.string().meta({ description: "The kind of fact that requires the data.", example: "refund" }),
    subject: z.string().meta({ description: "The fact's id at the processor.", example: "re_3QsB7WZ01zgkW" }),
    purpose: z.enum(lookupPurposes).meta({
      description:
        "`payment`: the payment of a refund or dispute is unknown. `products`: the commission depends on the payment's products. `amounts`: a refund or dispute is in a different currency than its payment. `promo_codes`: the promotion codes of a discount are unknown.",
      example: "payment",
    }),
    object_id: z
      .string()
      .meta({ description: "The object to fetch from the processor.", example: "pi_3QsB7WZ01zgkW" }),
    account: z
      .string()
      .nullable()
      .meta({ description: "The connected account that owns the object.", example: null }),
    attempts: z.int().meta({ description: "Failed attempts.", example: 0 }),
    error: z.string().nullable().meta({ description: "Why the last attempt failed.", example: null }),
    next_attempt_at: timestamp.nullable().meta({
      description:
        "When it is fetched, if the connection has an API key; null after the last attempt failed.",
      example: null,
    }),
    waiting_since: timestamp.meta({ description: "When the lookup was created." }),
  })
  .meta({ id: "ProcessorLookup" });

export type ProcessorLookup = z.infer<typeof lookupSchema>;

export const lookupPageSchema = pageOf(lookupSchema);

export const listLookupsInput = z.strictObject({
  purpose: z.enum(lookupPurposes).optional(),
  limit: limitInput,
  cursor: text(600).optional(),
});

export type ListLookups = z.output<typeof listLookupsInput>;

export const retryLookupsInput = z.strictObject({});

export const retryLookupsSchema = z.object({
  lookups: z.int().meta({ description: "Lookups that are retried.", example: 3 }),
});

const promoCodeStates = ["wanted", "needs_key", "made", "failed", "own", "none"] as const;

/** An affiliate's promotion code at Stripe. */
export const promoCodeSchema = z
  .object({
    id: id.meta({ description: "Identifies the code." }),
    affiliate_id: id.meta({ description: "The affiliate that owns the code." }),
    code: z.string().meta({ description: "The code that customers enter.", example: "JANE" }),
    external_id: z.string().nullable().meta({
      description: "Stripe's id of the code; null until it exists at Stripe.",
      example: "promo_1SVmJkB7WZ01zgkW",
    }),
    linked: z
      .boolean()
      .meta({ description: "Whether the code was created manually at Stripe.", example: false }),
    state: z.enum(promoCodeStates).meta({
      description:
        "`wanted`: queued for creation at Stripe. `needs_key`: waits for an API key of Stripe. `own`: the organization creates it at another processor. `made`: exists at Stripe. `failed`: creation failed permanently, see `error`. `none`: the campaign has no promo codes.",
      example: "made",
    }),
    error: z.string().nullable().meta({ description: "Why the last attempt failed.", example: null }),
    attempts: z.int().meta({ description: "Failed attempts.", example: 0 }),
    next_attempt_at: timestamp.nullable().meta({ description: "When it is retried.", example: null }),
  })
  .meta({ id: "PromoCode" });

export type PromoCode = z.infer<typeof promoCodeSchema>;

export const listPromoCodesInput = z.strictObject({
  affiliate_id: idInput.optional(),
  failed: z.boolean().optional(),
  limit: limitInput,
  cursor: idInput.optional(),
});

/** A promo code in a list. */
const promoCodeRowSchema = promoCodeSchema
  .extend({ affiliate_email: z.string().meta({ description: "The affiliate's email." }) })
  .meta({ id: "PromoCodeRow" });

export type PromoCodeRow = z.infer<typeof promoCodeRowSchema>;

export const promoCodePageSchema = pageOf(promoCodeRowSchema);

export const affiliateIdInput = z.strictObject({ affiliate_id: idInput });

export const linkPromoCodeInput = z
  .strictObject({
    affiliate_id: idInput,
    external_id: z
      .string()
      .regex(/^promo_[A-Za-z0-9]{1,250}$/, must("Must be Stripe's id of a promotion code: promo_…."))
      .optional(),
    code: codeInput.optional(),
  })
  .refine(({ external_id, code }) => external_id !== undefined || code !== undefined, {
    path: ["external_id"],
    error: "Enter the id of the promotion code, its code, or both.",
  });

export type ListPromoCodes = z.output<typeof listPromoCodesInput>;
export type LinkPromoCode = z.output<typeof linkPromoCodeInput>;
