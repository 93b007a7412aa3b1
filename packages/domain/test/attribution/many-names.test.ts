/*
 * As any-order.test.ts, with customers that are known by different emails and ids in different messages, and
 * by none in some.
 */

import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { extent } from "@findersfee/database/testing/full-tests";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { PaymentFact } from "../../src/attribution/facts/payment-fact.ts";
import type { IncomingFact } from "../../src/attribution/record-facts.ts";
import type { Context } from "../../src/context.ts";
import { makeContext } from "../subscriber.ts";
import { addPartner, apply, click } from "./program.ts";
import { checkout, customer, payment, second, subscription } from "./reported.ts";

const RUNS = extent("ORDERS", { short: 6, full: 50 });

let test: TestDatabase;

beforeAll(async () => {
  test = await createTestDatabase();
});

afterAll(() => test.close());

const customer_id = fc.constantFrom("cus_0", "cus_1");
const email = fc.constantFrom(null, "a@x.test", "b@x.test", "c@x.test");
const hour = fc.integer({ min: 1, max: 20 });
const who = { customer_id: fc.option(customer_id, { freq: 2 }), email, hour };

const happening = fc.oneof(
  fc.record({ kind: fc.constant("checkout" as const), partner: fc.constantFrom(null, 0, 1), ...who }),
  fc.record({
    kind: fc.constant("payment" as const),
    partner: fc.constantFrom(null, null, null, 0, 1),
    ...who,
  }),
  fc.record({ kind: fc.constant("customer" as const), customer_id, email, hour }),
  fc.record({ kind: fc.constant("subscription" as const), customer_id, hour }),
);

type Happening = typeof happening extends fc.Arbitrary<infer One> ? One : never;

interface World {
  context: Context;
  affiliates: string[];
  clicks: string[];
}

async function makeWorld(): Promise<World> {
  const world: World = { context: await makeContext(test.database), affiliates: [], clicks: [] };
  for (const fields of [{ limit_type: "payments", limit_amount: 2 }, { commission_amount: 20 }] as const) {
    const { affiliate_id } = await addPartner(world.context, fields);
    world.affiliates.push(affiliate_id);
    world.clicks.push(await click(world.context, { affiliate_id, at: second(0) }));
  }
  return world;
}

function factOf(one: Happening, index: number, { clicks }: World): PaymentFact {
  const at = second(one.hour * 3600);
  switch (one.kind) {
    case "checkout":
    case "payment": {
      const click_ids = one.partner === null ? [] : [clicks[one.partner] ?? ""];
      const fields = {
        subject: `${one.kind}_${index}`,
        customer_id: one.customer_id,
        email: one.email,
        click_ids,
        at,
      };
      return one.kind === "checkout" ? checkout(fields) : payment(fields);
    }
    case "customer":
      return customer({ subject: one.customer_id, ...one, at, created_at: second(1) });
    case "subscription":
      return subscription({ subject: `sub_${index}`, customer_id: one.customer_id, at });
  }
}

function messagesOf(happenings: readonly Happening[], world: World): IncomingFact[] {
  return happenings.map((happening, index) => {
    const message_id = `evt_${String(index).padStart(3, "0")}`;
    return { processor: "stripe", message_id, fact: factOf(happening, index, world) };
  });
}

async function resultOf({ context: { database, organization }, affiliates }: World) {
  const decisions = await database`
    select payment_id, outcome, affiliate_id, commission_minor::text
    from payment_decisions where organization_id = ${organization.id} and replaced_at is null order by payment_id`;
  const commissions = await database`
    select processor_payment_id, affiliate_id, commission_minor::text
    from commissions where organization_id = ${organization.id} and not voided
    order by processor_payment_id`;
  const numbered = (rows: readonly object[]) =>
    rows.map((row) => ({
      ...row,
      affiliate_id: "affiliate_id" in row ? affiliates.indexOf(String(row.affiliate_id)) : null,
    }));
  return { decisions: numbered(decisions), commissions: numbered(commissions) };
}

it("attributes a customer with many names the same in any order, also with repeated reports", {
  timeout: 300_000 + RUNS * 2_000,
}, async () => {
  const stories = fc.record({
    happenings: fc.array(happening, { minLength: 3, maxLength: 8 }),
    order: fc.array(fc.nat(), { minLength: 8, maxLength: 8 }),
    twice: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(stories, async ({ happenings, order, twice }) => {
      const straight = await makeWorld();
      await apply(straight.context, messagesOf(happenings, straight));
      const shuffled = await makeWorld();
      const messages = messagesOf(happenings, shuffled)
        .map((message, index) => ({ message, key: order[index] ?? 0 }))
        .sort((a, b) => a.key - b.key)
        .map(({ message }) => message);
      for (const message of messages) await apply(shuffled.context, [message]);
      if (twice) await apply(shuffled.context, messages);
      expect(await resultOf(shuffled)).toEqual(await resultOf(straight));
    }),
    { numRuns: RUNS, seed: 7 },
  );
});
