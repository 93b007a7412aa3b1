/*
 * Two invoices of one customer and amount, and two payments. Without links, each invoice is paired with one of the
 * payments; the links say that it was the other one.
 */

import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { casesOf, extent } from "@findersfee/database/testing/full-tests";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { PaymentFact } from "../../src/attribution/facts/payment-fact.ts";
import type { Context } from "../../src/context.ts";
import { makeContext } from "../subscriber.ts";
import { addPartner, apply, click, outcomes, payOut } from "./program.ts";
import { charge, customer, link, payment, refund, second } from "./reported.ts";

/** More of them by `ORDERS=1000`. */
const RUNS = extent("ORDERS", { short: 3, full: 8 });

const PAID_MINOR = 11_900n;
const money = { customer_id: "cus_1", paid_minor: PAID_MINOR };

let test: TestDatabase;

beforeAll(async () => {
  test = await createTestDatabase();
});

afterAll(() => test.close());

interface World {
  context: Context;
  affiliates: string[];
  facts: Record<EventName, PaymentFact>;
}

const invoices_and_charges = ["in_1", "in_2", "pi_1", "pi_2"] as const;
const links = ["link_1", "link_2"] as const;
/** Events that change the commission of a payment, or its affiliate. */
const others = ["cus_1", "ch_1", "ch_2", "re_1", "re_2"] as const;
const all_names = [...invoices_and_charges, ...links, ...others];

type EventName = (typeof all_names)[number];

/** An organization with two partners; each is named as the customer's referrer by a payment's metadata. */
async function makeWorld(): Promise<World> {
  const context = await makeContext(test.database);
  const affiliates: string[] = [];
  const clicks: string[] = [];
  for (const percentage of [30, 10]) {
    const { affiliate_id } = await addPartner(context, { commission_amount: percentage });
    affiliates.push(affiliate_id);
    clicks.push(await click(context, { affiliate_id, at: second(0) }));
  }
  return { context, affiliates, facts: eventsOf(clicks) };
}

function eventsOf([first = "", other = ""]: readonly string[]): World["facts"] {
  const invoice = { ...money, names_no_charge: true as const };
  return {
    in_1: payment({ ...invoice, subject: "in_1", revenue_minor: 10_000n, at: second(1_000) }),
    in_2: payment({ ...invoice, subject: "in_2", revenue_minor: 11_000n, at: second(1_100) }),
    pi_1: charge({ ...money, subject: "pi_1", click_ids: [first], at: second(1_010) }),
    pi_2: charge({ ...money, subject: "pi_2", click_ids: [other], at: second(1_110) }),
    link_1: link({ subject: "inpay_1", references: ["in_1", "pi_2"], has_report: true, at: second(1_020) }),
    link_2: link({ subject: "inpay_2", references: ["in_2", "pi_1"], has_report: true, at: second(1_120) }),
    cus_1: customer({ subject: "cus_1", customer_id: "cus_1", email: "buyer@customers.test" }),
    ch_1: charge({ ...money, subject: "ch_1", payment_id: "pi_1", references: ["pi_1"], at: second(1_010) }),
    ch_2: charge({ ...money, subject: "ch_2", payment_id: "pi_2", references: ["pi_2"], at: second(1_110) }),
    re_1: refund({ subject: "re_1", references: ["pi_1"], amount_minor: PAID_MINOR / 4n, at: second(9_000) }),
    re_2: refund({ subject: "re_2", references: ["ch_2"], amount_minor: PAID_MINOR, at: second(9_900) }),
  };
}

/** Reports each event in a transaction of its own. */
async function report({ context, facts }: World, names: readonly EventName[]): Promise<void> {
  for (const name of names) {
    await apply(context, [{ processor: "stripe", message_id: `evt_${name}`, fact: facts[name] }]);
  }
}

/** Decisions and commissions that stand, with partners by their numbers. */
async function stateOf({ context: { database, organization }, affiliates }: World) {
  const decisions = await database`
    select payment_id, outcome, affiliate_id, revenue_minor::text, commission_minor::text, reversed_minor::text
    from payment_decisions where organization_id = ${organization.id} and replaced_at is null order by payment_id`;
  const commissions = await database`
    select processor_payment_id, affiliate_id, revenue_minor::text, commission_minor::text, payout_status
    from commission_states where organization_id = ${organization.id} and payout_status <> 'voided'
    order by processor_payment_id, id`;
  return { decisions: numbered(decisions, affiliates), commissions: numbered(commissions, affiliates) };
}

/** The sum of each partner over all commissions, paid out or not. */
async function sumsOf({ context: { database, organization }, affiliates }: World) {
  const sums = await database`
    select affiliate_id, sum(revenue_minor)::text as revenue, sum(commission_minor)::text as commission
    from commissions where organization_id = ${organization.id} and not voided
    group by affiliate_id having sum(commission_minor) <> 0 order by sum(commission_minor) desc`;
  return numbered(sums, affiliates);
}

function numbered(rows: readonly object[], affiliates: readonly string[]) {
  return rows.map((row) => ({
    ...row,
    affiliate: "affiliate_id" in row ? affiliates.indexOf(String(row.affiliate_id)) : null,
    affiliate_id: null,
  }));
}

function permutations<One>(all: readonly One[]): One[][] {
  if (all.length <= 1) return [[...all]];
  return all.flatMap((item, index) => permutations(all.toSpliced(index, 1)).map((rest) => [item, ...rest]));
}

async function expected(): Promise<{ state: unknown; sums: unknown }> {
  const world = await makeWorld();
  await report(world, ["cus_1", "link_1", "link_2", "ch_1", "ch_2", "re_1", "re_2", ...invoices_and_charges]);
  return { state: await stateOf(world), sums: await sumsOf(world) };
}

it("pairs by time until the links are reported, then by the links", async () => {
  const world = await makeWorld();
  await report(world, ["cus_1", "pi_1", "pi_2", "in_1", "in_2", "ch_2", "re_2"]);
  // The first invoice has the click of the first payment; the second payment was refunded.
  expect((await stateOf(world)).decisions).toMatchObject([
    { payment_id: "in_1", affiliate: 0, reversed_minor: "0", commission_minor: "3000" },
    { payment_id: "in_2", affiliate: 0, reversed_minor: "11900" },
  ]);
  await report(world, ["link_1", "link_2"]);
  expect((await stateOf(world)).decisions).toMatchObject([
    { payment_id: "in_1", affiliate: 1, reversed_minor: "11900" },
    { payment_id: "in_2", affiliate: 1, reversed_minor: "0", commission_minor: "1100" },
  ]);
});

it("decides the same in all orders of the invoices, payments and links", async () => {
  const { state } = await expected();
  for (const first of casesOf(permutations(invoices_and_charges), { short: 3 })) {
    for (const last of permutations(links)) {
      const world = await makeWorld();
      const order: EventName[] = ["cus_1", ...first, ...last, "ch_1", "ch_2", "re_1", "re_2"];
      await report(world, order);
      expect(await stateOf(world), order.join()).toEqual(state);
    }
  }
});

const orders = fc.shuffledSubarray([...all_names], { minLength: all_names.length });

it("decides the same in any order of all facts, also reported twice", {
  timeout: 300_000 + RUNS * 2_000,
}, async () => {
  const { state, sums } = await expected();
  await fc.assert(
    fc.asyncProperty(orders, fc.shuffledSubarray([...all_names]), async (order, again) => {
      const world = await makeWorld();
      await report(world, [...order, ...again]);
      expect(await stateOf(world)).toEqual(state);
      expect(await sumsOf(world)).toEqual(sums);
    }),
    { numRuns: RUNS },
  );
});

it("decides the same with payouts in between", {
  timeout: 300_000 + RUNS * 2_000,
}, async () => {
  const { sums } = await expected();
  const decided = { in_1: "commission", in_2: "commission" };
  await fc.assert(
    fc.asyncProperty(orders, fc.subarray([...all_names.keys()], { minLength: 1 }), async (order, payouts) => {
      const world = await makeWorld();
      for (const [index, name] of order.entries()) {
        await report(world, [name]);
        if (payouts.includes(index)) await payOut(world.context);
      }
      expect(await outcomes(world.context)).toMatchObject(decided);
      expect(await sumsOf(world)).toEqual(sums);
    }),
    { numRuns: RUNS },
  );
});
