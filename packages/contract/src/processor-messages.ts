import { z } from "zod";
import { currencyInput, MAXIMUM_AMOUNT, must, text, timestampInput } from "./fields.ts";

/*
 * What a biller of whatever kind sends to the generic processor (docs/processors.md). Amounts are in major
 * units, as everywhere in the API.
 */

/** An id of the sender's, in any form. */
const ownId = text(255).min(1);

const payment_id = ownId.meta({
  description: "Your id of the payment. What refunds and disputes name, too.",
  example: "inv_1042",
});

const amount = z.number().min(0).max(MAXIMUM_AMOUNT);

const references = z
  .array(ownId)
  .max(20)
  .default([])
  .meta({
    description:
      "Other ids of yours that stand for the same single payment: the charge of an invoice, the invoice of a checkout. Messages that share one belong to the same payment.",
    example: ["ch_77"],
  });

const belongs_to = z
  .array(ownId)
  .max(20)
  .default([])
  .meta({
    description:
      "Ids of larger things that it is part of, such as an order or a subscription. They tell whose it is, when nothing else does.",
    example: ["sub_9"],
  });

const customer_id = ownId.meta({ description: "Your id of the customer.", example: "cus_Nk3" });

const email = text(512)
  .nullable()
  .default(null)
  .meta({ description: "The customer's address.", format: "email", example: "customer@example.com" });

const promoCode = z
  .strictObject({
    code: text(500)
      .min(1)
      .nullable()
      .default(null)
      .meta({ description: "What the customer typed.", example: "JANE20" }),
    external_id: ownId.nullable().default(null).meta({
      description: "Your id of it, as it is in the affiliate's `promo_codes`.",
      example: null,
    }),
  })
  .refine(
    ({ code, external_id }) => code !== null || external_id !== null,
    must("Must have a code or an external_id."),
  );

const promo_codes = z
  .array(promoCode)
  .max(20)
  .default([])
  .meta({
    description: "Promotion codes that were used. Of several that belong to affiliates the first one counts.",
    example: [{ code: "JANE20", external_id: null }],
  });

const click_ids = z
  .array(z.uuid(must("Must be a UUID.")).toLowerCase())
  .max(20)
  .default([])
  .meta({
    description: "Click ids that the tracker handed to your checkout. Of several the last click counts.",
    example: ["0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90"],
  });

const who = {
  customer_id: customer_id.nullable().default(null),
  email,
  promo_codes,
  click_ids,
};

/** A time that is, if nothing is said, the message's own. */
function timeOf(description: string) {
  return timestampInput.optional().meta({
    description: `${description} Default: \`occurred_at\`.`,
    format: "date-time",
    example: "2026-11-20T09:30:00.000Z",
  });
}

const currency = currencyInput.meta({
  description: "ISO 4217 code in upper case. Of refunds and disputes: the payment's.",
  pattern: "^[A-Z]{3}$",
  example: "USD",
});

const dataSchemas = {
  customer: z
    .strictObject({ ...who, customer_id, created_at: timeOf("When the customer came to be.") })
    .meta({ description: "A customer as it is now." }),

  checkout: z
    .strictObject({
      checkout_id: ownId.meta({ description: "Your id of the checkout or order.", example: "order_881" }),
      opened_at: timeOf("When the customer opened it: clicks and codes until then count."),
      ...who,
      references,
      belongs_to,
    })
    .meta({ description: "A checkout that was completed, paid or not. It tells who brought the customer." }),

  payment: z
    .strictObject({
      payment_id,
      paid_at: timeOf("When it was paid."),
      currency,
      revenue_amount: amount.meta({
        description: "What was paid, without tax and after discounts. The commission is of this.",
        example: 100,
      }),
      paid_amount: amount.optional().meta({
        description: "All that was paid, tax too; refunds are parts of this. Default: `revenue_amount`.",
        example: 119,
      }),
      line_items: z
        .array(
          z.strictObject({
            product_id: ownId
              .nullable()
              .meta({ description: "Your id of the product; null: of none.", example: "prod_basic" }),
            amount: z.number().min(-MAXIMUM_AMOUNT).max(MAXIMUM_AMOUNT).meta({
              description: "May be negative: what is left of a former plan.",
              example: 100,
            }),
          }),
        )
        .max(1000)
        .default([])
        .meta({
          description:
            "`revenue_amount` by product, for campaigns with rates of their own for products; must add up to it. Empty: nothing is known of products.",
        }),
      ...who,
      references,
      belongs_to,
    })
    .refine(({ revenue_amount, paid_amount }) => paid_amount === undefined || revenue_amount <= paid_amount, {
      path: ["revenue_amount"],
      ...must("Must be at most paid_amount."),
    })
    .meta({ description: "Money that has come in. Zero is fine: it earns nothing." }),

  refund: z
    .strictObject({
      refund_id: ownId.meta({ description: "Your id of the refund: each counts once.", example: "re_31" }),
      payment_id,
      currency,
      amount: amount.meta({ description: "What goes back, tax too.", example: 59.5 }),
      refunded_at: timeOf("When it was asked for."),
      status: z
        .enum(["succeeded", "failed"])
        .default("succeeded")
        .meta({ description: "`failed`: the money came back, and so does the commission." }),
      references,
    })
    .meta({ description: "A payment that was refunded, all or part of it." }),

  dispute: z
    .strictObject({
      dispute_id: ownId.meta({ description: "Your id of the dispute.", example: "dp_5" }),
      payment_id,
      currency,
      amount: amount.meta({ description: "What is disputed.", example: 119 }),
      opened_at: timeOf("When the customer disputed the payment."),
      status: z.enum(["inquiry", "open", "lost", "won"]).meta({
        description:
          "`inquiry`: only a question, which takes nothing. `open`: the money is gone for now. `lost`: for good. `won`: it came back.",
        example: "open",
      }),
      references,
    })
    .meta({ description: "A payment that the customer disputed. Send it again when its status changes." }),

  subscription: z
    .strictObject({
      subscription_id: ownId.meta({ description: "Your id of the subscription.", example: "sub_9" }),
      customer_id: customer_id.nullable().default(null),
      status: z
        .enum(["active", "trialing", "past_due", "canceled"])
        .meta({ description: "Where it stands now.", example: "active" }),
      started_at: timeOf("When it began: a sign-up by a later click does not refer its customer."),
      belongs_to,
    })
    .meta({ description: "Where a subscription stands: the referral's `subscription_status` follows it." }),
};

export type ProcessorMessageType = keyof typeof dataSchemas;

function messageOf<const Type extends ProcessorMessageType>(type: Type) {
  return z.strictObject({
    id: ownId.optional().meta({
      description:
        "Your id of the message, for your own records: the header `webhook-id` is the one that counts.",
      example: "msg_2001",
    }),
    type: z.literal(type),
    occurred_at: timestampInput.meta({
      description:
        "When it happened. Of two messages about the same thing the one that happened later counts, in whatever order they come.",
      format: "date-time",
      example: "2026-11-20T09:30:00.000Z",
    }),
    data: dataSchemas[type],
  });
}

/** The messages by their types, each strict: an unknown field is refused, never ignored. */
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

/** As it is sent. */
export type ProcessorMessageInput = z.input<typeof processorMessageSchema>;

/** As it is read, with what it leaves out. */
export type ProcessorMessage = z.output<typeof processorMessageSchema>;

export const processor_message_types = Object.keys(processorMessageSchemas);
