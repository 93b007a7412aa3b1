import { z } from "zod";
import { codeInput, id, idInput, must, text, timestamp } from "./fields.ts";
import { limitInput, pageOf } from "./pages.ts";

/** Processors whose messages are understood; `generic` is any other biller, in a format of ours. */
export const processorNames = ["stripe", "generic"] as const;

export type ProcessorName = (typeof processorNames)[number];

const processorName = z
  .enum(processorNames)
  .meta({ description: "The payment processor.", example: "stripe" });

/** How an organization is connected to a payment processor. */
export const processorSchema = z
  .object({
    name: processorName,
    path: z.string().meta({
      description: "Where the processor sends its messages to, on this service.",
      example: "/processors/stripe/0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90",
    }),
    livemode: z.boolean().meta({
      description: "Whether it is about real money; messages of the other mode are skipped.",
      example: true,
    }),
    connected_accounts: z.array(z.string()).meta({
      description:
        "Stripe Connect accounts whose events count. Events of any other connected account are skipped (`connected_account`).",
      example: [],
    }),
    api_key_last_four: z
      .string()
      .nullable()
      .meta({ description: "How its API key ends; null: it has none.", example: "x7Qk" }),
    previous_secret_expires_at: timestamp.nullable().meta({
      description: "Until then messages signed with the secret from before the rotation are good, too.",
      example: null,
    }),
    reconciled_at: timestamp.nullable().meta({
      description: "When its events were last read to the end, to take in what never arrived.",
      example: null,
    }),
    events_checked_at: timestamp.nullable().meta({
      description: "When its webhook endpoint at Stripe was last compared with the required event types.",
      example: "2026-11-20T09:30:00.000Z",
    }),
    missing_events: z
      .array(z.string())
      .nullable()
      .meta({
        description:
          "Required event types that the webhook endpoint at Stripe does not enable; null: not known.",
        example: ["invoice_payment.paid"],
      }),
    events_check_error: z.string().nullable().meta({
      description:
        "Why `missing_events` is not known: no endpoint with this address, or a missing permission.",
      example: null,
    }),
    created_at: timestamp.meta({ description: "When it was connected." }),
  })
  .meta({ id: "Processor" });

/** The same with the secret that its messages are signed with. */
export const processorWithSecretSchema = processorSchema.extend({
  signing_secret: z.string().meta({
    description: "What its messages are signed with.",
    example: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
  }),
});

export type Processor = z.infer<typeof processorSchema>;
export type ProcessorWithSecret = z.infer<typeof processorWithSecretSchema>;

const signingSecret = text(255)
  .regex(/^whsec_[A-Za-z0-9+/=_-]{16,}$/, must("Must be a signing secret: whsec_ and what follows it."))
  .meta({
    description: "What its messages are signed with. Without it, the generic processor gets a new one.",
    example: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
  });

const apiKey = text(255)
  .regex(
    /^(rk|sk)_(live|test)_[A-Za-z0-9_]{8,}$/,
    must("Must be a restricted key of Stripe: rk_live_…, or rk_test_…."),
  )
  .nullable()
  .meta({
    description: "A restricted key of Stripe, which makes promotion codes and reads events; null: none.",
    example: null,
  });

/** A connection names each account that counts, so its list has an end. */
const MOST_CONNECTED_ACCOUNTS = 1_000;

const connectedAccounts = z
  .array(
    z
      .string()
      .regex(/^acct_[A-Za-z0-9]{1,250}$/, must("Must be Stripe's id of a connected account: acct_….")),
  )
  .max(MOST_CONNECTED_ACCOUNTS)
  .transform((accounts) => [...new Set(accounts)].sort())
  .meta({
    description: "Stripe Connect accounts whose events count like the organization's own.",
    example: ["acct_1SVmJkB7WZ01zgkW"],
  });

export const connectProcessorInput = z.strictObject({
  name: processorName,
  signing_secret: signingSecret.optional(),
  api_key: apiKey.default(null),
  livemode: z.boolean().default(true),
  connected_accounts: connectedAccounts.optional(),
});

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

/** A message of a payment processor. */
export const storedMessageSchema = z
  .object({
    processor: processorName,
    id: z
      .string()
      .meta({ description: "The processor's id of it.", example: "evt_1SVmJkB7WZ01zgkWqS6X2b3c" }),
    type: z.string().meta({ description: "What it is about.", example: "invoice.paid" }),
    account: z.string().nullable().meta({
      description: "The Stripe Connect account that the event belongs to; null: the organization's own.",
      example: null,
    }),
    state: z.enum(messageStates).meta({
      description:
        "`received` until it is `done`; `skipped` when it says nothing for us; `parked` when nobody can make it out, or working it off failed too often.",
      example: "done",
    }),
    reason: z.string().nullable().meta({
      description: "Why it was skipped or parked, or why the last attempt failed.",
      example: null,
    }),
    attempts: z.int().meta({ description: "Attempts that failed.", example: 0 }),
    next_attempt_at: timestamp.nullable().meta({ description: "When it is worked off.", example: null }),
    came_by: z.enum(["webhook", "reconciliation", "lookup"]).meta({
      description:
        "`webhook`: the processor sent it. `reconciliation`: it was missing and found among the processor's events. `lookup`: it is an answer of the processor's API.",
      example: "webhook",
    }),
    occurred_at: timestamp.meta({ description: "When it happened, as the processor says." }),
    received_at: timestamp.meta({ description: "When it came." }),
  })
  .meta({ id: "StoredMessage" });

export const storedMessageWithBodySchema = storedMessageSchema.extend({
  body: z.string().meta({ description: "The message as it came.", example: '{"id":"evt_1"}' }),
});

export type StoredMessage = z.infer<typeof storedMessageSchema>;
export type StoredMessageWithBody = z.infer<typeof storedMessageWithBodySchema>;

/** As the processors' messages name themselves: no white space, nothing that is not ASCII. */
export const messageIdInput = z.string().regex(/^[\x21-\x7e]{1,255}$/, must("Must be a message's id."));

export const listProcessorMessagesInput = z.strictObject({
  processor: processorName.optional(),
  state: z.enum(messageStates).optional(),
  type: text(255).optional(),
  limit: limitInput,
  cursor: text(600).optional(),
});

export const processorMessagePageSchema = pageOf(storedMessageSchema);

export const processorMessageIdInput = z.strictObject({ processor: processorName, id: messageIdInput });

export const rerunParkedInput = z.strictObject({ processor: processorName.optional() });

export const rerunParkedSchema = z.object({
  messages: z.int().meta({ description: "Parked messages that are worked off again.", example: 3 }),
});

export type ListProcessorMessages = z.output<typeof listProcessorMessagesInput>;
export type ProcessorMessageId = z.output<typeof processorMessageIdInput>;

export const lookupPurposes = ["products", "payment", "amounts", "promo_codes"] as const;

/** Data that a payment, refund or dispute waits for, and that is fetched from the processor's API. */
export const lookupSchema = z
  .object({
    kind: z.string().meta({ description: "Kind of the fact that waits.", example: "refund" }),
    subject: z.string().meta({ description: "Its id at the processor.", example: "re_3QsB7WZ01zgkW" }),
    purpose: z.enum(lookupPurposes).meta({
      description:
        "`payment`: a refund or dispute has no payment that is known. `products`: a payment's products decide about its commission. `amounts`: a refund or dispute is in another currency than its payment. `promo_codes`: discounts whose promotion codes are not known.",
      example: "payment",
    }),
    object_id: z
      .string()
      .meta({ description: "The object to fetch from the processor.", example: "pi_3QsB7WZ01zgkW" }),
    account: z.string().nullable().meta({ description: "The connected account that has it.", example: null }),
    attempts: z.int().meta({ description: "Failed attempts.", example: 0 }),
    error: z.string().nullable().meta({ description: "Why the last attempt failed.", example: null }),
    next_attempt_at: timestamp.nullable().meta({
      description: "When it is fetched, if the connection has an API key. Null: it failed for good.",
      example: null,
    }),
    waiting_since: timestamp.meta({ description: "Since when it has been waiting." }),
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
  lookups: z.int().meta({ description: "Lookups that are tried again.", example: 3 }),
});

export const promoCodeStates = ["wanted", "made", "failed", "none"] as const;

/** An affiliate's promotion code at Stripe. */
export const promoCodeSchema = z
  .object({
    id: id.meta({ description: "Identifies the code." }),
    affiliate_id: id.meta({ description: "The affiliate whose code it is." }),
    code: z.string().meta({ description: "What customers type.", example: "JANE" }),
    external_id: z.string().nullable().meta({
      description: "Stripe's id of it; null until there is one.",
      example: "promo_1SVmJkB7WZ01zgkW",
    }),
    linked: z.boolean().meta({ description: "Whether it was made at Stripe by hand.", example: false }),
    state: z.enum(promoCodeStates).meta({
      description:
        "`wanted`: it is to be made at Stripe. `made`: Stripe has it. `failed`: that failed for good, see `error`. `none`: its campaign has no promo codes.",
      example: "made",
    }),
    error: z.string().nullable().meta({ description: "Why the last attempt failed.", example: null }),
    attempts: z.int().meta({ description: "Attempts that failed.", example: 0 }),
    next_attempt_at: timestamp.nullable().meta({ description: "When it is tried again.", example: null }),
  })
  .meta({ id: "PromoCode" });

export type PromoCode = z.infer<typeof promoCodeSchema>;

export const listPromoCodesInput = z.strictObject({
  affiliate_id: idInput.optional(),
  failed: z.boolean().optional(),
  limit: limitInput,
  cursor: idInput.optional(),
});

export const promoCodePageSchema = pageOf(promoCodeSchema);

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
    error: "Say which one: its external_id, its code, or both.",
  });

export type ListPromoCodes = z.output<typeof listPromoCodesInput>;
export type LinkPromoCode = z.output<typeof linkPromoCodeInput>;
