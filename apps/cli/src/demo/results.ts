import { processorMessagePageSchema } from "@findersfee/contract/processors/processors";
import { deliveryWithAttemptsSchema } from "@findersfee/contract/webhooks/deliveries";
import { deliveryRowPageSchema } from "@findersfee/contract/webhooks/delivery-rows";
import { eventTypes } from "@findersfee/contract/webhooks/events";
import type { StripeObject } from "@findersfee/samples/stripe/api-version";
import { summarize } from "../webhooks/listen/summarize.ts";
import { expectEqual } from "./expect.ts";
import type { ReceivedEvent } from "./receiver.ts";
import type { Participants, Stage } from "./stage.ts";

/** The webhooks that the receiver should get. */
const EVENT_TYPES = [
  "affiliate.created",
  "referral.created",
  "referral.converted",
  "commission.created",
  "commission.created",
  "commission.created",
];

/** Sends all of Stripe's events again, which must change nothing. */
export async function repeat(
  { service, steps }: Stage,
  { sent_events, participants }: { sent_events: readonly StripeObject[]; participants: Participants },
): Promise<void> {
  await steps.take("Stripe sends every event again, in reverse order", async () => {
    for (const event of [...sent_events].reverse())
      await service.sendEvent(event, participants.signing_secret);
    const { data } = await service.dashboard.query(
      "processor_messages.list",
      { limit: 100 },
      processorMessagePageSchema,
    );
    expectEqual("The number of stored messages", data.length, sent_events.length);
    const states = data.map(({ state }) => state).filter((state) => state !== "done");
    expectEqual("The messages that are not done", states, []);
    return {
      lines: [`${sent_events.length} events, each acknowledged with 200 and ignored as a duplicate`],
      data: { events: sent_events.length },
    };
  });
}

/** Waits for the expected webhooks. */
export async function receiveWebhooks(stage: Stage): Promise<void> {
  const { receiver, poller, steps } = stage;
  await steps.take("The receiver got the webhooks and verified their signatures", async () => {
    await poller.until(`${EVENT_TYPES.length} webhooks`, async () =>
      receiver.received.length >= EVENT_TYPES.length ? { found: true } : { missing: await whyMissing(stage) },
    );
    const received = [...receiver.received].sort(byTypeAndTime);
    expectEqual(
      "The types of the webhooks",
      received.map(({ event }) => event.type),
      EVENT_TYPES,
    );
    expectEqual("The deliveries that the receiver rejected", receiver.refused, []);
    const lines = received.map(({ event }) => `${event.type.padEnd(18)}  ${summarize(event)}`);
    return { lines, data: { webhooks: received } };
  });
}

/** Deliveries have no guaranteed order. */
function byTypeAndTime(a: ReceivedEvent, b: ReceivedEvent): number {
  const place = ({ event }: ReceivedEvent) => ORDER.indexOf(event.type);
  return place(a) - place(b) || (a.id < b.id ? -1 : 1);
}

const ORDER: readonly string[] = [...new Set([...EVENT_TYPES, ...eventTypes])];

async function whyMissing({ service, receiver }: Stage): Promise<string> {
  const { endpoint_id, received, refused } = receiver;
  const came = `${received.length} arrived.`;
  if (endpoint_id === null) return came;
  const { data } = await service.dashboard.query("deliveries.list", { endpoint_id }, deliveryRowPageSchema);
  const open = data.find(({ state }) => state !== "delivered");
  if (refused[0] !== undefined) return `${came} One was rejected: ${refused[0]}`;
  if (open === undefined) return `${came} There are ${data.length} deliveries.`;
  if (open.attempts === 0)
    return `${came} ${open.event_type} has no delivery attempt: check that a worker runs.`;
  const { event_id } = open;
  const { attempt_log } = await service.dashboard.query(
    "deliveries.get",
    { endpoint_id, event_id },
    deliveryWithAttemptsSchema,
  );
  const last = attempt_log.at(-1);
  return `${came} The worker could not deliver ${open.event_type} to ${receiver.url}: ${last?.error_message ?? last?.status}.`;
}

/** The affiliate's final state. */
export async function showBalance({ service, steps }: Stage, { affiliate_id }: Participants): Promise<void> {
  await steps.take("Jane's balance", async () => {
    const { clicks } = await service.findersfee.affiliates.get({ id: affiliate_id });
    const { data } = await service.findersfee.commissions.list({ affiliate_id });
    const commissions = data
      .map(({ processor_payment_id, revenue_amount, commission_amount, payout_status }) => ({
        payment: processor_payment_id ?? "",
        revenue_amount,
        commission_amount,
        payout_status,
      }))
      .sort((a, b) => (a.payment < b.payment ? -1 : 1));
    expectEqual("The commissions", commissions, [
      { payment: "in_1", revenue_amount: 49, commission_amount: 24.5, payout_status: "not_paid" },
      { payment: "in_2", revenue_amount: 32.67, commission_amount: 9.8, payout_status: "not_paid" },
      { payment: "in_3", revenue_amount: 49, commission_amount: 14.7, payout_status: "voided" },
    ]);
    const unpaid = commissions.filter(({ payout_status }) => payout_status === "not_paid");
    const cents = unpaid.reduce((sum, { commission_amount }) => sum + Math.round(commission_amount * 100), 0);
    expectEqual("Jane's balance, in cents", cents, 3430);
    expectEqual("The number of Jane's clicks", clicks, 1);
    const lines = commissions.map(
      ({ payment, commission_amount, payout_status }) =>
        `${payment}  ${commission_amount.toFixed(2).padStart(6)} USD  ${payout_status}`,
    );
    const balance = (cents / 100).toFixed(2);
    lines.push(`total ${balance.padStart(6)} USD, after ${clicks} click`);
    return { lines, data: { clicks, commissions, balance: cents / 100, currency: "USD" } };
  });
}
