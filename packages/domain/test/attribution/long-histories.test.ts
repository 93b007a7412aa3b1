/* The work for one customer grows with its events, not with their square. */
import { casesOf } from "@findersfee/database/testing/full-tests";
import { expect, it } from "vitest";
import type { CustomerHistory } from "../../src/attribution/decide/history.ts";
import { reattributeCustomer } from "../../src/attribution/decide/reattribute.ts";
import type { PaymentFact } from "../../src/attribution/facts/payment-fact.ts";
import { relate } from "../../src/attribution/facts/relate.ts";
import {
  type AffiliateSnapshot,
  type Candidate,
  EMPTY_SNAPSHOT,
  type StoredFact,
} from "../../src/attribution/facts/stored-fact.ts";
import { charge, payment, second, subscription } from "./reported.ts";

const SIZE = 800;

const AFFILIATE: AffiliateSnapshot = {
  affiliate_id: "affiliate",
  email: "partner@partners.test",
  approved: true,
  banned: false,
  terms: {
    campaign_id: "campaign",
    rate: { type: "percentage", value: 300_000n },
    first_payment: null,
    products: [],
    limit: null,
    cookie_duration: 60,
    customers: "any",
    attribution: "last_click",
    commission_cap: false,
    skip_prorations: false,
    converts_fixed_amounts: false,
  },
};

function historyOf(facts: readonly PaymentFact[]): CustomerHistory {
  const stored = facts.map((fact, index): StoredFact => {
    return { processor: "stripe", message_id: `evt_${index}`, fact, snapshot: EMPTY_SNAPSHOT };
  });
  return {
    currency: "USD",
    facts: stored,
    relations: relate(stored),
    referrals: [],
    manual_commissions: [],
    manual_moves: [],
    payments_of_others: new Map(),
    payments: new Map(),
    candidatesOf,
    unknownOf: () => [],
    affiliateOf: () => AFFILIATE,
    ruleSetOf: () => [],
    observeOf: () => () => null,
    exchangeRatesOf: () => [],
  };
}

function candidatesOf({ fact }: StoredFact): Candidate[] {
  if (fact.kind !== "payment") return [];
  return fact.click_ids.map((reference) => {
    return { source: "click", reference, affiliate_id: AFFILIATE.affiliate_id, clicked_at: fact.at };
  });
}

/** Microseconds of processor time. */
function fastest(history: CustomerHistory): number {
  const times = Array.from({ length: 5 }, () => {
    const start = process.cpuUsage();
    reattributeCustomer({ ...history, relations: relate(history.facts) });
    const { user, system } = process.cpuUsage(start);
    return user + system;
  });
  return Math.min(...times);
}

/** Calls `each` `size` times. */
function repeat(size: number, each: (index: number) => PaymentFact[]): PaymentFact[] {
  return Array.from({ length: size }, (_, index) => each(index)).flat();
}

const HISTORIES: [string, (size: number) => PaymentFact[]][] = [
  [
    "payments of one customer with many emails",
    (size) =>
      repeat(size, (index) => [
        payment({
          subject: `in_${index}`,
          customer_id: "cus_1",
          email: index % 2 === 0 ? `buyer${index}@customers.test` : null,
          at: second(index),
        }),
      ]),
  ],
  [
    "equal invoices and charges within an hour, and no links",
    (size) =>
      repeat(size, (index) => {
        const invoiced = { at: second(index % 3_600), names_no_charge: true as const };
        return [
          payment({ subject: `in_${index}`, customer_id: "cus_1", ...invoiced }),
          charge({ subject: `pi_${index}`, customer_id: "cus_1", at: second((index * 7) % 3_600) }),
        ];
      }),
  ],
  [
    "referrals of as many customer ids that share one subscription",
    (size) => [
      subscription({ subject: "sub_1", customer_id: "cus_1" }),
      ...repeat(size, (index) => [
        payment({
          subject: `in_${index}`,
          customer_id: `cus_${index}`,
          email: `buyer${index}@customers.test`,
          click_ids: [`click_${index}`],
          belongs_to: ["sub_1"],
          at: second(index),
        }),
      ]),
    ],
  ],
];

it.each(casesOf(HISTORIES, { short: 1 }))("takes time in proportion to the number of %s", (_, eventsOf) => {
  const [short, long] = [historyOf(eventsOf(SIZE)), historyOf(eventsOf(10 * SIZE))];
  // The compiler optimizes the code first.
  fastest(short);
  // Quadratic work would take a hundred times as long.
  expect(fastest(long) / fastest(short)).toBeLessThan(50);
});

it("finds a referral for each customer id and one payment for each invoice", () => {
  const [, [, equal] = [], [, shared] = []] = HISTORIES;
  const paired = reattributeCustomer(historyOf(equal?.(SIZE) ?? []));
  expect(paired.payments).toHaveLength(SIZE);
  const referred = reattributeCustomer(historyOf(shared?.(SIZE) ?? []));
  expect(new Set(referred.payments.map(({ referral }) => referral?.customer_id)).size).toBe(SIZE);
});
