import { type ApiVersion, api_versions } from "@findersfee/samples/stripe/api-version";
import { sampleCharge } from "@findersfee/samples/stripe/charge";
import { type SampleCreditNote, sampleCreditNote } from "@findersfee/samples/stripe/credit-note";
import { type SampleDispute, sampleDispute } from "@findersfee/samples/stripe/dispute";
import { stripeEvent } from "@findersfee/samples/stripe/event";
import { sampleInvoicePayment } from "@findersfee/samples/stripe/invoice-payment";
import { type SampleRefund, sampleRefund } from "@findersfee/samples/stripe/refund";
import { describe, expect, it } from "vitest";
import { parseStripeMessage } from "../../../src/processors/stripe/parse.ts";
import { date, factsOf, only } from "../parsed.ts";
import { NOON } from "./samples.ts";

const LATER = NOON + 3600;
const payment = { charge: "ch_3Qs", payment_intent: "pi_3Qs" };

function parseEvent(version: ApiVersion, type: string, object: ReturnType<typeof sampleRefund>) {
  return parseStripeMessage(stripeEvent({ type, object, api_version: version, created: LATER }));
}

describe.each(api_versions)("refunds of %s", (version) => {
  const refund = (fields: Partial<SampleRefund> = {}) =>
    sampleRefund(version, { id: "re_3Qs", created: NOON, amount: 1190, ...payment, ...fields });

  it.each(["refund.created", "refund.updated", "charge.refund.updated"])(
    "by %s reverse the amount from their time on",
    (type) => {
      expect(factsOf(parseEvent(version, type, refund()))).toEqual([
        {
          kind: "refund",
          subject: "re_3Qs",
          at: date(LATER),
          rank: 0,
          references: ["ch_3Qs", "pi_3Qs"],
          belongs_to: [],
          amount_minor: 1190n,
          currency: "USD",
          since: date(NOON),
          until: null,
        },
      ]);
    },
  );

  it.each(["failed", "canceled"] as const)("that %s come back", (status) => {
    const reported = only(parseEvent(version, "refund.failed", refund({ status })), "refund");
    expect(reported).toMatchObject({ since: date(NOON), until: date(LATER), rank: 1 });
  });

  it.each(["pending", "requires_action", undefined] as const)("count when they are %s", (status) => {
    const object = { ...refund(), status: status ?? null };
    expect(only(parseEvent(version, "refund.created", object), "refund").until).toBeNull();
  });

  it("of no payment are skipped", () => {
    const object = refund({ charge: null, payment_intent: null });
    expect(parseEvent(version, "refund.created", object)).toMatchObject({ outcome: "skipped" });
  });

  it("are dead-lettered if their amount or status is invalid", () => {
    const reported = (fields: Record<string, unknown>) =>
      parseEvent(version, "refund.created", { ...refund(), ...fields });
    expect(reported({ amount: null })).toMatchObject({
      reason: expect.stringMatching(/^data\.object\.amount: /),
    });
    expect(reported({ status: "lost" })).toMatchObject({
      reason: expect.stringMatching(/^data\.object\.status: /),
    });
    expect(reported({ currency: "isk", amount: 5 })).toMatchObject({ outcome: "unsupported" });
  });
});

describe.each(api_versions)("credit notes of %s", (version) => {
  const note = (fields: Partial<SampleCreditNote>) =>
    sampleCreditNote(version, {
      id: "cn_1Qs",
      created: NOON,
      customer: "cus_1Qs",
      invoice: "in_1Qs",
      ...fields,
    });

  it("reverse what they returned outside of Stripe", () => {
    const refunded = { amount: 500, refund: "re_3Qs" };
    const parsed = parseEvent(version, "credit_note.created", note({ refunded, out_of_band: 1190 }));
    expect(factsOf(parsed)).toEqual([
      {
        kind: "refund",
        subject: "cn_1Qs",
        at: date(LATER),
        rank: 0,
        references: ["in_1Qs"],
        belongs_to: [],
        amount_minor: 1190n,
        currency: "USD",
        since: date(NOON),
        until: null,
      },
    ]);
  });

  it("reverse nothing any more once they are void", () => {
    const voided_at = NOON + 60;
    const parsed = parseEvent(version, "credit_note.voided", note({ out_of_band: 1190, voided_at }));
    expect(only(parsed, "refund")).toMatchObject({ since: date(NOON), until: date(voided_at), rank: 1 });
  });

  it.each([
    ["were refunded in Stripe", { refunded: { amount: 500, refund: "re_3Qs" } }],
    ["are credit of the customer", { credited: 500 }],
    ["came before the payment", { pre_payment: 500 }],
  ])("that %s are skipped", (_, fields) => {
    expect(parseEvent(version, "credit_note.created", note(fields))).toMatchObject({ outcome: "skipped" });
  });

  it("are dead-lettered if their amount is invalid", () => {
    const parsed = parseEvent(version, "credit_note.created", { ...note({}), out_of_band_amount: "5" });
    expect(parsed).toMatchObject({ reason: expect.stringMatching(/^data\.object\.out_of_band_amount: /) });
  });
});

it("credit notes reverse refunds of payments that Stripe only recorded", () => {
  const object = sampleCreditNote("2026-10-28.endive", {
    id: "cn_1Qs",
    created: NOON,
    customer: "cus_1Qs",
    invoice: "in_1Qs",
  });
  const payment_record_refund = { payment_record: "pr_1Qs", refund_group: "rg_1Qs" };
  const recorded = {
    amount_refunded: 700,
    payment_record_refund,
    refund: null,
    type: "payment_record_refund",
  };
  const of_stripe = {
    amount_refunded: 300,
    payment_record_refund: null,
    refund: "re_3Qs",
    type: "refund",
  };
  const parsed = parseEvent("2026-10-28.endive", "credit_note.created", {
    ...object,
    refunds: [recorded, of_stripe],
  });
  expect(only(parsed, "refund").amount_minor).toBe(700n);
});

describe.each(api_versions)("refunded charges of %s", (version) => {
  const charge = sampleCharge(version, {
    id: "ch_3Qs",
    created: NOON,
    amount: 2380,
    amount_refunded: 1190,
    invoice: "in_1Qs",
    payment_intent: "pi_3Qs",
  });
  const references = version === "2024-11-20.acacia" ? ["pi_3Qs", "in_1Qs"] : ["pi_3Qs"];

  it("report the sum and its payment", () => {
    const state = { subject: "ch_3Qs", at: date(LATER), rank: 1190, references, belongs_to: [] };
    expect(factsOf(parseEvent(version, "charge.refunded", charge))).toEqual([
      { kind: "link", ...state, ...(version === "2024-11-20.acacia" ? { has_report: true } : {}) },
      { kind: "refunded_total", ...state, amount_minor: 1190n, currency: "USD" },
    ]);
  });

  it("rank the larger sum of the same second as the later one", () => {
    const rank = (amount_refunded: number) =>
      only(parseEvent(version, "charge.refunded", { ...charge, amount_refunded }), "refunded_total").rank;
    expect(rank(2380)).toBeGreaterThan(rank(1190));
    expect(rank(5_000_000_000)).toBe(2_147_483_647);
  });

  it("report each listed refund, as before 2022-11-15", () => {
    const data = [
      sampleRefund(version, { id: "re_3B", created: NOON + 60, amount: 190, ...payment }),
      { ...sampleRefund(version, { id: "re_3A", created: NOON, amount: 1000, ...payment }), charge: null },
    ];
    const named = parseEvent(version, "charge.refunded", { ...charge, refunds: { data, has_more: false } });
    const reported = factsOf(named);
    expect(reported.map(({ kind, subject }) => `${kind} ${subject}`)).toEqual([
      "link ch_3Qs",
      "refund re_3B",
      "refund re_3A",
    ]);
    expect(reported.slice(1).every((fact) => fact.references.includes("ch_3Qs"))).toBe(true);
    const truncated = parseEvent(version, "charge.refunded", {
      ...charge,
      refunds: { data, has_more: true },
    });
    expect(only(truncated, "refunded_total").amount_minor).toBe(1190n);
    const odd = parseEvent(version, "charge.refunded", { ...charge, refunds: { data: [{ id: "re" }] } });
    expect(odd).toMatchObject({ reason: "data.object.refunds.data[0].amount: Required." });
  });

  it("agree with the refund's own event", () => {
    const object = sampleRefund(version, { id: "re_3Qs", created: NOON, amount: 1190, ...payment });
    const named = parseEvent(version, "charge.refunded", { ...charge, refunds: { data: [object] } });
    const own = factsOf(parseEvent(version, "refund.created", object));
    expect(factsOf(named).slice(1)).toEqual(own);
  });
});

describe.each(api_versions)("disputes of %s", (version) => {
  const reported = (fields: Partial<SampleDispute>, more: Record<string, unknown> = {}) => {
    const object = sampleDispute(version, {
      id: "du_1Qs",
      created: NOON,
      amount: 2380,
      ...payment,
      status: "needs_response",
      ...fields,
    });
    return parseEvent(version, "charge.dispute.updated", { ...object, ...more });
  };

  it("reverse the amount from their time on", () => {
    expect(factsOf(reported({ withdrawn_at: NOON }))).toEqual([
      {
        kind: "dispute",
        subject: "du_1Qs",
        at: date(LATER),
        rank: 1,
        references: ["ch_3Qs", "pi_3Qs"],
        belongs_to: [],
        amount_minor: 2380n,
        currency: "USD",
        since: date(NOON),
        until: null,
      },
    ]);
  });

  it.each(["under_review", "lost", "appeal_needs_response", "appeal_under_review"])(
    "that are %s hold the money",
    (status) => {
      expect(only(reported({ status }), "dispute").until).toBeNull();
    },
  );

  it.each(["warning_needs_response", "warning_under_review", "warning_closed"])(
    "that are %s reverse nothing",
    (status) => {
      expect(only(reported({ status }), "dispute")).toMatchObject({ since: date(NOON), until: date(NOON) });
    },
  );

  it("that are won restore the amount when it was returned", () => {
    expect(only(reported({ status: "won" }), "dispute").until).toEqual(date(LATER));
    const reinstated = { status: "won", withdrawn_at: NOON, reinstated_at: LATER - 60 };
    expect(only(reported(reinstated), "dispute").until).toEqual(date(LATER - 60));
  });

  it("that are prevented reverse the amount of their refund", () => {
    expect(only(reported({ status: "prevented", case_type: "block" }), "dispute").until).toEqual(date(NOON));
    expect(only(reported({ status: "prevented", case_type: "resolution" }), "dispute").until).toBeNull();
    expect(only(reported({ status: "prevented", withdrawn_at: NOON }), "dispute").until).toBeNull();
  });

  it("advance within a second", () => {
    const ranks = ["warning_closed", "needs_response", "lost", "won"].map(
      (status) => only(reported({ status }), "dispute").rank,
    );
    expect(ranks).toEqual([0, 1, 2, 3]);
  });

  it("are dead-lettered if their status is unknown", () => {
    expect(reported({ status: "mediated" })).toMatchObject({
      outcome: "unsupported",
      reason: expect.stringMatching(/^data\.object\.status: Must be one of /),
    });
    expect(reported({}, { charge: null })).toMatchObject({
      reason: "data.object.charge: Must be an id, or an object with an id.",
    });
  });
});

describe("invoice payments", () => {
  const sample = {
    id: "inpay_1Qs",
    created: NOON,
    amount: 2380,
    invoice: "in_1Qs",
    payment_intent: "pi_3Qs",
  };

  it("link an invoice to its payment intent", () => {
    const object = sampleInvoicePayment(sample);
    expect(factsOf(parseEvent("2026-10-28.endive", "invoice_payment.paid", object))).toEqual([
      {
        kind: "link",
        subject: "inpay_1Qs",
        at: date(LATER),
        rank: 0,
        references: ["in_1Qs", "pi_3Qs"],
        belongs_to: [],
        has_report: true,
      },
    ]);
  });

  it("may have no payment of Stripe", () => {
    const payment = { type: "payment_record", payment_record: "pr_1Qs" };
    const object = { ...sampleInvoicePayment(sample), payment };
    const link = only(parseEvent("2026-10-28.endive", "invoice_payment.paid", object), "link");
    expect(link.references).toEqual(["in_1Qs"]);
  });
});
