import { type PaymentDecision, paymentDecisionPageSchema } from "@findersfee/contract/payment-decisions";
import { storedMessageSchema } from "@findersfee/contract/processors";
import type { StripeObject } from "@findersfee/samples/stripe/api-version";
import type { Commission } from "@findersfee/sdk";
import { expectEqual, required } from "./expect.ts";
import type { Sight } from "./patience.ts";
import type { Cast, Stage } from "./stage.ts";
import { CUSTOMER_EMAIL, stripe_account } from "./stripe-account.ts";

/** What a payment should have come to. */
interface Expected {
  outcome: PaymentDecision["outcome"];
  /** What it earned. */
  earned: number;
  taken_back: number;
  /** What is left of that; null: there is no commission. */
  left: { commission_amount: number; payout_status: Commission["payout_status"] } | null;
}

/** What Stripe tells of a customer, and what comes of it; returns the events. */
export async function pay(stage: Stage, cast: Cast): Promise<StripeObject[]> {
  const told: StripeObject[] = [];
  const tell = async (events: StripeObject[]) => {
    for (const event of events) await tellOne(stage, event, cast);
    told.push(...events);
  };
  const { steps } = stage;
  await steps.take("Stripe tells of the first invoice, 49.00 and 9.80 tax, before its checkout", async () => {
    await tell([...stripe_account.subscribed(), ...stripe_account.invoicePaid(1)]);
    return await report(stage, 1, { outcome: "no_referral", earned: 0, taken_back: 0, left: null });
  });
  await steps.take("Stripe tells of the checkout, which had the click", async () => {
    await tell(stripe_account.checkoutCompleted(cast.click_id));
    const referral = await findReferral(stage, cast);
    const { lines, data } = await report(stage, 1, earned(24.5));
    const line = `${referral.email} is Jane's referral, ${referral.subscription_status}`;
    return { lines: [line, ...lines], data: { referral, ...data } };
  });
  for (const month of [2, 3]) {
    await steps.take(`Stripe tells of the ${month === 2 ? "second" : "third"} invoice`, async () => {
      await tell(stripe_account.invoicePaid(month));
      return await report(stage, month, earned(14.7));
    });
  }
  await steps.take("A third of the second payment is refunded: 19.60 of 58.80", async () => {
    await tell(stripe_account.refunded(2));
    const left = { commission_amount: 9.8, payout_status: "not_paid" } as const;
    return await report(stage, 2, { ...earned(14.7), taken_back: 19.6, left });
  });
  await steps.take("The third payment is disputed, and the dispute is lost", async () => {
    await tell([...stripe_account.disputed(3), ...stripe_account.disputeLost(3)]);
    const left = { commission_amount: 14.7, payout_status: "voided" } as const;
    return await report(stage, 3, { ...earned(14.7), taken_back: 58.8, left });
  });
  return told;
}

function earned(amount: number): Expected {
  const left = { commission_amount: amount, payout_status: "not_paid" } as const;
  return { outcome: "commission", earned: amount, taken_back: 0, left };
}

/** Sends an event, and waits until the worker is done with it. */
async function tellOne(
  { service, patience }: Stage,
  event: StripeObject,
  { signing_secret }: Cast,
): Promise<void> {
  await service.tell(event, signing_secret);
  await patience.until(`${event.type} to be worked off`, async (): Promise<Sight<true>> => {
    const input = { processor: "stripe", id: event.id };
    const { state, reason, attempts } = await service.staff.query(
      "processor_messages.get",
      input,
      storedMessageSchema,
    );
    if (state === "done") return { there: true };
    if (state !== "received") throw new Error(`${event.type} was ${state}: ${reason}`);
    if (attempts > 0) return { missing: `it fails: ${reason}` };
    return {
      missing:
        "it is stored, and no worker takes it. `findersfee start` has a worker in it; beside `findersfee api` there must be a `findersfee worker`, on the same database.",
    };
  });
}

async function findReferral({ service }: Stage, { affiliate_id }: Cast) {
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
  const { data } = await service.staff.query(
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
  expectEqual(`What came of ${processor_payment_id}`, actual, expected);
  return { lines: describe(decision, commission), data: { decision, commission } };
}

function describe(decision: PaymentDecision, commission: Commission | null): string[] {
  const { processor_payment_id: payment, commission_amount: earned_amount, currency } = decision;
  if (commission === null) return [`${payment}: no commission. ${decision.reason}`];
  const amount = `${commission.commission_amount.toFixed(2)} ${currency}`;
  if (commission.payout_status === "voided") return [`${payment}: the commission of ${amount} is void`];
  if (decision.taken_back_amount > 0) {
    return [`${payment}: ${amount} is left of ${earned_amount.toFixed(2)} ${currency}`];
  }
  const how = decision.explanation.steps.map(
    ({ rule, amount, of_amount }) => `${amount} % of ${of_amount.toFixed(2)}, ${RULES[rule]}`,
  );
  return [`${payment}: a commission of ${amount}, ${how.join("; ")}`];
}

const RULES = {
  first_payment: "the rate of a first payment",
  product: "the product's rate",
  campaign: "the campaign's rate",
  commission_cap: "the cap of fixed commissions",
};
