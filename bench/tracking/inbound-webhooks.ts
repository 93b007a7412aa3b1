/* Stored inbound webhooks from Stripe, for processing. */
import type { Database } from "@findersfee/database/postgres/connect";
import { insertMessages, type NewMessage } from "@findersfee/database/processors/messages";
import { api_versions } from "@findersfee/samples/stripe/api-version";
import { sampleCheckoutSession } from "@findersfee/samples/stripe/checkout-session";
import { stripeEvent } from "@findersfee/samples/stripe/event";
import { sampleInvoice } from "@findersfee/samples/stripe/invoice";

const [API_VERSION] = api_versions;
const BATCH_SIZE = 500;

export interface Customer {
  customer: string;
  email: string;
}

/** An invoice of 29.00 paid now, with a click or without; its id contains the number. */
export function paidInvoice(
  number: number,
  { customer, email, click_id }: Customer & { click_id?: string },
): Message {
  const created = Math.floor(Date.now() / 1000);
  const object = sampleInvoice(API_VERSION, {
    id: `in_${number}`,
    created,
    customer,
    customer_email: email,
    subscription: `sub_${customer}`,
    payment_intent: `pi_${number}`,
    lines: [{ amount: 2_900, product: "prod_Pro" }],
    ...(click_id !== undefined && { metadata: { findersfee_click_id: click_id } }),
  });
  return { type: "invoice.paid", object, created };
}

/** A checkout completed now, with a click. */
export function completedCheckout(
  number: number,
  { customer, email, click_id }: Customer & { click_id: string },
): Message {
  const created = Math.floor(Date.now() / 1000);
  const object = sampleCheckoutSession(API_VERSION, {
    id: `cs_${number}`,
    created,
    mode: "subscription",
    amount_subtotal: 2_900,
    customer,
    email,
    client_reference_id: click_id,
    subscription: `sub_${customer}`,
    invoice: `in_${number}`,
  });
  return { type: "checkout.session.completed", object, created };
}

export interface Message {
  type: string;
  object: Parameters<typeof stripeEvent>[0]["object"];
  created: number;
}

/** Stores messages that become due in `due_seconds`; returns that time. */
export async function fillMessages(
  database: Database,
  {
    organization_id,
    messages,
    due_seconds,
  }: { organization_id: string; messages: readonly Message[]; due_seconds: number },
): Promise<Date> {
  const due_at = new Date(Date.now() + due_seconds * 1000);
  for (let from = 0; from < messages.length; from += BATCH_SIZE) {
    const batch = messages.slice(from, from + BATCH_SIZE).map((message) => rowOf(message, due_at));
    await insertMessages(database, organization_id, { source: "webhook", messages: batch });
  }
  await database`vacuum analyze processor_messages`;
  if (due_at < new Date()) throw new Error("filling took longer than the delay of the messages");
  return due_at;
}

function rowOf(message: Message, due_at: Date): NewMessage {
  const event = stripeEvent({ ...message, api_version: API_VERSION });
  return {
    processor: "stripe",
    id: event.id,
    type: message.type,
    account: null,
    body: JSON.stringify(event),
    state: "received",
    reason: null,
    occurred_at: new Date(message.created * 1000),
    received_at: due_at,
    due_at,
  };
}

/** Waits until all messages are processed; returns the time. Throws if one failed or was dead-lettered. */
export async function waitUntilProcessed(database: Database): Promise<Date> {
  for (;;) {
    const [count] = await database<[{ left: number; failed: number }]>`
      select count(*) filter (where state = 'received')::int as left,
        count(*) filter (where state = 'parked' or failures > 0)::int as failed
      from processor_messages where state in ('received', 'parked')`;
    if (count.failed > 0) throw new Error(`${count.failed} messages failed`);
    if (count.left === 0) return new Date();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
