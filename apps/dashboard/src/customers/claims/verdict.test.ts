import { describe, expect, it } from "vitest";
import type { ClaimDetail, ClaimedPayment } from "./queries.ts";
import { claimedPayment, verdictOf, type WriteDay } from "./verdict.ts";

const JANE = { id: "jane", email: "jane@example.com", first_name: "Jane", last_name: "Doe" };
const JOE = { id: "joe", email: "joe@example.com", first_name: "Joe", last_name: "Roe" };

function payment(fields: Partial<ClaimedPayment> = {}): ClaimedPayment {
  return {
    id: "payment",
    processor: "stripe",
    processor_payment_id: "in_1",
    paid_at: "2026-11-20T12:00:00.000Z",
    decided_at: "2026-11-20T12:00:00.000Z",
    outcome: "no_referral",
    currency: "USD",
    revenue_amount: 49,
    paid_amount: 49,
    taken_back_amount: 0,
    commission_amount: 0,
    commission_id: null,
    affiliate: null,
    is_near: true,
    own_candidate: null,
    obstacle: null,
    ...fields,
  };
}

function detail(payments: ClaimedPayment[], customer: ClaimDetail["customer"] = null): ClaimDetail {
  return {
    claim: {
      id: "claim",
      email: "kim@example.com",
      paid_on: "2026-11-20",
      note: "",
      payment_known: true,
      state: "open",
      answer: null,
      commission_id: null,
      created_at: "2026-11-21T00:00:00.000Z",
      decided_at: null,
      affiliate: JANE,
      payment_decision_id: null,
      decided_by: null,
      decided_by_name: null,
    },
    campaign: { id: "campaign", name: "Partners" },
    language: "en",
    commission: null,
    customer,
    payments,
  };
}

const candidate = (
  result: NonNullable<ClaimedPayment["own_candidate"]>["result"],
): ClaimedPayment["own_candidate"] => ({
  source: "click",
  reference: "click",
  result,
  affiliate: { ...JANE, approved: true, banned: false },
  click: null,
  age_days: 31,
  cookie_duration: 30,
});

const say = (payments: ClaimedPayment[], customer: ClaimDetail["customer"] = null) =>
  verdictOf(detail(payments, customer), (at) => at.slice(0, 10));

describe("the verdict", () => {
  it.each([
    [[], /^No payments from kim@example.com are known/, /no payment of this customer/],
    [
      [payment({ is_near: false, paid_at: "2026-11-01T00:00:00.000Z" })],
      /nothing within 3 days of 2026-11-20\. The closest payment is from 2026-11-01\.$/,
      /around 2026-11-20/,
    ],
    [
      [payment({ outcome: "click_expired", own_candidate: candidate("click_expired") })],
      /^The click was 31 days old; the campaign counts 30 days\.$/,
      /31 days before the payment\. A click counts for 30 days/,
    ],
    [
      [payment({ own_candidate: candidate("click_after_checkout") })],
      /only after the checkout/,
      /only after/,
    ],
    [[payment({ own_candidate: candidate("affiliate_banned") })], /^Jane Doe is banned/, /closed/],
    [[payment()], /^No click or promo code of Jane Doe/, /no click on your link/],
    [[payment({ outcome: "limit_reached" })], /limited time/, /limited time/],
    [[payment({ outcome: "products_unknown" })], /payment’s products are unknown/, /by the rules/],
    [[payment({ obstacle: "manual_commission" })], /manually/, /exists already/],
    [[payment({ obstacle: "earned_by_affiliate" })], /^Jane Doe has already earned/, /^You have already/],
  ] as const)("of %j", (payments, text, answer) => {
    const verdict = say([...payments]);
    expect(verdict.text).toMatch(text);
    expect(verdict.answer).toMatch(answer);
  });

  it("answers in the language of the affiliate", () => {
    const dayOf: WriteDay = (at, language = "en") => `${at.slice(0, 10)} ${language}`;
    const far = payment({ is_near: false, paid_at: "2026-11-01T00:00:00.000Z" });
    const { text, answer } = verdictOf({ ...detail([far]), language: "de" }, dayOf);
    expect(text).toContain("3 days of 2026-11-20 en");
    expect(answer).toBe("Wir haben um den 2026-11-20 de keine Zahlung dieses Kunden gefunden.");
    const expired = payment({ own_candidate: candidate("click_expired") });
    expect(verdictOf({ ...detail([expired]), language: "de" }, dayOf).answer).toBe(
      "Der Kunde kam über Ihren Link, aber 31 Tage vor der Zahlung. Ein Klick zählt 30 Tage.",
    );
  });

  it("names another affiliate to the organization only", () => {
    const customer = { referral_id: "referral", affiliate: JOE };
    for (const { text, answer } of [
      say([payment({ obstacle: "earned_by_other", affiliate: JOE })], customer),
      say([payment({ obstacle: "customer_of_other" })], customer),
    ]) {
      expect(text).toContain("Joe Roe");
      expect(answer).not.toContain("Joe");
    }
  });
});

it("takes the payment that can be accepted and is closest to the day", () => {
  const payments = [
    payment({ id: "earned", obstacle: "earned_by_affiliate" }),
    payment({ id: "later", paid_at: "2026-11-22T12:00:00.000Z" }),
    payment({ id: "next", paid_at: "2026-11-21T12:00:00.000Z" }),
    payment({ id: "far", paid_at: "2026-11-30T12:00:00.000Z", is_near: false }),
  ];
  expect(claimedPayment(detail(payments))?.id).toBe("next");
  expect(claimedPayment(detail(payments.slice(3)))).toBeNull();
});
