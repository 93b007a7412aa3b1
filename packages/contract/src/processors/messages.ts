import { z } from "zod";
import { billingIntervals, MAX_METADATA_VALUE } from "../campaigns/rules.ts";
import { currencyInput, MAX_AMOUNT, must, name, text, timestampInput } from "../fields.ts";

/*
 * The messages of the generic processor, which any billing system can send (docs/processors.md). Amounts are
 * in major units, as everywhere in the API.
 */

/** An id of the sender, in any format. */
const ownId = text(255).min(1);

const payment_id = ownId.meta({
  description: "Your id of the payment. Refunds and disputes refer to it.",
  example: "inv_1042",
});

const amount = z.number().min(0).max(MAX_AMOUNT);

const references = z
  .array(ownId)
  .max(20)
  .default([])
  .meta({
    description:
      "Other ids of yours for the same payment: the charge of an invoice, the invoice of a checkout. Messages that share one belong to the same payment.",
    example: ["ch_77"],
  });

const belongs_to = z
  .array(ownId)
  .max(20)
  .default([])
  .meta({
    description:
      "Ids of the order, subscription or other group that it belongs to. They identify the customer when nothing else does.",
    example: ["sub_9"],
  });

const customer_id = ownId.meta({ description: "Your id of the customer.", example: "cus_Nk3" });

const email = text(512)
  .nullable()
  .overwrite((value) => value?.trim() || null)
  .default(null)
  .meta({ description: "The customer's email.", format: "email", example: "customer@example.com" });

const promoCode = z
  .strictObject({
    code: text(500)
      .min(1)
      .nullable()
      .default(null)
      .meta({ description: "The code that the customer entered.", example: "JANE20" }),
    external_id: ownId.nullable().default(null).meta({
      description: "Your id of the promotion code, as in the affiliate's `promo_codes`.",
      example: null,
    }),
  })
  .refine(
    ({ code, external_id }) => code !== null || external_id !== null,
    must("Must have a code, an id, or both."),
  );

const promo_codes = z
  .array(promoCode)
  .max(20)
  .default([])
  .meta({
    description:
      "Promotion codes that the customer used. If several belong to affiliates, the first one counts.",
    example: [{ code: "JANE20", external_id: null }],
  });

const click_ids = z
  .array(z.uuid(must("Must be a UUID.")).toLowerCase())
  .max(20)
  .default([])
  .meta({
    description:
      "Click ids that the tracker passed to your checkout. If there are several, the last click counts.",
    example: ["0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90"],
  });

const country = z
  .string()
  .regex(/^[A-Z]{2}$/, must("Must be two capital letters, as in DE."))
  .optional()
  .meta({
    description: "The customer's country, ISO 3166. The latest one counts in reports.",
    example: "DE",
  });

const who = {
  customer_id: customer_id.nullable().default(null),
  email,
  country,
  promo_codes,
  click_ids,
};

/** A time that defaults to the message's own. */
function timeOf(description: string) {
  return timestampInput.optional().meta({
    description: `${description} Default: \`occurred_at\`.`,
    format: "date-time",
    example: "2026-11-20T09:30:00.000Z",
  });
}

const currency = currencyInput.meta({
  description: "ISO 4217 code in upper case. For refunds and disputes, the payment's currency.",
  pattern: "^[A-Z]{3}$",
  example: "USD",
});

const ownKey = name(40);
const MAX_KEYS = 50;

const dataSchemas = {
  customer: z
    .strictObject({ ...who, customer_id, created_at: timeOf("When the customer was created.") })
    .meta({ description: "A customer's current state." }),

  checkout: z
    .strictObject({
      checkout_id: ownId.meta({ description: "Your id of the checkout or order.", example: "order_881" }),
      opened_at: timeOf("When the customer opened it: clicks and codes up to that time count."),
      ...who,
      references,
      belongs_to,
    })
    .meta({
      description: "A checkout that was completed, paid or not. It links the customer to an affiliate.",
    }),

  payment: z
    .strictObject({
      payment_id,
      paid_at: timeOf("When the customer paid."),
      currency,
      revenue_amount: amount.meta({
        description: "The amount paid after discounts and without tax. Commissions are computed from it.",
        example: 100,
      }),
      paid_amount: amount.optional().meta({
        description:
          "The total amount paid, including tax; refunds are parts of it. Default: `revenue_amount`.",
        example: 119,
      }),
      line_items: z
        .array(
          z.strictObject({
            product_id: ownId
              .nullable()
              .meta({ description: "Your id of the product; null for none.", example: "prod_basic" }),
            amount: z.number().min(-MAX_AMOUNT).max(MAX_AMOUNT).meta({
              description: "May be negative, as for the unused part of a previous plan.",
              example: 100,
            }),
            interval: z.enum(billingIntervals).optional().meta({
              description: "How it is billed, for commission rules.",
              example: "month",
            }),
          }),
        )
        .max(1000)
        .default([])
        .meta({
          description:
            "`revenue_amount` by product, for campaigns with product rates; must add up to it. Without them, all of it counts at the campaign's rate.",
        }),
      ...who,
      metadata: z
        .record(ownKey, text(MAX_METADATA_VALUE))
        .refine(
          (metadata) => Object.keys(metadata).length <= MAX_KEYS,
          must(`Must have at most ${MAX_KEYS} keys.`),
        )
        .optional()
        .meta({
          description: "For commission rules. Values of keys that no rule names are not stored.",
          example: { plan: "enterprise" },
        }),
      references,
      belongs_to,
    })
    .refine(({ revenue_amount, paid_amount }) => paid_amount === undefined || revenue_amount <= paid_amount, {
      path: ["revenue_amount"],
      ...must("Must be at most the amount paid."),
    })
    .meta({ description: "A completed payment. Zero is allowed and earns nothing." }),

  refund: z
    .strictObject({
      refund_id: ownId.meta({
        description: "Your id of the refund; each refund counts once.",
        example: "re_31",
      }),
      payment_id,
      currency,
      amount: amount.meta({ description: "The amount refunded, including tax.", example: 59.5 }),
      refunded_at: timeOf("When the refund was requested."),
      status: z
        .enum(["succeeded", "failed"])
        .default("succeeded")
        .meta({ description: "`failed`: the refund did not go through, so the commission is restored." }),
      references,
    })
    .meta({ description: "A full or partial refund of a payment." }),

  dispute: z
    .strictObject({
      dispute_id: ownId.meta({ description: "Your id of the dispute.", example: "dp_5" }),
      payment_id,
      currency,
      amount: amount.meta({ description: "The disputed amount.", example: 119 }),
      opened_at: timeOf("When the customer disputed the payment."),
      status: z.enum(["inquiry", "open", "lost", "won"]).meta({
        description:
          "`inquiry`: a question, no money is withheld. `open`: the money is withheld. `lost`: the money is gone. `won`: the money came back.",
        example: "open",
      }),
      references,
    })
    .meta({ description: "A dispute of a payment. Send it again when its status changes." }),

  subscription: z
    .strictObject({
      subscription_id: ownId.meta({ description: "Your id of the subscription.", example: "sub_9" }),
      customer_id: customer_id.nullable().default(null),
      status: z
        .enum(["active", "trialing", "past_due", "canceled"])
        .meta({ description: "The subscription's current status.", example: "active" }),
      started_at: timeOf("When it started: a sign-up from a later click does not refer its customer."),
      belongs_to,
    })
    .meta({
      description: "A subscription's current state: the referral's `subscription_status` follows it.",
    }),
};

export type ProcessorMessageType = keyof typeof dataSchemas;

function messageOf<const Type extends ProcessorMessageType>(type: Type) {
  return z.strictObject({
    id: ownId.optional().meta({
      description:
        "Your id of the message, for your own records: the `webhook-id` header identifies the message.",
      example: "msg_2001",
    }),
    type: z.literal(type),
    occurred_at: timestampInput.meta({
      description:
        "When it occurred. Of two messages about the same object, the one with the later time counts, regardless of arrival order.",
      format: "date-time",
      example: "2026-11-20T09:30:00.000Z",
    }),
    data: dataSchemas[type],
  });
}

/** The message schemas by type. Each is strict: unknown fields are rejected, never ignored. */
export const processorMessageSchemas = {
  customer: messageOf("customer"),
  checkout: messageOf("checkout"),
  payment: messageOf("payment"),
  refund: messageOf("refund"),
  dispute: messageOf("dispute"),
  subscription: messageOf("subscription"),
};

/** A message to the generic processor. */
export const processorMessageSchema = z.discriminatedUnion("type", [
  processorMessageSchemas.customer,
  processorMessageSchemas.checkout,
  processorMessageSchemas.payment,
  processorMessageSchemas.refund,
  processorMessageSchemas.dispute,
  processorMessageSchemas.subscription,
]);

/** A message as sent. */
export type ProcessorMessageInput = z.input<typeof processorMessageSchema>;

/** A message as parsed, with its defaults filled in. */
export type ProcessorMessage = z.output<typeof processorMessageSchema>;

export const processor_message_types = Object.keys(processorMessageSchemas);
