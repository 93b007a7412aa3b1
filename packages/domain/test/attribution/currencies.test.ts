import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { type ApiVersion, api_versions } from "@findersfee/samples/stripe/api-version";
import { sampleCheckoutSession } from "@findersfee/samples/stripe/checkout-session";
import { sampleDispute } from "@findersfee/samples/stripe/dispute";
import { stripeEvent } from "@findersfee/samples/stripe/event";
import { sampleInvoice } from "@findersfee/samples/stripe/invoice";
import { sampleRefund } from "@findersfee/samples/stripe/refund";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Context } from "../../src/context.ts";
import { createReferral } from "../../src/customers/referrals/create.ts";
import { reportStripe } from "../processors/stripe/report.ts";
import { NOON } from "../processors/stripe/samples.ts";
import { makeContext } from "../subscriber.ts";
import { addPartner, commissions } from "./program.ts";

let test: TestDatabase;
let context: Context;

beforeAll(async () => {
  test = await createTestDatabase();
});

afterAll(() => test.close());

const PAYMENT = { charge: "ch_1", payment_intent: "pi_1" };

beforeEach(async () => {
  context = await makeContext(test.database);
  const { affiliate_id } = await addPartner(context);
  await createReferral(context, {
    affiliate_id,
    email: "kim@customers.test",
    processor_customer_id: "cus_1",
    subscription_status: "signed_up",
  });
  // Before the payments, which the samples date at noon.
  await context.database`update referrals set signup_date = ${new Date((NOON - 86_400) * 1000)}`;
});

function event(api_version: ApiVersion, type: string, object: ReturnType<typeof sampleDispute>) {
  return stripeEvent({ type, object, api_version, created: NOON + 200 });
}

/** A checkout of 24.00 USD that the customer paid in euros, as Adaptive Pricing shows it. */
function adaptiveCheckout(version: ApiVersion, fields: Record<string, unknown>) {
  const object = {
    ...sampleCheckoutSession(version, {
      id: "cs_1",
      created: NOON,
      mode: "payment",
      amount_subtotal: 2000,
      amount_tax: 400,
      email: "kim@customers.test",
      customer: "cus_1",
      payment_intent: "pi_1",
    }),
    ...fields,
  };
  return event(version, "checkout.session.completed", object);
}

/** The session in the merchant's currency; and as until 2025-03-31, in the customer's. */
const shapes = {
  presentment_details: { presentment_details: { presentment_amount: 2160, presentment_currency: "eur" } },
  currency_conversion: {
    currency: "eur",
    amount_subtotal: 1800,
    amount_total: 2160,
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 360 },
    currency_conversion: {
      amount_subtotal: 2000,
      amount_total: 2400,
      fx_rate: "0.9",
      source_currency: "usd",
    },
  },
};

describe.each(Object.entries(shapes))("Adaptive Pricing by %s", (_, fields) => {
  it("counts payments in the merchant's currency, and refunds in the customer's in proportion", async () => {
    const [version] = api_versions;
    await reportStripe(context, adaptiveCheckout(version, fields));
    expect(await commissions(context)).toMatchObject([{ revenue_minor: 2_000n, commission_minor: 600n }]);
    const [decision] = await context.database`
      select currency, paid_minor from payment_decisions where organization_id = ${context.organization.id}`;
    expect(decision).toEqual({ currency: "USD", paid_minor: 2_400n });
    const half = { id: "re_1", created: NOON + 100, amount: 1080, currency: "eur", ...PAYMENT };
    await reportStripe(context, event(version, "refund.created", sampleRefund(version, half)));
    expect(await commissions(context)).toMatchObject([{ revenue_minor: 1_000n, commission_minor: 300n }]);
  });
});

describe.each(api_versions)("a dispute in another currency (%s)", (version) => {
  it("of the whole payment leaves no remainder", async () => {
    const invoice = sampleInvoice(version, {
      id: "in_1",
      created: NOON,
      customer: "cus_1",
      lines: [{ product: "prod_1", amount: 10_000 }],
      ...PAYMENT,
    });
    const link = { id: "inpay_1", object: "invoice_payment", invoice: "in_1" };
    await reportStripe(
      context,
      event(version, "invoice.paid", invoice),
      event(version, "invoice_payment.paid", {
        ...link,
        payment: { type: "payment_intent", payment_intent: "pi_1" },
      }),
    );
    expect(await commissions(context)).toMatchObject([{ commission_minor: 3_000n }]);
    const lost = {
      id: "dp_1",
      created: NOON + 100,
      amount: 7_900,
      currency: "gbp",
      status: "lost",
      ...PAYMENT,
    };
    await reportStripe(context, event(version, "charge.dispute.created", sampleDispute(version, lost)));
    expect(await commissions(context)).toMatchObject([{ payout_status: "voided" }]);
  });
});
