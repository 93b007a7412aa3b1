/* A promo code that came by the link's discount leads to the affiliate of the click, with facts in any order. */

import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { casesOf } from "@findersfee/database/testing/full-tests";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { PaymentFact } from "../../src/attribution/facts/payment-fact.ts";
import type { Context } from "../../src/context.ts";
import { linkPromoCode } from "../../src/processors/promo-codes/link.ts";
import { makeContext } from "../subscriber.ts";
import { addAffiliate, addPartner, click, commissions, report } from "./program.ts";
import { checkout, customer, payment, second, signUp } from "./reported.ts";

const DAY = 24 * 60 * 60;
const CUSTOMER = { customer_id: "cus_1", email: "buyer@customers.test" };

let test: TestDatabase;

beforeAll(async () => {
  test = await createTestDatabase();
});

afterAll(() => test.close());

interface World {
  context: Context;
  /** The affiliate of the click in the browser. */
  affiliate_id: string;
  other_id: string;
  facts: PaymentFact[];
}

/** A customer who clicked two affiliates' links, and checked out with the click in the browser and its discount, or without. */
async function makeWorld(
  attribution: "last_click" | "first_click",
  { has_discount }: { has_discount: boolean },
): Promise<World> {
  const context = await makeContext(test.database);
  const settings = { code_mode: "both", reference_coupon: "TWENTY", attribution } as const;
  const first = await addPartner(context, settings);
  const second_id = await addAffiliate(context, { campaign_id: first.campaign_id });
  await linkPromoCode(context, {
    affiliate_id: first.affiliate_id,
    external_id: "promo_first",
    code: "FIRST",
  });
  await linkPromoCode(context, { affiliate_id: second_id, external_id: "promo_second", code: "SECOND" });
  const clicks = [
    await click(context, { affiliate_id: first.affiliate_id, at: second(DAY), sub_id: "newsletter" }),
    await click(context, { affiliate_id: second_id, at: second(2 * DAY), sub_id: "newsletter" }),
  ];
  // The browser has the click that the campaign counts.
  const is_first = attribution === "first_click";
  const click_id = (is_first ? clicks[0] : clicks[1]) ?? "";
  const promo_codes = has_discount
    ? [{ external_id: is_first ? "promo_first" : "promo_second", code: null }]
    : [];
  const paid_at = second(3 * DAY + 60);
  return {
    context,
    affiliate_id: is_first ? first.affiliate_id : second_id,
    other_id: is_first ? second_id : first.affiliate_id,
    facts: [
      signUp({ click_id: clicks[0] ?? "", email: CUSTOMER.email, at: second(DAY + 60) }),
      checkout({ subject: "cs_1", ...CUSTOMER, click_ids: [click_id], promo_codes, at: second(3 * DAY) }),
      customer({ subject: "cus_1", ...CUSTOMER, promo_codes, at: second(3 * DAY + 30) }),
      payment({ subject: "in_1", ...CUSTOMER, promo_codes, belongs_to: ["cs_1"], at: paid_at }),
    ],
  };
}

function ordersOf<Item>(items: readonly Item[]): Item[][] {
  if (items.length < 2) return [[...items]];
  return items.flatMap((item, index) =>
    ordersOf(items.filter((_, at) => at !== index)).map((rest) => [item, ...rest]),
  );
}

/** The affiliate who earns the payment, and the referral with its sub-id. */
async function outcome({ context }: World) {
  const earned = (await commissions(context)).filter(({ payout_status }) => payout_status !== "voided");
  const sources = await test.database`
    select affiliate_id, sub_id from referrals where organization_id = ${context.organization.id} and replaced_at is null`;
  return { earned: earned.map(({ affiliate_id }) => affiliate_id), sources: [...sources] };
}

describe.each(["last_click", "first_click"] as const)("with %s", (attribution) => {
  it.each(casesOf([true, false], { short: 1 }))(
    "gives the click's affiliate the payment, with a discount: %s",
    async (has_discount) => {
      const orders = ordersOf([0, 1, 2, 3]);
      expect(orders).toHaveLength(24);
      for (const order of orders) {
        const world = await makeWorld(attribution, { has_discount });
        for (const index of order) await report(world.context, ...world.facts.slice(index, index + 1));
        const { affiliate_id } = world;
        const expected = { earned: [affiliate_id], sources: [{ affiliate_id, sub_id: "newsletter" }] };
        expect(await outcome(world), order.join()).toEqual(expected);
      }
    },
  );

  it("leaves a code that the customer typed to its own affiliate", async () => {
    const world = await makeWorld(attribution, { has_discount: true });
    const typed = attribution === "first_click" ? "SECOND" : "FIRST";
    const promo_codes = [{ external_id: null, code: typed }];
    for (const fact of world.facts)
      await report(
        world.context,
        "promo_codes" in fact && fact.kind !== "signup" ? { ...fact, promo_codes } : fact,
      );
    const { earned, sources } = await outcome(world);
    expect(earned).toEqual([world.other_id]);
    expect(sources).toEqual([{ affiliate_id: world.other_id, sub_id: null }]);
  });
});
