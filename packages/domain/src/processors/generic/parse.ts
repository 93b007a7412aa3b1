import {
  type ProcessorMessage,
  processor_message_types,
  processorMessageSchema,
} from "@findersfee/contract/processors/messages";
import { z } from "zod";
import type { PaymentFact } from "../../attribution/facts/payment-fact.ts";
import type { ParsedMessage } from "../parsed-message.ts";
import { dispute_ranks, refund_ranks, subscription_ranks } from "../ranks.ts";
import { catchUnsupported, read } from "../unsupported.ts";
import { readMoney, readPayment } from "./payment.ts";

type Message<Type extends ProcessorMessage["type"]> = Extract<ProcessorMessage, { type: Type }>;

/**
 * Parses a message to the generic processor from its JSON, after its signature was checked. Never throws: for a message
 * that does not match the documented format, the result names the path of the field.
 */
export function parseGenericMessage(message: unknown): ParsedMessage {
  return catchUnsupported(() => {
    const { type } = read(z.object({ type: z.string() }), message, "");
    if (!processor_message_types.includes(type)) {
      return { outcome: "skipped", reason: `There are ${processor_message_types.join(", ")} messages.` };
    }
    return { outcome: "facts", facts: [factOf(read(processorMessageSchema, message, ""))] };
  });
}

function factOf(message: ProcessorMessage): PaymentFact {
  switch (message.type) {
    case "customer":
      return customerOf(message);
    case "checkout":
      return checkoutOf(message);
    case "payment":
      return readPayment(message);
    case "refund":
      return refundOf(message);
    case "dispute":
      return disputeOf(message);
    case "subscription":
      return subscriptionOf(message);
  }
}

function customerOf({ data, occurred_at }: Message<"customer">): PaymentFact {
  const { created_at = occurred_at, ...who } = data;
  return {
    kind: "customer",
    subject: data.customer_id,
    at: new Date(occurred_at),
    rank: 0,
    references: [],
    belongs_to: [],
    ...who,
    created_at: new Date(created_at),
  };
}

function checkoutOf({ data, occurred_at }: Message<"checkout">): PaymentFact {
  const { checkout_id, opened_at = occurred_at, ...rest } = data;
  return {
    kind: "checkout",
    subject: checkout_id,
    at: new Date(occurred_at),
    rank: 0,
    ...rest,
    opened_at: new Date(opened_at),
  };
}

function refundOf({ data, occurred_at }: Message<"refund">): PaymentFact {
  const at = new Date(occurred_at);
  const has_returned = data.status === "failed";
  return {
    kind: "refund",
    subject: data.refund_id,
    at,
    rank: has_returned ? refund_ranks.returned : refund_ranks.gone,
    ...ofPayment(data),
    since: new Date(data.refunded_at ?? occurred_at),
    until: has_returned ? at : null,
  };
}

function disputeOf({ data, occurred_at }: Message<"dispute">): PaymentFact {
  const at = new Date(occurred_at);
  const since = new Date(data.opened_at ?? occurred_at);
  const ends = { inquiry: since, open: null, lost: null, won: at };
  return {
    kind: "dispute",
    subject: data.dispute_id,
    at,
    rank: dispute_ranks[data.status],
    ...ofPayment(data),
    since,
    until: ends[data.status],
  };
}

/** The reference of a refund or dispute to its payment. */
function ofPayment(data: Message<"refund" | "dispute">["data"]) {
  return {
    references: [...new Set([data.payment_id, ...data.references])],
    belongs_to: [],
    amount_minor: readMoney({ ...data, path: "data.amount" }),
    currency: data.currency,
  };
}

function subscriptionOf({ data, occurred_at }: Message<"subscription">): PaymentFact {
  return {
    kind: "subscription",
    subject: data.subscription_id,
    at: new Date(occurred_at),
    rank: subscription_ranks[data.status],
    references: [],
    belongs_to: data.belongs_to,
    ...(data.started_at === undefined ? {} : { since: new Date(data.started_at) }),
    customer_id: data.customer_id,
    status: data.status,
  };
}
