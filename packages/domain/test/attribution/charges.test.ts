/* Payment intents and charges, beside the checkouts and invoices that report the same payments, and without any. */
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { type ApiVersion, api_versions, type StripeObject } from "@findersfee/samples/stripe/api-version";
import { sampleCharge } from "@findersfee/samples/stripe/charge";
import { sampleCheckoutSession } from "@findersfee/samples/stripe/checkout-session";
import { stripeEvent } from "@findersfee/samples/stripe/event";
import { sampleInvoice } from "@findersfee/samples/stripe/invoice";
import { sampleInvoicePayment } from "@findersfee/samples/stripe/invoice-payment";
import { samplePaymentIntent } from "@findersfee/samples/stripe/payment-intent";
import { sampleRefund } from "@findersfee/samples/stripe/refund";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { listPaymentDecisions } from "../../src/attribution/list.ts";
import { rerunPayment } from "../../src/attribution/rerun.ts";
import { updateCampaign } from "../../src/campaigns/update.ts";
import { listCommissions } from "../../src/commissions/list.ts";
import { updateCommission } from "../../src/commissions/update.ts";
import type { Context } from "../../src/context.ts";
import { parseStripeMessage } from "../../src/processors/stripe/parse.ts";
import { factsOf } from "../processors/parsed.ts";
import { makeContext } from "../subscriber.ts";
import {
  addPartner,
  apply,
  balanceOf,
  click,
  commissions,
  eventTypes,
  outcomes,
  type Partner,
  payOut,
} from "./program.ts";

const PAID = Math.floor(Date.UTC(2026, 0, 2) / 1000);
const EMAIL = "buyer@customers.test";

let test: TestDatabase;
let context: Context;
let partner: Partner;
let click_id: string;

beforeAll(async () => {
  test = await createTestDatabase();
});

afterAll(() => test.close());

async function begin(): Promise<void> {
  context = await makeContext(test.database);
  partner = await addPartner(context);
  click_id = await click(context, {
    affiliate_id: partner.affiliate_id,
    at: new Date((PAID - 3_600) * 1000),
  });
}

beforeEach(begin);

interface Report {
  type: string;
  object: StripeObject;
  /** Seconds after the payment. */
  after?: number;
}

/** Reports each event of Stripe in a transaction of its own. */
async function report(api_version: ApiVersion, reports: readonly Report[]): Promise<void> {
  for (const { type, object, after = 0 } of reports) {
    const event = stripeEvent({ type, object, api_version, created: PAID + after, livemode: true });
    const facts = factsOf(parseStripeMessage(event));
    await apply(
      context,
      facts.map((fact) => ({ processor: "stripe", message_id: event.id, fact })),
    );
  }
}

function permutations<One>(all: readonly One[]): One[][] {
  if (all.length <= 1) return [[...all]];
  return all.flatMap((item, index) => permutations(all.toSpliced(index, 1)).map((rest) => [item, ...rest]));
}

const charge = (version: ApiVersion, fields: Partial<Parameters<typeof sampleCharge>[1]> = {}): Report => ({
  type: "charge.succeeded",
  object: sampleCharge(version, {
    id: "ch_1",
    created: PAID,
    amount: 11_900,
    customer: "cus_1",
    email: EMAIL,
    payment_intent: "pi_1",
    ...fields,
  }),
});

const intent = (
  version: ApiVersion,
  fields: Partial<Parameters<typeof samplePaymentIntent>[1]> = {},
): Report => ({
  type: "payment_intent.succeeded",
  object: samplePaymentIntent(version, {
    id: "pi_1",
    created: PAID,
    amount: 11_900,
    customer: "cus_1",
    latest_charge: "ch_1",
    metadata: { findersfee_click_id: click_id },
    ...fields,
  }),
});

const refund = (version: ApiVersion): Report => ({
  type: "refund.created",
  object: sampleRefund(version, {
    id: "re_1",
    created: PAID + 60,
    amount: 5_950,
    charge: "ch_1",
    payment_intent: "pi_1",
  }),
  after: 60,
});

/** An invoice of 100.00 and 19.00 of tax. */
const invoice = (version: ApiVersion, id = "in_1"): Report => ({
  type: "invoice.paid",
  object: sampleInvoice(version, {
    id,
    created: PAID,
    customer: "cus_1",
    customer_email: EMAIL,
    lines: [{ product: "prod_basic", amount: 10_000, tax: 1_900 }],
    payment_intent: "pi_1",
    charge: "ch_1",
    metadata: { findersfee_click_id: click_id },
  }),
  after: 1,
});

const invoicePayment: Report = {
  type: "invoice_payment.paid",
  object: sampleInvoicePayment({
    id: "inpay_1",
    created: PAID,
    amount: 11_900,
    invoice: "in_1",
    payment_intent: "pi_1",
  }),
};

const checkout = (version: ApiVersion): Report => ({
  type: "checkout.session.completed",
  object: sampleCheckoutSession(version, {
    id: "cs_test_1",
    created: PAID - 60,
    mode: "payment",
    amount_subtotal: 10_000,
    amount_tax: 1_900,
    customer: "cus_1",
    email: EMAIL,
    payment_intent: "pi_1",
    client_reference_id: click_id,
  }),
});

/** Runs the same reports in every order, each for an organization of its own. */
async function inEveryOrder(
  version: ApiVersion,
  reports: () => Report[],
  check: (order: string) => Promise<void>,
): Promise<void> {
  const count = reports().length;
  for (const order of permutations(Array.from({ length: count }, (_, index) => index))) {
    await begin();
    const all = reports();
    await report(
      version,
      order.flatMap((index) => all[index] ?? []),
    );
    await check(order.join());
  }
}

async function decisions() {
  return (await listPaymentDecisions(context, { limit: 10 })).data;
}

describe.each(api_versions)("a payment without checkout and invoice, in %s", (version) => {
  it("counts once, by its payment intent and its charge, in any order, and shrinks by a refund", async () => {
    await inEveryOrder(
      version,
      () => [intent(version), charge(version), refund(version)],
      async (order) => {
        expect(await outcomes(context), order).toEqual({ pi_1: "commission" });
        expect(await commissions(context), order).toMatchObject([
          { processor_payment_id: "pi_1", revenue_minor: 5_950n, commission_minor: 1_785n },
        ]);
        expect((await eventTypes(context)).filter((type) => type === "commission.created")).toHaveLength(1);
      },
    );
  });

  it("counts by a charge that has no payment intent", async () => {
    const alone = charge(version, { payment_intent: null });
    Object.assign(alone.object, { metadata: { findersfee_click_id: click_id } });
    await report(version, [alone]);
    expect(await outcomes(context)).toEqual({ ch_1: "commission" });
  });

  it("counts when it is captured, and not when it is authorized", async () => {
    const authorized = charge(version, { payment_intent: null });
    Object.assign(authorized.object, { captured: false, amount_captured: 0 });
    const event = stripeEvent({ ...authorized, api_version: version, created: PAID });
    expect(parseStripeMessage(event)).toMatchObject({ outcome: "skipped" });
    const captured = charge(version, { payment_intent: null });
    Object.assign(captured.object, { amount_captured: 10_000 });
    await report(version, [{ ...captured, type: "charge.captured" }]);
    expect(await decisions()).toMatchObject([{ processor_payment_id: "ch_1", paid_amount: 100 }]);
  });

  it("decides on a payment without a referral, and decides again in a rerun", async () => {
    await report(version, [intent(version, { metadata: { findersfee_click_id: "nonsense" } })]);
    const [decision] = await decisions();
    expect(decision).toMatchObject({
      outcome: "no_referral",
      explanation: { candidates: [{ reference: "nonsense", result: "unknown_click" }] },
    });
    expect(await rerunPayment(context, decision?.id ?? "")).toMatchObject({ outcome: "no_referral" });
  });
});

describe.each(api_versions)("a one-time checkout with its payment intent and charge, in %s", (version) => {
  it("is one payment in any order, of what the checkout says", async () => {
    await inEveryOrder(
      version,
      () => [
        checkout(version),
        intent(version, { checkout_session: "cs_test_1", metadata: {} }),
        charge(version),
        refund(version),
      ],
      async (order) => {
        expect(await outcomes(context), order).toEqual({ pi_1: "commission" });
        expect(await commissions(context), order).toMatchObject([
          { processor_payment_id: "pi_1", revenue_minor: 5_000n, commission_minor: 1_500n },
        ]);
        expect((await eventTypes(context)).filter((type) => type === "commission.created")).toHaveLength(1);
      },
    );
  });
});

describe.each([
  ["2024-11-20.acacia", "names its payment intent", true, false],
  ["2026-10-28.endive", "is named by its payment intent", true, true],
  ["2026-10-28.endive", "is linked by an invoice payment only", false, true],
  ["2026-10-28.endive", "is linked by nothing", false, false],
] as const)("an invoice of %s that %s", (version, _, is_named, has_link) => {
  const reports = () => [
    invoice(version),
    intent(version, { invoice: is_named ? "in_1" : null }),
    charge(version, { invoice: is_named ? "in_1" : null }),
    ...(has_link ? [invoicePayment] : []),
  ];

  it("is one payment in any order, with one commission that is announced once", async () => {
    await inEveryOrder(version, reports, async (order) => {
      expect(await outcomes(context), order).toMatchObject({ in_1: "commission" });
      const shown = await decisions();
      expect(
        shown.map(({ processor_payment_id }) => processor_payment_id),
        order,
      ).toEqual(["in_1"]);
      expect(await commissions(context), order).toMatchObject([
        { processor_payment_id: "in_1", revenue_minor: 10_000n, commission_minor: 3_000n },
      ]);
      expect(await commissions(context), order).toHaveLength(1);
      expect((await eventTypes(context)).filter((type) => type === "commission.created")).toHaveLength(1);
    });
  });
});

describe("an invoice that is linked long after", () => {
  const VERSION = "2026-10-28.endive";

  /** The charge counts as a payment of its own: it is of another day. */
  async function apart(): Promise<void> {
    await report(VERSION, [{ ...intent(VERSION), after: 86_400 }, invoice(VERSION)]);
    expect(await outcomes(context)).toEqual({ pi_1: "commission", in_1: "commission" });
    expect(await balanceOf(context)).toBe(3_000n + 3_570n);
  }

  it("takes back the commission of its payment intent", async () => {
    await apart();
    await report(VERSION, [invoicePayment]);
    expect((await decisions()).map(({ processor_payment_id }) => processor_payment_id)).toEqual(["in_1"]);
    expect(await balanceOf(context)).toBe(3_000n);
    // A repeated report changes nothing.
    await report(VERSION, [invoicePayment, { ...intent(VERSION), after: 86_400 }]);
    expect(await balanceOf(context)).toBe(3_000n);
    expect((await eventTypes(context)).filter((type) => type === "commission.created")).toHaveLength(2);
  });

  it("nets the commission of its payment intent where that was paid out", async () => {
    await apart();
    await payOut(context);
    await report(VERSION, [invoicePayment]);
    expect(await balanceOf(context)).toBe(3_000n);
    expect((await commissions(context)).filter(({ is_reversal }) => is_reversal)).toMatchObject([
      { processor_payment_id: "pi_1", commission_minor: -3_570n },
    ]);
  });

  it("keeps a paid commission of its payment intent and corrects the amount", async () => {
    await report(VERSION, [charge(VERSION), intent(VERSION)]);
    await payOut(context);
    expect(await balanceOf(context)).toBe(3_570n);
    await report(VERSION, [invoice(VERSION), invoicePayment]);
    expect(await outcomes(context)).toEqual({ in_1: "commission" });
    expect(await balanceOf(context)).toBe(3_000n);
    expect((await eventTypes(context)).filter((type) => type === "commission.created")).toHaveLength(1);
  });

  it("waits for the invoice where the link comes first, and announces one commission", async () => {
    await report(VERSION, [intent(VERSION), invoicePayment]);
    expect(await decisions()).toEqual([]);
    expect(await balanceOf(context)).toBe(0n);
    await report(VERSION, [invoice(VERSION)]);
    expect(await balanceOf(context)).toBe(3_000n);
    expect((await eventTypes(context)).filter((type) => type === "commission.created")).toHaveLength(1);
  });
});

it("two payments of one customer and amount are two, once it is known which one paid the invoice", async () => {
  const version = "2026-10-28.endive";
  const other = { id: "pi_2", latest_charge: "ch_2" };
  await report(version, [intent(version), { ...intent(version, other), after: 5 }, invoice(version)]);
  expect(await commissions(context)).toHaveLength(2);
  const link = {
    ...invoicePayment,
    object: { ...invoicePayment.object, payment: { payment_intent: "pi_2", type: "payment_intent" } },
  };
  await report(version, [link]);
  const shown = (await decisions()).map(({ processor_payment_id }) => processor_payment_id);
  expect(shown.sort()).toEqual(["in_1", "pi_1"]);
  expect(await balanceOf(context)).toBe(3_000n + 3_570n);
});

it.each([
  ["pi_1", "pi_2"],
  ["pi_2", "pi_1"],
])(
  "an invoice that %s paid leaves %s its own commission, also where both were paid out",
  async (paid, alone) => {
    const version = "2026-10-28.endive";
    const other = { id: "pi_2", latest_charge: "ch_2" };
    await report(version, [charge(version), intent(version), { ...intent(version, other), after: 5 }]);
    expect(await balanceOf(context)).toBe(2n * 3_570n);
    await payOut(context);
    // Paired with one of them until the link is reported; it takes over the decision and the paid commission.
    await report(version, [invoice(version)]);
    const payment = { payment_intent: paid, type: "payment_intent" };
    await report(version, [{ ...invoicePayment, object: { ...invoicePayment.object, payment } }]);
    // Not `commission_exists`, though the paid commission that the invoice took over still names it.
    expect(await outcomes(context)).toMatchObject({ in_1: "commission", [alone]: "commission" });
    expect(await balanceOf(context)).toBe(3_000n + 3_570n);
  },
);

describe("a charge that was paired with the wrong invoice", () => {
  const VERSION = "2026-10-28.endive";
  const link = {
    ...invoicePayment,
    object: { ...invoicePayment.object, payment: { payment_intent: "pi_2", type: "payment_intent" } },
  };
  const other = () => ({ ...intent(VERSION, { id: "pi_2", latest_charge: "ch_2" }), after: 5 });

  async function paidOut(): Promise<void> {
    await report(VERSION, [charge(VERSION), intent(VERSION)]);
    await payOut(context);
    expect(await commissions(context)).toMatchObject([
      { processor_payment_id: "pi_1", payout_status: "paid" },
    ]);
  }

  it("keeps its commission where the invoice earns nothing", async () => {
    await updateCampaign(context, { id: partner.campaign_id, skip_prorations: true });
    const prorated = invoice(VERSION);
    Object.assign(prorated.object, { billing_reason: "subscription_update" });
    await report(VERSION, [charge(VERSION), intent(VERSION), other()]);
    expect(await balanceOf(context)).toBe(2n * 3_570n);
    await report(VERSION, [prorated]);
    expect(await outcomes(context)).toMatchObject({ in_1: "proration", pi_2: "commission" });
    await report(VERSION, [link]);
    expect(await outcomes(context)).toEqual({ in_1: "proration", pi_1: "commission" });
    expect(await balanceOf(context)).toBe(3_570n);
  });

  it("gives the invoice its name, too, where the invoice earns later", async () => {
    await updateCampaign(context, { id: partner.campaign_id, skip_prorations: true });
    const prorated = invoice(VERSION);
    Object.assign(prorated.object, { billing_reason: "subscription_update" });
    await report(VERSION, [charge(VERSION), intent(VERSION), prorated, invoicePayment]);
    expect(await outcomes(context)).toEqual({ in_1: "proration" });
    expect(await commissions(context)).toMatchObject([
      { processor_payment_id: "pi_1", payout_status: "voided" },
    ]);
    await updateCampaign(context, { id: partner.campaign_id, skip_prorations: false });
    const [decision] = await decisions();
    await rerunPayment(context, decision?.id ?? "");
    expect(await commissions(context)).toMatchObject([
      { processor_payment_id: "in_1", payout_status: "not_paid" },
    ]);
  });

  it("gets its paid commission back before the charge that paid the invoice is reported", async () => {
    await paidOut();
    await report(VERSION, [invoice(VERSION), link]);
    expect(await outcomes(context)).toEqual({ in_1: "commission", pi_1: "commission" });
    await report(VERSION, [other()]);
    expect(await outcomes(context)).toEqual({ in_1: "commission", pi_1: "commission" });
    expect(await balanceOf(context)).toBe(3_000n + 3_570n);
  });

  it("gets its paid commission back where a checkout reports it after all", async () => {
    await paidOut();
    await report(VERSION, [invoice(VERSION), checkout(VERSION)]);
    expect(await outcomes(context)).toEqual({ in_1: "commission", pi_1: "commission" });
    expect(await balanceOf(context)).toBe(2n * 3_000n);
  });

  it("gets no commission whose payment id was set by hand", async () => {
    await report(VERSION, [invoice(VERSION)]);
    const [{ id } = { id: "" }] = (await listCommissions(context, { limit: 10 })).data;
    await updateCommission(context, { id, processor_payment_id: "pi_1" });
    await report(VERSION, [{ ...intent(VERSION), after: 86_400 }]);
    expect(await outcomes(context)).toEqual({ in_1: "commission", pi_1: "commission_exists" });
    expect(await balanceOf(context)).toBe(3_000n);
  });
});

describe("a commission that was restored after its charge turned out to be an invoice's", () => {
  const VERSION = "2026-10-28.endive";

  async function restored(): Promise<void> {
    await report(VERSION, [{ ...intent(VERSION), after: 86_400 }, invoice(VERSION), invoicePayment]);
    const { data } = await listCommissions(context, { limit: 10, payout_status: "voided" });
    await updateCommission(context, { id: data[0]?.id ?? "", payout_status: "not_paid" });
    expect(await balanceOf(context)).toBe(3_000n + 3_570n);
  }

  it("stands when more is reported", async () => {
    await restored();
    await report(VERSION, [refund(VERSION)]);
    expect(await balanceOf(context)).toBe(1_500n + 3_570n);
  });

  it("stands when it was paid out", async () => {
    await restored();
    await payOut(context);
    await report(VERSION, [refund(VERSION)]);
    expect(await balanceOf(context)).toBe(1_500n + 3_570n);
  });
});
