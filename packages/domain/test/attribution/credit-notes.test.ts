/* Credit notes of an invoice of 119.00. The amount was returned outside of Stripe. */
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { type ApiVersion, api_versions } from "@findersfee/samples/stripe/api-version";
import { type SampleCreditNote, sampleCreditNote } from "@findersfee/samples/stripe/credit-note";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Context } from "../../src/context.ts";
import { balanceOf, commissions, payOut } from "./program.ts";
import {
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

beforeEach(async () => {
  ({ context, click_id } = await makeVisit(test.database));
});

function creditNote(version: ApiVersion, fields: Partial<SampleCreditNote>, type = "created"): Report {
  const shared = { id: "cn_1", created: PAID + 60, customer: "cus_1", invoice: "in_1" };
  const after = type === "voided" ? 120 : 60;
  return { type: `credit_note.${type}`, object: sampleCreditNote(version, { ...shared, ...fields }), after };
}

describe.each(api_versions)("credit notes of %s", (version) => {
  /** Marked as paid. */
  function outside(): Report {
    const report = invoice(version, click_id);
    const former = { charge: null, payment_intent: null, paid_out_of_band: true };
    const fields = { amount_paid: 0, amount_remaining: 11_900 };
    Object.assign(report.object, fields, version === "2024-11-20.acacia" ? former : {});
    return report;
  }

  /** Each before the next, and the other way around. */
  async function inBothOrders(reports: readonly Report[], balance: bigint): Promise<void> {
    for (const ordered of [reports, reports.toReversed()]) {
      ({ context, click_id } = await makeVisit(test.database));
      const own = ordered.map((report) => (report.type === "invoice.paid" ? outside() : report));
      await reportEvents(context, version, own);
      await reportEvents(context, version, own.slice(0, 1));
      expect(await balanceOf(context)).toBe(balance);
    }
  }

  it("void the commission of an invoice that was paid and refunded outside", async () => {
    await inBothOrders([outside(), creditNote(version, { out_of_band: 11_900 })], 0n);
    expect(await commissions(context)).toMatchObject([{ payout_status: "voided" }]);
  });

  it("reduce it by a part, each once", async () => {
    const first = creditNote(version, { out_of_band: 5_950 });
    const second = creditNote(version, { id: "cn_2", out_of_band: 2_380 });
    await inBothOrders([outside(), first, second], 900n);
  });

  it("give it back once they are void", async () => {
    const fields = { out_of_band: 11_900 };
    const voided = creditNote(version, { ...fields, voided_at: PAID + 120 }, "voided");
    await inBothOrders([outside(), creditNote(version, fields), voided], 3_000n);
  });

  it("do not count again what they refunded in Stripe", async () => {
    const refunded = { amount: 5_950, refund: "re_1" };
    const link = version === "2024-11-20.acacia" ? [] : [invoicePayment];
    await reportEvents(context, version, [
      creditNote(version, { refunded, out_of_band: 2_380 }),
      invoice(version, click_id),
      ...link,
      refund(version),
    ]);
    expect(await balanceOf(context)).toBe(900n);
  });

  it("net a commission that was paid out", async () => {
    await reportEvents(context, version, [outside()]);
    await payOut(context);
    await reportEvents(context, version, [creditNote(version, { out_of_band: 11_900 })]);
    const reversals = (await commissions(context)).filter(({ is_reversal }) => is_reversal);
    expect(reversals).toMatchObject([{ commission_minor: -3_000n }]);
  });
});
