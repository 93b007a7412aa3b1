import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { payment, second } from "../../../test/attribution/reported.ts";
import { closestPairs } from "./closest-pairs.ts";
import { EMPTY_SNAPSHOT } from "./stored-fact.ts";

const WITHIN_SECONDS = 10;

function paymentsAt(prefix: string, moments: readonly number[]) {
  return moments.map((at, index) => ({
    processor: "stripe" as const,
    message_id: "evt_1",
    fact: payment({ subject: `${prefix}_${index}`, at: second(at) }),
    snapshot: EMPTY_SNAPSHOT,
  }));
}

function pairsOf(charged: readonly number[], invoiced: readonly number[]): string[] {
  const pairs = closestPairs(paymentsAt("pi", charged), paymentsAt("in", invoiced), WITHIN_SECONDS * 1_000);
  return pairs.map(({ charge, invoice }) => `${charge.fact.subject} ${invoice.fact.subject}`).sort();
}

/** The specification: all pairs by distance, charge and invoice; a pair that is taken removes both from the rest. */
function pairsByDefinition(charged: readonly number[], invoiced: readonly number[]): string[] {
  const ids = (prefix: string, moments: readonly number[]) =>
    moments
      .map((at, index) => ({ id: `${prefix}_${index}`, at }))
      .sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
  const invoices = ids("in", invoiced);
  const all = ids("pi", charged)
    .flatMap((charge) =>
      invoices.map((invoice) => ({ charge, invoice, apart: Math.abs(charge.at - invoice.at) })),
    )
    .filter(({ apart }) => apart <= WITHIN_SECONDS)
    .sort((a, b) => a.apart - b.apart);
  const taken = new Set<unknown>();
  const pairs = all.filter(({ charge, invoice }) => {
    if (taken.has(charge) || taken.has(invoice)) return false;
    taken.add(charge).add(invoice);
    return true;
  });
  return pairs.map(({ charge, invoice }) => `${charge.id} ${invoice.id}`).sort();
}

describe("closestPairs", () => {
  it("pairs the closest first, up to the maximum distance", () => {
    expect(pairsOf([0, 4], [5])).toEqual(["pi_1 in_0"]);
    expect(pairsOf([0, 4], [5, 6])).toEqual(["pi_0 in_1", "pi_1 in_0"]);
    expect(pairsOf([0], [WITHIN_SECONDS + 1])).toEqual([]);
    expect(pairsOf([0], [])).toEqual([]);
  });

  it("pairs by its definition, also with many equal distances", () => {
    const few = fc.array(fc.integer({ min: 0, max: 12 }), { maxLength: 12 });
    const many = fc.array(fc.integer({ min: 0, max: 60 }), { maxLength: 30 });
    const both = fc.oneof(fc.tuple(few, few), fc.tuple(many, many));
    fc.assert(
      fc.property(both, ([charged, invoiced]) => {
        expect(pairsOf(charged, invoiced)).toEqual(pairsByDefinition(charged, invoiced));
      }),
      { numRuns: 2_000 },
    );
  });
});
