import { insertMessages } from "@findersfee/database/processors/messages";
import type { StripeObject } from "@findersfee/samples/stripe/api-version";
import type { Context } from "../../../src/context.ts";
import { readStripeEvent } from "../../../src/processors/intake/message.ts";
import { processWebhooks } from "../../work.ts";

/** Stores events of Stripe as the intake does, and processes all that is due. */
export async function reportStripe(context: Context, ...events: StripeObject[]): Promise<void> {
  const now = new Date();
  await insertMessages(context.database, context.organization.id, {
    source: "webhook",
    messages: events.map((event) => readStripeEvent(JSON.stringify(event), { livemode: false, now })),
  });
  await processMessages(context);
}

/** Processes all messages that are due; those that were dead-lettered fail the test. */
export async function processMessages({ database, organization }: Context): Promise<void> {
  while ((await processWebhooks(database, organization.id)).full) {}
  const failed = await database<{ id: string; reason: string | null }[]>`
    select id, reason from processor_messages
    where organization_id = ${organization.id} and (state = 'parked' or failures > 0)`;
  if (failed.length > 0) throw new Error(failed.map(({ id, reason }) => `${id}: ${reason}`).join("; "));
}
