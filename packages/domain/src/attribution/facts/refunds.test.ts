import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { RefundFact } from "./payment-fact.ts";
import { netAmounts, reversedAmountAt } from "./refunds.ts";

const day = (number: number) => new Date(Date.UTC(2026, 0, number));

function refund(amount_minor: bigint, since: number, until: number | null = null, charge = "ch"): RefundFact {
  return {
    kind: "refund",
    subject: `re_${since}_${amount_minor}`,
    at: day(until ?? since),
    rank: 0,
    references: [charge],
    belongs_to: [],
    amount_minor,
    since: day(since),
    until: until === null ? null : day(until),
  };
}

function total(amount_minor: bigint, at: number, charge = "ch") {
  const state = { subject: charge, at: day(at), rank: 0, references: [], belongs_to: [] };
  return { kind: "refunded_total" as const, ...state, amount_minor };
}

const NOTHING = { refunds: [], disputes: [], totals: [], amounts: [] };
const PAID = { paid_minor: 100n, currency: "USD" };

describe("the reversed amount", () => {
  it("never exceeds the payment", () => {
    expect(reversedAmountAt(PAID, { ...NOTHING, refunds: [refund(80n, 1), refund(80n, 2)] }, null)).toBe(
      100n,
    );
  });

  it("depends on the time", () => {
    const facts = { ...NOTHING, refunds: [refund(30n, 2, 5)] };
    expect([1, 2, 4, 5].map((number) => reversedAmountAt(PAID, facts, day(number)))).toEqual([
      0n,
      30n,
      30n,
      0n,
    ]);
    expect(reversedAmountAt(PAID, facts, null)).toBe(0n);
  });

  it("adds the part of a reported sum that exceeds the known refunds", () => {
    expect(
      reversedAmountAt(PAID, { ...NOTHING, totals: [total(50n, 3)], refunds: [refund(20n, 2)] }, null),
    ).toBe(50n);
    expect(
      reversedAmountAt(
        PAID,
        { ...NOTHING, totals: [total(20n, 2)], refunds: [refund(20n, 2), refund(9n, 4)] },
        null,
      ),
    ).toBe(29n);
  });

  it("shrinks when a refund in the reported sum fails", () => {
    const facts = { ...NOTHING, totals: [total(50n, 3)], refunds: [refund(50n, 3, 6)] };
    expect(reversedAmountAt(PAID, facts, day(4))).toBe(50n);
    expect(reversedAmountAt(PAID, facts, null)).toBe(0n);
  });

  it("is counted charge by charge", () => {
    const facts = {
      ...NOTHING,
      totals: [total(10n, 1, "ch_1"), total(10n, 1, "ch_2")],
      refunds: [refund(10n, 1, null, "ch_2")],
    };
    expect(reversedAmountAt(PAID, facts, null)).toBe(20n);
  });
});

describe("a part in another currency", () => {
  const disputed = { ...refund(50n, 2), kind: "dispute" as const, currency: "EUR" };
  const inEuros = { ...total(0n, 1), kind: "amounts" as const, settled: null };
  const settled = { currency: "GBP", amount_minor: 80n };

  it("is converted by the payment's amount in that currency, rounded half away from zero", () => {
    const amounts = [{ ...inEuros, amounts: [{ currency: "EUR", amount_minor: 90n }] }];
    expect(reversedAmountAt(PAID, { ...NOTHING, amounts, disputes: [disputed] }, null)).toBe(56n);
    const presented = { currency: "EUR", amount_minor: 200n };
    expect(reversedAmountAt({ ...PAID, presented }, { ...NOTHING, disputes: [disputed] }, null)).toBe(25n);
  });

  it("is converted by the ratio of the amounts debited from and credited to the balance", () => {
    const amounts = [{ ...inEuros, amounts: [], settled }];
    const of = (amount_minor: bigint) => {
      const withdrawn = { currency: "GBP", amount_minor };
      return reversedAmountAt(PAID, { ...NOTHING, amounts, disputes: [{ ...disputed, withdrawn }] }, null);
    };
    expect([of(20n), of(40n), of(76n), of(82n)]).toEqual([25n, 50n, 100n, 100n]);
  });

  it("is the whole payment if it cannot be converted", () => {
    expect(reversedAmountAt(PAID, { ...NOTHING, disputes: [disputed] }, null)).toBe(100n);
  });
});

describe("the net commission", () => {
  const amount = fc.bigInt({ min: 1n, max: 10n ** 12n });

  it("is void after a full refund and shrinks after a partial one", () => {
    fc.assert(
      fc.property(amount, amount, amount, amount, (revenue_minor, commission_minor, paid_minor, part) => {
        const whole = { revenue_minor, commission_minor };
        expect(netAmounts(whole, { paid_minor, reversed_minor: paid_minor })).toBeNull();
        expect(netAmounts(whole, { paid_minor, reversed_minor: 0n })).toEqual(whole);
        const less = netAmounts(whole, { paid_minor, reversed_minor: part % paid_minor });
        const more = netAmounts(whole, { paid_minor, reversed_minor: (part % paid_minor) / 2n });
        expect(less?.commission_minor ?? 0n).toBeLessThanOrEqual(more?.commission_minor ?? 0n);
      }),
    );
  });
});
