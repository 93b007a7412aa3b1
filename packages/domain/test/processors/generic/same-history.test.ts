import type { ProcessorMessageInput } from "@findersfee/contract/processors/messages";
import { type ApiVersion, api_versions } from "@findersfee/samples/stripe/api-version";
import { sampleCheckoutSession } from "@findersfee/samples/stripe/checkout-session";
import { sampleCustomer } from "@findersfee/samples/stripe/customer";
import { sampleDispute } from "@findersfee/samples/stripe/dispute";
import { stripeEvent } from "@findersfee/samples/stripe/event";
import { sampleInvoice } from "@findersfee/samples/stripe/invoice";
import { sampleRefund } from "@findersfee/samples/stripe/refund";
import { sampleSubscription } from "@findersfee/samples/stripe/subscription";
import {
  type Arbitrary,
  array,
  assert,
  boolean,
  constantFrom,
  integer,
  option,
  property,
  record,
} from "fast-check";
import { describe, expect, it } from "vitest";
import type { PaymentFact } from "../../../src/attribution/facts/payment-fact.ts";
import { toMajor } from "../../../src/money.ts";
import { parseGenericMessage } from "../../../src/processors/generic/parse.ts";
import { parseStripeMessage } from "../../../src/processors/stripe/parse.ts";
import { factsOf } from "../parsed.ts";
import { NOON } from "../stripe/samples.ts";

/*
 * Compares the facts of one history that Stripe reports with those that generic messages report. They must be equal, so that
 * attribution decides both alike.
 */

const CLICK = "0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90";
const amount = integer({ min: 0, max: 1_000_000 });

/** The history of one subscriber. Amounts are integers in Stripe's minor units. */
const history = record({
  currency: constantFrom("usd", "jpy", "kwd"),
  email: constantFrom("customer@example.com", "Other@Example.com"),
  has_click: boolean(),
  status: constantFrom("active", "trialing", "past_due", "canceled"),
  renewals: array(record({ basic: amount, extra: amount, basic_tax: amount, refund: option(amount) }), {
    minLength: 1,
    maxLength: 4,
  }),
  refund_failed: boolean(),
  dispute: option(constantFrom("needs_response", "lost", "won", "warning_closed"), { nil: null }),
});

type History = typeof history extends Arbitrary<infer Value> ? Value : never;

/** The report after this many seconds. */
interface Reporting {
  seconds: number;
  stripe: { type: string; object: ReturnType<typeof sampleCustomer> };
  generic: Omit<Extract<ProcessorMessageInput, { type: string }>, "id" | "occurred_at">;
}

const iso = (seconds: number) => new Date((NOON + seconds) * 1000).toISOString();

function tellings(past: History, version: ApiVersion): Reporting[] {
  return [
    customerTelling(past, version),
    checkoutTelling(past, version),
    subscriptionTelling(past, version),
    ...past.renewals.flatMap((_, index) => renewalTellings(past, { version, index })),
    ...disputeTellings(past, version),
  ];
}

function customerTelling({ email }: History, version: ApiVersion): Reporting {
  const object = sampleCustomer(version, { id: "cus_1", created: NOON, email });
  const data = { customer_id: "cus_1", email, created_at: iso(0) };
  return { seconds: 1, stripe: { type: "customer.created", object }, generic: { type: "customer", data } };
}

function checkoutTelling({ email, has_click }: History, version: ApiVersion): Reporting {
  const object = sampleCheckoutSession(version, {
    id: "cs_1",
    created: NOON,
    mode: "subscription",
    amount_subtotal: 0,
    customer: "cus_1",
    email,
    subscription: "sub_1",
    client_reference_id: has_click ? CLICK : "user_17",
  });
  const data = {
    checkout_id: "cs_1",
    opened_at: iso(0),
    customer_id: "cus_1",
    email,
    click_ids: has_click ? [CLICK] : [],
    belongs_to: ["sub_1"],
  };
  const stripe = { type: "checkout.session.completed", object };
  return { seconds: 2, stripe, generic: { type: "checkout", data } };
}

function subscriptionTelling({ status }: History, version: ApiVersion): Reporting {
  const price = { id: "price_1", product: "prod_Basic", unit_amount: 2000 };
  const sample = { id: "sub_1", created: NOON, customer: "cus_1", status, price };
  const stripe = { type: "customer.subscription.updated", object: sampleSubscription(version, sample) };
  const ours = statusOf(status);
  const started_at = new Date(NOON * 1000).toISOString();
  const data = { subscription_id: "sub_1", customer_id: "cus_1", status: ours, started_at };
  return { seconds: 3, stripe, generic: { type: "subscription", data } };
}

function statusOf(status: string) {
  const statuses = ["active", "trialing", "past_due", "canceled"] as const;
  return statuses.find((known) => known === status) ?? "active";
}

interface Renewal {
  version: ApiVersion;
  index: number;
}

function renewalTellings(past: History, renewal: Renewal): Reporting[] {
  return [paymentTelling(past, renewal), ...refundTellings(past, renewal)];
}

/** When a renewal is paid. */
const secondOf = ({ index }: Renewal) => 100 + index * 100;

function majorIn({ currency }: History, minor: number): number {
  return toMajor(BigInt(minor), currency.toUpperCase());
}

function paymentTelling(past: History, renewal: Renewal): Reporting {
  const { version, index } = renewal;
  const seconds = secondOf(renewal);
  const { basic = 0, extra = 0, basic_tax = 0 } = past.renewals[index] ?? {};
  const { currency, email } = past;
  const invoice = sampleInvoice(version, {
    id: `in_${index}`,
    created: NOON + seconds,
    currency,
    customer: "cus_1",
    customer_email: email,
    subscription: "sub_1",
    payment_intent: `pi_${index}`,
    lines: [
      { product: "prod_Basic", amount: basic, tax: basic_tax },
      { product: "prod_Extra", amount: extra },
    ],
  });
  const line_items = [
    { product_id: "prod_Basic", amount: majorIn(past, basic), interval: "month" },
    { product_id: "prod_Extra", amount: majorIn(past, extra), interval: "month" },
  ];
  const data = {
    payment_id: `in_${index}`,
    currency: currency.toUpperCase(),
    revenue_amount: majorIn(past, basic + extra),
    paid_amount: majorIn(past, basic + extra + basic_tax),
    line_items: basic + extra === 0 ? [] : line_items,
    customer_id: "cus_1",
    email,
    belongs_to: ["sub_1"],
  };
  const stripe = { type: "invoice.paid", object: invoice };
  return { seconds, stripe, generic: { type: "payment", data } };
}

function refundTellings(past: History, renewal: Renewal): Reporting[] {
  const { version, index } = renewal;
  const seconds = secondOf(renewal) + 20;
  const amount = past.renewals[index]?.refund ?? null;
  if (amount === null) return [];
  const { currency } = past;
  const status = past.refund_failed ? ("failed" as const) : ("succeeded" as const);
  const names = { charge: `ch_${index}`, payment_intent: `pi_${index}` };
  const object = sampleRefund(version, {
    id: `re_${index}`,
    created: NOON + seconds - 10,
    amount,
    currency,
    ...names,
    status,
  });
  const data = {
    refund_id: `re_${index}`,
    payment_id: names.charge,
    references: [names.payment_intent],
    currency: currency.toUpperCase(),
    amount: majorIn(past, amount),
    refunded_at: iso(seconds - 10),
    status,
  };
  return [{ seconds, stripe: { type: "refund.updated", object }, generic: { type: "refund", data } }];
}

function disputeTellings({ currency, dispute }: History, version: ApiVersion): Reporting[] {
  if (dispute === null) return [];
  const object = sampleDispute(version, {
    id: "du_1",
    created: NOON + 500,
    amount: 700,
    currency,
    charge: "ch_0",
    payment_intent: "pi_0",
    status: dispute,
  });
  const statuses = { needs_response: "open", lost: "lost", won: "won", warning_closed: "inquiry" } as const;
  const data = {
    dispute_id: "du_1",
    payment_id: "ch_0",
    references: ["pi_0"],
    currency: currency.toUpperCase(),
    amount: toMajor(700n, currency.toUpperCase()),
    opened_at: iso(500),
    status: statuses[dispute],
  };
  const stripe = { type: "charge.dispute.closed", object };
  return [{ seconds: 600, stripe, generic: { type: "dispute", data } }];
}

/**
 * Without the fields that only Stripe's invoices have: the payment intent, for which the message's own id stands, the age
 * of the subscription, which its own message reports, and notes about data that the invoice lacks.
 */
function comparable(event: PaymentFact): PaymentFact {
  // Only Stripe's field holds ids that are no clicks.
  if (event.kind === "checkout") {
    return { ...event, click_ids: event.click_ids.filter((id) => id !== "user_17") };
  }
  if (event.kind !== "payment") return event;
  const {
    subscribed_since: _since,
    hidden_discounts: _discounts,
    names_no_charge: _charge,
    ...payment
  } = event;
  return { ...payment, references: [] };
}

describe("a history that Stripe and generic messages report", () => {
  it.each(api_versions)("has the same result, with Stripe's API version %s", (version) => {
    assert(
      property(history, (past) => {
        for (const { seconds, stripe, generic } of tellings(past, version)) {
          const event = stripeEvent({ ...stripe, api_version: version, created: NOON + seconds });
          const message = { id: `msg_${seconds}`, occurred_at: iso(seconds), ...generic };
          const by_generic = factsOf(parseGenericMessage(message));
          expect(factsOf(parseStripeMessage(event)).map(comparable)).toEqual(by_generic);
        }
      }),
      { numRuns: 300 },
    );
  });
});
