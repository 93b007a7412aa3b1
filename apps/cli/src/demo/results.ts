import { deliveryPageSchema, deliveryWithAttemptsSchema } from "@findersfee/contract/deliveries";
import { eventTypes } from "@findersfee/contract/events";
import { processorMessagePageSchema } from "@findersfee/contract/processors";
import type { StripeObject } from "@findersfee/samples/stripe/api-version";
import { factsOf } from "../listen/facts.ts";
import { expectEqual } from "./expect.ts";
import type { ReceivedEvent } from "./receiver.ts";
import type { Cast, Stage } from "./stage.ts";

/** What the receiver should get. */
const EVENT_TYPES = [
  "affiliate.created",
  "referral.created",
  "referral.converted",
  "commission.created",
  "commission.created",
  "commission.created",
];

/** Sends all of Stripe's events once more; nothing is to come of it. */
export async function repeat(
  { service, steps }: Stage,
  { told, cast }: { told: readonly StripeObject[]; cast: Cast },
): Promise<void> {
  await steps.take("Stripe sends all of it again, last things first", async () => {
    for (const event of [...told].reverse()) await service.tell(event, cast.signing_secret);
    const { data } = await service.staff.query(
      "processor_messages.list",
      { limit: 100 },
      processorMessagePageSchema,
    );
    expectEqual("The number of stored messages", data.length, told.length);
    const states = data.map(({ state }) => state).filter((state) => state !== "done");
    expectEqual("What of the messages is not done", states, []);
    return {
      lines: [`${told.length} events, each answered with 200, and known already`],
      data: { events: told.length },
    };
  });
}

/** Waits for the webhooks that all this should have sent. */
export async function receiveWebhooks(stage: Stage): Promise<void> {
  const { receiver, patience, steps } = stage;
  await steps.take("The receiver got the webhooks, and verified their signatures", async () => {
    await patience.until(`${EVENT_TYPES.length} webhooks`, async () =>
      receiver.received.length >= EVENT_TYPES.length ? { there: true } : { missing: await whyMissing(stage) },
    );
    const received = [...receiver.received].sort(byTypeAndTime);
    expectEqual(
      "The types of the webhooks",
      received.map(({ event }) => event.type),
      EVENT_TYPES,
    );
    expectEqual("What the receiver refused", receiver.refused, []);
    const lines = received.map(({ event }) => `${event.type.padEnd(18)}  ${factsOf(event)}`);
    return { lines, data: { webhooks: received } };
  });
}

/** Nothing is promised about the order of deliveries. */
function byTypeAndTime(a: ReceivedEvent, b: ReceivedEvent): number {
  const place = ({ event }: ReceivedEvent) => ORDER.indexOf(event.type);
  return place(a) - place(b) || (a.id < b.id ? -1 : 1);
}

const ORDER: readonly string[] = [...new Set([...EVENT_TYPES, ...eventTypes])];

async function whyMissing({ service, receiver }: Stage): Promise<string> {
  const { endpoint_id, received, refused } = receiver;
  const came = `${received.length} came.`;
  if (endpoint_id === null) return came;
  const { data } = await service.staff.query("deliveries.list", { endpoint_id }, deliveryPageSchema);
  const open = data.find(({ state }) => state !== "delivered");
  if (refused[0] !== undefined) return `${came} One was refused: ${refused[0]}`;
  if (open === undefined) return `${came} There are ${data.length} deliveries.`;
  if (open.attempts === 0)
    return `${came} Nobody has tried to deliver ${open.event_type}: is there a worker?`;
  const { event_id } = open;
  const { attempt_log } = await service.staff.query(
    "deliveries.get",
    { endpoint_id, event_id },
    deliveryWithAttemptsSchema,
  );
  const last = attempt_log.at(-1);
  return `${came} The worker could not deliver ${open.event_type} to ${receiver.url}: ${last?.error_message ?? last?.status}.`;
}

/** What the affiliate has in the end. */
export async function settle({ service, steps }: Stage, { affiliate_id }: Cast): Promise<void> {
  await steps.take("What Jane has now", async () => {
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
    const owed = commissions.filter(({ payout_status }) => payout_status === "not_paid");
    const cents = owed.reduce((sum, { commission_amount }) => sum + Math.round(commission_amount * 100), 0);
    expectEqual("What is owed to Jane, in cents", cents, 3430);
    expectEqual("The number of Jane's clicks", clicks, 1);
    const lines = commissions.map(
      ({ payment, commission_amount, payout_status }) =>
        `${payment}  ${commission_amount.toFixed(2).padStart(6)} USD  ${payout_status}`,
    );
    const balance = (cents / 100).toFixed(2);
    lines.push(`owed  ${balance.padStart(6)} USD, after ${clicks} click`);
    return { lines, data: { clicks, commissions, balance: cents / 100, currency: "USD" } };
  });
}
