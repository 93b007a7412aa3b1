/* Invoices and the payment intents that turn out to have paid them. */
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { api_versions } from "@findersfee/samples/stripe/api-version";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { listPaymentDecisions } from "../../src/attribution/list.ts";
import { rerunPayment } from "../../src/attribution/rerun.ts";
import { updateCampaign } from "../../src/campaigns/update.ts";
import { listCommissions } from "../../src/commissions/list.ts";
import { updateCommission } from "../../src/commissions/update.ts";
import type { Context } from "../../src/context.ts";
import { balanceOf, commissions, eventTypes, outcomes, type Partner, payOut } from "./program.ts";
import {
  charge,
  checkout,
  intent,
  invoice,
  invoicePayment,
  makeVisit,
  type Report,
  reportEvents,
} from "./stripe-reports.ts";

let test: TestDatabase;
let context: Context;
let partner: Partner;
let click_id: string;

beforeAll(async () => {
  test = await createTestDatabase();
});

afterAll(() => test.close());

beforeEach(async () => {
  ({ context, partner, click_id } = await makeVisit(test.database));
});

async function decisions() {
  return (await listPaymentDecisions(context, { limit: 10 })).data;
}

describe("an invoice that is linked long after", () => {
  const VERSION = "2026-10-28.endive";

  /** The charge counts as a payment of its own: it is of another day. */
  async function apart(): Promise<void> {
    await reportEvents(context, VERSION, [
      { ...intent(VERSION, click_id), after: 86_400 },
      invoice(VERSION, click_id),
    ]);
    expect(await outcomes(context)).toEqual({ pi_1: "commission", in_1: "commission" });
    expect(await balanceOf(context)).toBe(3_000n + 3_570n);
  }

  it("takes back the commission of its payment intent", async () => {
    await apart();
    await reportEvents(context, VERSION, [invoicePayment]);
    expect((await decisions()).map(({ processor_payment_id }) => processor_payment_id)).toEqual(["in_1"]);
    expect(await balanceOf(context)).toBe(3_000n);
    // A repeated report changes nothing.
    await reportEvents(context, VERSION, [invoicePayment, { ...intent(VERSION, click_id), after: 86_400 }]);
    expect(await balanceOf(context)).toBe(3_000n);
    expect((await eventTypes(context)).filter((type) => type === "commission.created")).toHaveLength(2);
  });

  it("nets the commission of its payment intent where that was paid out", async () => {
    await apart();
    await payOut(context);
    await reportEvents(context, VERSION, [invoicePayment]);
    expect(await balanceOf(context)).toBe(3_000n);
    expect((await commissions(context)).filter(({ is_reversal }) => is_reversal)).toMatchObject([
      { processor_payment_id: "pi_1", commission_minor: -3_570n },
    ]);
  });

  it("keeps a paid commission of its payment intent and corrects the amount", async () => {
    await reportEvents(context, VERSION, [charge(VERSION), intent(VERSION, click_id)]);
    await payOut(context);
    expect(await balanceOf(context)).toBe(3_570n);
    await reportEvents(context, VERSION, [invoice(VERSION, click_id), invoicePayment]);
    expect(await outcomes(context)).toEqual({ in_1: "commission" });
    expect(await balanceOf(context)).toBe(3_000n);
    expect((await eventTypes(context)).filter((type) => type === "commission.created")).toHaveLength(1);
  });

  it("waits for the invoice where the link comes first, and announces one commission", async () => {
    await reportEvents(context, VERSION, [intent(VERSION, click_id), invoicePayment]);
    expect(await decisions()).toEqual([]);
    expect(await balanceOf(context)).toBe(0n);
    await reportEvents(context, VERSION, [invoice(VERSION, click_id)]);
    expect(await balanceOf(context)).toBe(3_000n);
    expect((await eventTypes(context)).filter((type) => type === "commission.created")).toHaveLength(1);
  });
});

it("two payments of one customer and amount are two, once it is known which one paid the invoice", async () => {
  const version = "2026-10-28.endive";
  const other = { id: "pi_2", latest_charge: "ch_2" };
  await reportEvents(context, version, [
    intent(version, click_id),
    { ...intent(version, click_id, other), after: 5 },
    invoice(version, click_id),
  ]);
  expect(await commissions(context)).toHaveLength(2);
  const link = {
    ...invoicePayment,
    object: { ...invoicePayment.object, payment: { payment_intent: "pi_2", type: "payment_intent" } },
  };
  await reportEvents(context, version, [link]);
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
    await reportEvents(context, version, [
      charge(version),
      intent(version, click_id),
      { ...intent(version, click_id, other), after: 5 },
    ]);
    expect(await balanceOf(context)).toBe(2n * 3_570n);
    await payOut(context);
    // Paired with one of them until the link is reported; it takes over the decision and the paid commission.
    await reportEvents(context, version, [invoice(version, click_id)]);
    const payment = { payment_intent: paid, type: "payment_intent" };
    await reportEvents(context, version, [
      { ...invoicePayment, object: { ...invoicePayment.object, payment } },
    ]);
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
  const other = () => ({ ...intent(VERSION, click_id, { id: "pi_2", latest_charge: "ch_2" }), after: 5 });

  async function paidOut(): Promise<void> {
    await reportEvents(context, VERSION, [charge(VERSION), intent(VERSION, click_id)]);
    await payOut(context);
    expect(await commissions(context)).toMatchObject([
      { processor_payment_id: "pi_1", payout_status: "paid" },
    ]);
  }

  it("keeps its commission where the invoice earns nothing", async () => {
    await updateCampaign(context, { id: partner.campaign_id, skip_prorations: true });
    const prorated = invoice(VERSION, click_id);
    Object.assign(prorated.object, { billing_reason: "subscription_update" });
    await reportEvents(context, VERSION, [charge(VERSION), intent(VERSION, click_id), other()]);
    expect(await balanceOf(context)).toBe(2n * 3_570n);
    await reportEvents(context, VERSION, [prorated]);
    expect(await outcomes(context)).toMatchObject({ in_1: "proration", pi_2: "commission" });
    await reportEvents(context, VERSION, [link]);
    expect(await outcomes(context)).toEqual({ in_1: "proration", pi_1: "commission" });
    expect(await balanceOf(context)).toBe(3_570n);
  });

  it("gives the invoice its name, too, where the invoice earns later", async () => {
    await updateCampaign(context, { id: partner.campaign_id, skip_prorations: true });
    const prorated = invoice(VERSION, click_id);
    Object.assign(prorated.object, { billing_reason: "subscription_update" });
    await reportEvents(context, VERSION, [
      charge(VERSION),
      intent(VERSION, click_id),
      prorated,
      invoicePayment,
    ]);
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
    await reportEvents(context, VERSION, [invoice(VERSION, click_id), link]);
    expect(await outcomes(context)).toEqual({ in_1: "commission", pi_1: "commission" });
    await reportEvents(context, VERSION, [other()]);
    expect(await outcomes(context)).toEqual({ in_1: "commission", pi_1: "commission" });
    expect(await balanceOf(context)).toBe(3_000n + 3_570n);
  });

  it("gets its paid commission back where a checkout reports it after all", async () => {
    await paidOut();
    await reportEvents(context, VERSION, [invoice(VERSION, click_id), checkout(VERSION, click_id)]);
    expect(await outcomes(context)).toEqual({ in_1: "commission", pi_1: "commission" });
    expect(await balanceOf(context)).toBe(2n * 3_000n);
  });

  it("gets no commission whose payment id was set by hand", async () => {
    await reportEvents(context, VERSION, [invoice(VERSION, click_id)]);
    const [{ id } = { id: "" }] = (await listCommissions(context, { limit: 10 })).data;
    await updateCommission(context, { id, processor_payment_id: "pi_1" });
    await reportEvents(context, VERSION, [{ ...intent(VERSION, click_id), after: 86_400 }]);
    expect(await outcomes(context)).toEqual({ in_1: "commission", pi_1: "commission_exists" });
    expect(await balanceOf(context)).toBe(3_000n);
  });
});

describe("a commission whose charge turned out to be an invoice's", () => {
  const VERSION = "2026-10-28.endive";

  it("cannot be restored: the invoice has one", async () => {
    await reportEvents(context, VERSION, [
      { ...intent(VERSION, click_id), after: 86_400 },
      invoice(VERSION, click_id),
      invoicePayment,
    ]);
    const { data } = await listCommissions(context, { limit: 10 });
    const [withdrawn] = data.filter(({ payout_status }) => payout_status === "voided");
    const [invoices] = data.filter(({ payout_status }) => payout_status === "not_paid");
    await expect(
      updateCommission(context, { id: withdrawn?.id ?? "", payout_status: "not_paid" }),
    ).rejects.toMatchObject({ code: "commission_exists", details: { commission_id: invoices?.id } });
  });
});

describe.each(api_versions)("an invoice of %s that was paid in part outside of Stripe", (version) => {
  /** An invoice of 119.00. A credit note took 35.70 off, and 23.80 were charged. */
  function inParts(amount_paid: number): Report {
    const report = invoice(version, click_id);
    const named = amount_paid === 0 ? { charge: null, payment_intent: null } : {};
    const former = version === "2024-11-20.acacia" ? { ...named, paid_out_of_band: true } : {};
    const amount_due = 8_330;
    Object.assign(report.object, {
      amount_due,
      amount_paid,
      amount_remaining: amount_due - amount_paid,
      pre_payment_credit_notes_amount: 3_570,
      ...former,
    });
    return report;
  }

  it("earns for what was due after its credit note", async () => {
    await reportEvents(context, version, [inParts(0)]);
    expect(await balanceOf(context)).toBe(2_100n);
  });

  it("earns for both parts once, before its charge is linked", async () => {
    const part = { amount: 2_380 };
    const charged = { ...intent(version, click_id, part), after: 30 };
    await reportEvents(context, version, [charge(version, part), charged, inParts(2_380)]);
    expect(await outcomes(context)).toEqual({ in_1: "commission" });
    expect(await balanceOf(context)).toBe(2_100n);
  });

  it("counts once if it was charged apart from the invoice, and marked as paid", async () => {
    const same = { amount: 8_330 };
    await reportEvents(context, version, [{ ...intent(version, click_id, same), after: 30 }, inParts(0)]);
    expect(await outcomes(context)).toEqual({ in_1: "commission" });
    expect(await balanceOf(context)).toBe(2_100n);
  });
});
