import { isUnavailable } from "@findersfee/database/postgres/errors";
import { deleteOldLookups, readUnmatchedRefunds } from "@findersfee/database/processors/lookups";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { failEachCall, LOST_ANSWERS } from "@findersfee/database/testing/faults/each-call";
import { connectProcessor } from "@findersfee/domain/processors/connections/connect";
import { listLookups } from "@findersfee/domain/processors/lookups/list";
import { STRIPE_SECRET } from "@findersfee/domain/testing/processors/signed";
import { processMessages, reportStripe } from "@findersfee/domain/testing/processors/stripe/report";
import { type ApiVersion, api_versions } from "@findersfee/samples/stripe/api-version";
import { sampleCharge } from "@findersfee/samples/stripe/charge";
import { sampleCheckoutSession } from "@findersfee/samples/stripe/checkout-session";
import { sampleDiscount, samplePromotionCode } from "@findersfee/samples/stripe/discount";
import { sampleDispute } from "@findersfee/samples/stripe/dispute";
import { stripeEvent } from "@findersfee/samples/stripe/event";
import { sampleInvoice } from "@findersfee/samples/stripe/invoice";
import { sampleInvoicePayment } from "@findersfee/samples/stripe/invoice-payment";
import { sampleRefund } from "@findersfee/samples/stripe/refund";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { lookups } from "../../src/processors/lookups.ts";
import { reopenAllLookups } from "../../src/processors/stripe/reopen-lookups.ts";
import { commissionsOf, makeTestOrganization, type TestOrganization } from "../processing.ts";
import { SECRETS_KEY } from "../subscriptions.ts";
import { runTurns } from "../turns.ts";
import { StripeServer } from "./stripe-server.ts";

const NEWEST: ApiVersion = "2026-10-28.endive";
const NOW = Math.floor(Date.now() / 1000);
const PAYMENT = { charge: "ch_1", payment_intent: "pi_1" };

let test: TestDatabase;
let stripe: StripeServer;
let organization: TestOrganization;

beforeEach(async () => {
  test = await createTestDatabase();
  stripe = await StripeServer.start();
  organization = await makeTestOrganization(test.database, { customers: ["cus_1"] });
  await connectProcessor(organization.context, SECRETS_KEY, {
    name: "stripe",
    signing_secret: STRIPE_SECRET,
    api_key: "rk_test_abcdefgh1234",
    livemode: false,
  } as Parameters<typeof connectProcessor>[2]);
});

afterEach(async () => {
  await stripe.close();
  await test.close();
});

function dependencies(database = test.database) {
  const log = pino({ level: "silent" });
  return { database, log, secrets_key: SECRETS_KEY, stripe_api_url: stripe.url };
}

/** Runs the due lookups. */
async function lookUp(database = test.database): Promise<void> {
  const consumer = lookups({ ...dependencies(database), offerInboundWebhooks: () => {} });
  await runTurns(test.database, consumer);
}

/** The nightly job. */
async function reopen(database = test.database): Promise<void> {
  await reopenAllLookups(dependencies(database), new AbortController().signal);
  await lookUp(database);
}

async function answer(): Promise<void> {
  await test.database`update processor_lookups set due_at = now() where due_at is not null`;
  await lookUp();
  await processMessages(organization.context);
}

async function waiting() {
  return (await listLookups(organization.context, { limit: 100 })).data;
}

function event(type: string, object: ReturnType<typeof sampleRefund>, version = NEWEST) {
  return stripeEvent({ type, object, api_version: version, created: NOW });
}

function invoice(fields: Partial<Parameters<typeof sampleInvoice>[1]> = {}, version = NEWEST) {
  return sampleInvoice(version, {
    id: "in_1",
    created: NOW,
    customer: "cus_1",
    customer_email: "cus_1@example.com",
    lines: [{ product: "prod_1", amount: 10_000 }],
    ...fields,
  });
}

function refund(amount = 5_000) {
  return event("refund.created", sampleRefund(NEWEST, { id: "re_1", created: NOW, amount, ...PAYMENT }));
}

/** The objects of the payment in Stripe's API: its charge, and the invoice that it paid. */
function setPayment({ currency = "usd", amount = 10_000, invoice = "in_1" as string | null } = {}): void {
  const charge = {
    ...sampleCharge(NEWEST, { id: "ch_1", created: NOW, amount, currency, payment_intent: "pi_1" }),
    balance_transaction: { id: "txn_1", object: "balance_transaction", amount: 9_000, currency: "eur" },
  };
  stripe.objects.set("charges/ch_1", charge);
  stripe.objects.set("payment_intents/pi_1", {
    id: "pi_1",
    object: "payment_intent",
    amount,
    amount_received: amount,
    created: NOW,
    currency,
    customer: "cus_1",
    latest_charge: charge,
    status: "succeeded",
  });
  const paid = { id: "inpay_1", created: NOW, amount, payment_intent: "pi_1" };
  stripe.lists.set("invoice_payments", invoice === null ? [] : [sampleInvoicePayment({ ...paid, invoice })]);
}

describe("a refund without an event that names its payment", () => {
  it("is listed as unmatched until Stripe's API returns its payment", async () => {
    setPayment();
    await reportStripe(organization.context, event("invoice.paid", invoice()), refund());
    expect(await commissionsOf(test.database, organization.organization_id)).toEqual(["in_1:3000"]);
    expect(await waiting()).toMatchObject([
      { kind: "refund", subject: "re_1", purpose: "payment", object_id: "pi_1" },
    ]);
    await test.database`update processor_lookups set wanted_at = date_trunc('milliseconds', now()) - interval '2 hours'`;
    const unmatched = await readUnmatchedRefunds(test.database);
    expect(unmatched.count).toBe(1);
    expect(unmatched.oldest_seconds).toBeGreaterThanOrEqual(7_200);
    await answer();
    expect(await commissionsOf(test.database, organization.organization_id)).toEqual(["in_1:1500"]);
    expect(await waiting()).toEqual([]);
    expect(await test.database`select from processor_lookups`).toHaveLength(0);
  });

  it("waits some minutes for an event before the request", async () => {
    setPayment();
    await reportStripe(organization.context, event("invoice.paid", invoice()), refund());
    await lookUp();
    const link = sampleInvoicePayment({
      id: "inpay_1",
      created: NOW,
      amount: 10_000,
      invoice: "in_1",
      payment_intent: "pi_1",
    });
    await reportStripe(organization.context, event("invoice_payment.paid", link));
    expect(await waiting()).toEqual([]);
    expect(stripe.calls).toHaveLength(0);
    expect(await commissionsOf(test.database, organization.organization_id)).toEqual(["in_1:1500"]);
  });

  it("is looked up again at night if Stripe had no invoice for its payment", async () => {
    setPayment({ invoice: null });
    await reportStripe(organization.context, event("invoice.paid", invoice()), refund());
    await answer();
    expect(await commissionsOf(test.database, organization.organization_id)).toEqual(["in_1:3000"]);
    setPayment();
    await reopen();
    await processMessages(organization.context);
    expect(await commissionsOf(test.database, organization.organization_id)).toEqual(["in_1:1500"]);
  });

  it("is matched by its charge without a payment intent", async () => {
    setPayment();
    const by_charge = { id: "dp_1", created: NOW, amount: 10_000, charge: "ch_1", payment_intent: null };
    const dispute = sampleDispute(NEWEST, { ...by_charge, status: "lost" });
    await reportStripe(
      organization.context,
      event("invoice.paid", invoice()),
      event("charge.dispute.closed", dispute),
    );
    expect(await waiting()).toMatchObject([{ kind: "dispute", object_id: "ch_1" }]);
    await answer();
    const rows = await test.database`select payout_status from commission_states`;
    expect(rows).toEqual([{ payout_status: "voided" }]);
  });
});

it.each(LOST_ANSWERS)("repairs lookups at night after any failed database call: %s", async (kind) => {
  setPayment({ invoice: null });
  await reportStripe(organization.context, event("invoice.paid", invoice()), refund());
  await answer();
  setPayment();
  let failed = 0;
  await failEachCall(test.url, kind, async (database) => {
    await reopen(database).catch((error: unknown) => {
      expect(isUnavailable(error)).toBe(true);
      failed += 1;
    });
    await test.database`update processor_lookups set due_at = now() where due_at is not null`;
  });
  await processMessages(organization.context);
  expect(failed).toBeGreaterThan(2);
  expect(await commissionsOf(test.database, organization.organization_id)).toEqual(["in_1:1500"]);
  expect(await test.database`select from processor_lookups`).toHaveLength(0);
  // One answer without the invoice, one with it.
  expect(await test.database`select from processor_messages where source = 'lookup'`).toHaveLength(2);
});

it("deletes old lookups with the messages of the same time", async () => {
  await test.database`
    insert into payment_facts (organization_id, processor, kind, subject, customer_id, state_at, rank, message_id, data)
    select ${organization.organization_id}, 'stripe', 'payment', 'in_' || days, gen_random_uuid(), now(), 0, 'evt_' || days, '{}'
    from generate_series(89, 92) as days`;
  await test.database`
    insert into processor_lookups (organization_id, processor, kind, subject, purpose, object_id, wanted_at, answered_at)
    select ${organization.organization_id}, 'stripe', 'payment', 'in_' || days, purpose, 'in_' || days,
      now() - days * interval '1 day', null
    from (values (89, 'payment'), (91, 'payment'), (92, 'products')) as lookups (days, purpose)`;
  const before = new Date(Date.now() - 90 * 24 * 60 * 60 * 1000);
  expect(await deleteOldLookups(test.database, { before, limit: 100 })).toBe(1);
  expect((await waiting()).map(({ subject }) => subject)).toEqual(["in_92", "in_89"]);
});

describe("a dispute in another currency", () => {
  async function disputed(fields: Partial<Parameters<typeof sampleDispute>[1]>): Promise<void> {
    const link = sampleInvoicePayment({
      id: "inpay_1",
      created: NOW,
      amount: 10_000,
      invoice: "in_1",
      payment_intent: "pi_1",
    });
    const dispute = sampleDispute(NEWEST, {
      id: "dp_1",
      created: NOW,
      amount: 4_000,
      currency: "gbp",
      status: "lost",
      ...PAYMENT,
      ...fields,
    });
    await reportStripe(
      organization.context,
      event("invoice.paid", invoice()),
      event("invoice_payment.paid", link),
      event("charge.dispute.closed", dispute),
    );
  }

  it("is converted by the charge's amount in that currency", async () => {
    setPayment({ currency: "gbp", amount: 8_000 });
    await disputed({});
    // Until then it counts as one of the whole payment.
    expect(await test.database`select payout_status from commission_states`).toEqual([
      { payout_status: "voided" },
    ]);
    expect(await waiting()).toMatchObject([{ purpose: "amounts", object_id: "pi_1" }]);
    await answer();
    expect(await commissionsOf(test.database, organization.organization_id)).toEqual(["in_1:1500"]);
    expect(await waiting()).toEqual([]);
  });

  it("is converted by the amount that left the balance", async () => {
    setPayment();
    await disputed({ currency: "eur", amount: 2_250 });
    await answer();
    expect(await commissionsOf(test.database, organization.organization_id)).toEqual(["in_1:2250"]);
  });
});

describe("a discount of which an event has only the id", () => {
  const discount = {
    id: "di_1",
    start: NOW - 60,
    coupon: "co_30",
    promotion_code: "promo_1",
    customer: "cus_2",
  };

  it("of an invoice is fetched, and attributes the customer by its promotion code", async () => {
    const object = invoice({ customer: "cus_2", customer_email: "kim@example.com", discount });
    const code = samplePromotionCode(NEWEST, { id: "promo_1", created: NOW, code: "JANE", coupon: "co_30" });
    const expanded = { ...sampleDiscount(NEWEST, discount), promotion_code: code };
    stripe.objects.set("invoices/in_1", { ...object, discounts: [expanded] });
    stripe.lists.set("invoices/in_1/lines", (object.lines as { data: [] }).data);
    await reportStripe(organization.context, event("invoice.paid", object));
    expect(await waiting()).toMatchObject([{ purpose: "promo_codes", object_id: "in_1" }]);
    await answer();
    expect(await commissionsOf(test.database, organization.organization_id)).toEqual(["in_1:3000"]);
    // The next invoice has the same discount, which is known by now.
    const calls = stripe.calls.length;
    const renewed = invoice({ id: "in_2", customer: "cus_2", customer_email: "kim@example.com", discount });
    await reportStripe(organization.context, event("invoice.paid", renewed));
    await answer();
    expect(stripe.calls).toHaveLength(calls);
    expect(await waiting()).toEqual([]);
  });

  it("of a checkout before 2025-01-27 is fetched with its session", async () => {
    const [, former] = api_versions;
    const sample = {
      id: "cs_1",
      created: NOW - 60,
      mode: "payment" as const,
      amount_subtotal: 12_000,
      amount_discount: 2_000,
      email: "kim@example.com",
      customer: "cus_2",
      payment_intent: "pi_1",
    };
    const code = samplePromotionCode(NEWEST, { id: "promo_1", created: NOW, code: "JANE", coupon: "co_30" });
    const fetched = sampleCheckoutSession(NEWEST, sample);
    stripe.objects.set("checkout/sessions/cs_1", {
      ...fetched,
      discounts: [{ coupon: null, promotion_code: code }],
    });
    stripe.lists.set("checkout/sessions/cs_1/line_items", []);
    const reported = sampleCheckoutSession(former, sample);
    await reportStripe(organization.context, event("checkout.session.completed", reported, former));
    await answer();
    expect(await commissionsOf(test.database, organization.organization_id)).toEqual(["pi_1:3000"]);
    expect(await waiting()).toEqual([]);
  });

  it("by an unknown promotion code is fetched once for all customers", async () => {
    const code = samplePromotionCode(NEWEST, { id: "promo_9", created: NOW, code: "JANE", coupon: "co_30" });
    stripe.objects.set("promotion_codes/promo_9", code);
    const checkout = (number: number) =>
      event(
        "checkout.session.completed",
        sampleCheckoutSession(NEWEST, {
          id: `cs_${number}`,
          created: NOW - 60,
          mode: "payment",
          amount_subtotal: 10_000,
          email: `kim${number}@example.com`,
          customer: `cus_9${number}`,
          payment_intent: `pi_${number}`,
          promotion_code: "promo_9",
        }),
      );
    await reportStripe(organization.context, checkout(1), checkout(2));
    expect(await waiting()).toHaveLength(2);
    await answer();
    expect(await commissionsOf(test.database, organization.organization_id)).toEqual([
      "pi_1:3000",
      "pi_2:3000",
    ]);
    await reportStripe(organization.context, checkout(3));
    await answer();
    expect(await commissionsOf(test.database, organization.organization_id)).toHaveLength(3);
    expect(stripe.calls).toHaveLength(1);
  });

  it("by a promotion code of no affiliate is fetched once a day", async () => {
    const code = samplePromotionCode(NEWEST, {
      id: "promo_8",
      created: NOW,
      code: "FRIDAY",
      coupon: "co_30",
    });
    stripe.objects.set("promotion_codes/promo_8", code);
    for (const number of [1, 2, 3]) {
      const object = sampleCheckoutSession(NEWEST, {
        id: `cs_${number}`,
        created: NOW - 60,
        mode: "payment",
        amount_subtotal: 10_000,
        email: `kim${number}@example.com`,
        customer: `cus_9${number}`,
        payment_intent: `pi_${number}`,
        promotion_code: "promo_8",
      });
      await reportStripe(organization.context, event("checkout.session.completed", object));
      await answer();
    }
    expect(stripe.calls).toHaveLength(1);
    expect(await waiting()).toEqual([]);
    expect(await commissionsOf(test.database, organization.organization_id)).toEqual([]);
  });
});
