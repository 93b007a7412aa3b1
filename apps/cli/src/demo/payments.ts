import {
  type PaymentDecision,
  paymentDecisionPageSchema,
} from "@findersfee/contract/attribution/payment-decisions";
import { inboundWebhookSchema } from "@findersfee/contract/processors/processors";
import type { StripeObject } from "@findersfee/samples/stripe/api-version";
import type { Commission } from "@findersfee/sdk";
import { expectEqual, required } from "./expect.ts";
import type { PollResult } from "./poller.ts";
import type { Participants, Stage } from "./stage.ts";
import { CUSTOMER_EMAIL, stripe_account } from "./stripe-account.ts";

/** The expected outcome of a payment. */
interface Expected {
  outcome: PaymentDecision["outcome"];
  /** The commission before reversals. */
  earned: number;
  taken_back: number;
  /** The commission after reversals; null for no commission. */
  left: { commission_amount: number; payout_status: Commission["payout_status"] } | null;
}

/** Sends Stripe's events of a customer and checks the outcomes; returns the events. */
export async function pay(stage: Stage, participants: Participants): Promise<StripeObject[]> {
  const sent_events: StripeObject[] = [];
  const sendEvent = async (events: StripeObject[]) => {
    for (const event of events) await tellOne(stage, event, participants);
    sent_events.push(...events);
  };
  const { steps } = stage;
  await steps.take("Stripe reports the first invoice, 49.00 plus 9.80 tax, before its checkout", async () => {
    await sendEvent([...stripe_account.subscribed(), ...stripe_account.invoicePaid(1)]);
    return await report(stage, 1, { outcome: "no_referral", earned: 0, taken_back: 0, left: null });
  });
  await steps.take("Stripe reports the checkout, which has the click", async () => {
    await sendEvent(stripe_account.checkoutCompleted(participants.click_id));
    const referral = await findReferral(stage, participants);
    const { lines, data } = await report(stage, 1, earned(24.5));
    const line = `${referral.email} is Jane's referral, ${referral.subscription_status}`;
    return { lines: [line, ...lines], data: { referral, ...data } };
  });
  for (const month of [2, 3]) {
    await steps.take(`Stripe reports the ${month === 2 ? "second" : "third"} invoice`, async () => {
      await sendEvent(stripe_account.invoicePaid(month));
      return await report(stage, month, earned(14.7));
    });
  }
  await steps.take("A third of the second payment is refunded: 19.60 of 58.80", async () => {
    await sendEvent(stripe_account.refunded(2));
    const left = { commission_amount: 9.8, payout_status: "not_paid" } as const;
    return await report(stage, 2, { ...earned(14.7), taken_back: 19.6, left });
  });
  await steps.take("The third payment is disputed and the dispute is lost", async () => {
    await sendEvent([...stripe_account.disputed(3), ...stripe_account.disputeLost(3)]);
    const left = { commission_amount: 14.7, payout_status: "voided" } as const;
    return await report(stage, 3, { ...earned(14.7), taken_back: 58.8, left });
  });
  return sent_events;
}

function earned(amount: number): Expected {
  const left = { commission_amount: amount, payout_status: "not_paid" } as const;
  return { outcome: "commission", earned: amount, taken_back: 0, left };
}

/** Sends an event and waits until the worker has processed it. */
async function tellOne(
  { service, poller }: Stage,
  event: StripeObject,
  { signing_secret }: Participants,
): Promise<void> {
  await service.sendEvent(event, signing_secret);
  await poller.until(`${event.type} to be processed`, async (): Promise<PollResult<true>> => {
    const input = { processor: "stripe", id: event.id };
    const { state, reason, attempts } = await service.dashboard.query(
      "processor_messages.get",
      input,
      inboundWebhookSchema,
    );
    if (state === "done") return { found: true };
    if (state !== "received") throw new Error(`${event.type} was ${state}: ${reason}`);
    if (attempts > 0) return { missing: `processing fails: ${reason}` };
    return {
      missing:
        "the event is stored, but no worker processes it. `findersfee start` includes a worker; `findersfee api` needs a `findersfee worker` on the same database.",
    };
  });
}

async function findReferral({ service }: Stage, { affiliate_id }: Participants) {
  const { data } = await service.findersfee.referrals.list({ affiliate_id });
  const { email, subscription_status, processor_customer_id } = required("a referral of Jane's", data[0]);
  const referral = { email, subscription_status, processor_customer_id };
  expectEqual("The referral", referral, {
    email: CUSTOMER_EMAIL,
    subscription_status: "active",
    processor_customer_id: "cus_Kim",
  });
  return referral;
}

/** Reads a payment's decision and commission, and checks them. */
async function report({ service }: Stage, month: number, expected: Expected) {
  const processor_payment_id = `in_${month}`;
  const { data } = await service.dashboard.query(
    "payment_decisions.list",
    { processor_payment_id },
    paymentDecisionPageSchema,
  );
  const decision = required(`a decision about ${processor_payment_id}`, data[0]);
  const commission =
    decision.commission_id === null
      ? null
      : await service.findersfee.commissions.get({ id: decision.commission_id });
  const left = commission && {
    commission_amount: commission.commission_amount,
    payout_status: commission.payout_status,
  };
  const { outcome, commission_amount, taken_back_amount } = decision;
  const actual = { outcome, earned: commission_amount, taken_back: taken_back_amount, left };
  expectEqual(`The outcome of ${processor_payment_id}`, actual, expected);
  return { lines: describe(decision, commission), data: { decision, commission } };
}

function describe(decision: PaymentDecision, commission: Commission | null): string[] {
  const { processor_payment_id: payment, commission_amount: earned_amount, currency } = decision;
  if (commission === null) return [`${payment}: no commission. ${decision.reason}`];
  const amount = `${commission.commission_amount.toFixed(2)} ${currency}`;
  if (commission.payout_status === "voided") return [`${payment}: the commission of ${amount} is voided`];
  if (decision.taken_back_amount > 0) {
    return [`${payment}: ${amount} of ${earned_amount.toFixed(2)} ${currency} remain`];
  }
  const how = decision.explanation.steps.map(
    ({ rule, amount, of_amount }) => `${amount} % of ${of_amount.toFixed(2)}, ${RULES[rule]}`,
  );
  return [`${payment}: a commission of ${amount}, ${how.join("; ")}`];
}

const RULES = {
  first_payment: "the first-payment rate",
  rule: "a rule",
  product: "the product rate",
  campaign: "the campaign rate",
  commission_cap: "the cap of fixed commissions",
};
