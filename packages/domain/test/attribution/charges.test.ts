/* Payment intents and charges, beside the checkouts and invoices that report the same payments, and without any. */
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { type ApiVersion, api_versions } from "@findersfee/samples/stripe/api-version";
import { stripeEvent } from "@findersfee/samples/stripe/event";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { listPaymentDecisions } from "../../src/attribution/list.ts";
import { rerunPayment } from "../../src/attribution/rerun.ts";
import type { Context } from "../../src/context.ts";
import { parseStripeMessage } from "../../src/processors/stripe/parse.ts";
import { commissions, eventTypes, outcomes } from "./program.ts";
import {
  charge,
  checkout,
  intent,
  invoice,
  invoicePayment,
  makeVisit,
  PAID,
  type Report,
  refund,
  reportEvents,
} from "./stripe-reports.ts";

let test: TestDatabase;
let context: Context;
let click_id: string;

beforeAll(async () => {
  test = await createTestDatabase();
});

afterAll(() => test.close());

async function begin(): Promise<void> {
  ({ context, click_id } = await makeVisit(test.database));
}

beforeEach(begin);

function permutations<One>(all: readonly One[]): One[][] {
  if (all.length <= 1) return [[...all]];
  return all.flatMap((item, index) => permutations(all.toSpliced(index, 1)).map((rest) => [item, ...rest]));
}

async function inEveryOrder(
  version: ApiVersion,
  reports: () => Report[],
  check: (order: string) => Promise<void>,
): Promise<void> {
  const count = reports().length;
  for (const order of permutations(Array.from({ length: count }, (_, index) => index))) {
    await begin();
    const all = reports();
    await reportEvents(
      context,
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
      () => [intent(version, click_id), charge(version), refund(version)],
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
    await reportEvents(context, version, [alone]);
    expect(await outcomes(context)).toEqual({ ch_1: "commission" });
  });

  it("counts when it is captured, and not when it is authorized", async () => {
    const authorized = charge(version, { payment_intent: null });
    Object.assign(authorized.object, { captured: false, amount_captured: 0 });
    const event = stripeEvent({ ...authorized, api_version: version, created: PAID });
    expect(parseStripeMessage(event)).toMatchObject({ outcome: "skipped" });
    const captured = charge(version, { payment_intent: null });
    Object.assign(captured.object, { amount_captured: 10_000 });
    await reportEvents(context, version, [{ ...captured, type: "charge.captured" }]);
    expect(await decisions()).toMatchObject([{ processor_payment_id: "ch_1", paid_amount: 100 }]);
  });

  it("decides on a payment without a referral, and decides again in a rerun", async () => {
    await reportEvents(context, version, [
      intent(version, click_id, { metadata: { findersfee_click_id: "nonsense" } }),
    ]);
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
        checkout(version, click_id),
        intent(version, click_id, { checkout_session: "cs_test_1", metadata: {} }),
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
    invoice(version, click_id),
    intent(version, click_id, { invoice: is_named ? "in_1" : null }),
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
