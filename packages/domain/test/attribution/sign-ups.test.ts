/* Sign-ups that pages report with a publishable key: the weakest evidence of a referral. */
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { listPaymentDecisions } from "../../src/attribution/list.ts";
import { type CreationContext, createCommission } from "../../src/commissions/create.ts";
import { createReferral } from "../../src/customers/referrals/create.ts";
import { listReferrals } from "../../src/customers/referrals/list.ts";
import { makeContext } from "../subscriber.ts";
import {
  addPartner,
  click,
  commissions,
  eventTypes,
  outcomes,
  type Partner,
  referrals,
  report,
} from "./program.ts";
import { checkout, customer, payment, second, signUp, subscription } from "./reported.ts";

let test: TestDatabase;
let context: CreationContext;
let thief: Partner;
let jane: Partner;
let thief_click: string;
let jane_click: string;

const HOUR = 60 * 60;
const CUSTOMER = { customer_id: "cus_1", email: "buyer@customers.test" };

beforeAll(async () => {
  test = await createTestDatabase();
});

afterAll(() => test.close());

beforeEach(async () => {
  context = await makeContext(test.database);
  thief = await addPartner(context, { customers: "any" });
  jane = await addPartner(context, { customers: "any" });
  thief_click = await click(context, { affiliate_id: thief.affiliate_id, at: second(100) });
  jane_click = await click(context, { affiliate_id: jane.affiliate_id, at: second(50) });
});

const signedUp = (input = {}) =>
  signUp({ click_id: thief_click, email: CUSTOMER.email, at: second(200), ...input });

const checkedOut = (input = {}) =>
  checkout({ subject: "cs_1", ...CUSTOMER, click_ids: [jane_click], at: second(300), ...input });

const paid = (input = {}) => payment({ subject: "in_1", ...CUSTOMER, at: second(400), ...input });

async function earners(): Promise<Record<string, string>> {
  const rows = await commissions(context);
  return Object.fromEntries(rows.map((row) => [row.processor_payment_id, row.affiliate_id]));
}

describe("a sign-up that a page reports", () => {
  it("creates a referral that the first payment without other evidence confirms", async () => {
    await report(context, signedUp());
    expect(await referrals(context)).toMatchObject([
      { affiliate_id: thief.affiliate_id, subscription_status: "signed_up", converted: false },
    ]);
    await report(context, paid(), paid({ subject: "in_2", at: second(500), click_ids: [jane_click] }));
    expect(await earners()).toEqual({ in_1: thief.affiliate_id, in_2: thief.affiliate_id });
    expect(await eventTypes(context)).toEqual([
      "referral.created",
      "commission.created",
      "referral.converted",
      "commission.created",
    ]);
  });

  it.each([
    ["an earlier click", () => ({ click_ids: [jane_click] })],
    ["a promo code", () => ({ click_ids: [], promo_codes: [{ external_id: null, code: "JANE20" }] })],
  ])("loses to %s at the checkout: the referral moves to that affiliate", async (_name, evidence) => {
    await test.database`
      insert into affiliate_codes (organization_id, id, affiliate_id, kind, code, created_at)
      values (${context.organization.id}, gen_random_uuid(), ${jane.affiliate_id}, 'promo', 'JANE20', ${second(0)})`;
    await report(context, signedUp());
    const [{ id } = { id: "" }] = await referrals(context);
    await report(context, checkedOut(evidence()), paid());
    expect(await referrals(context)).toMatchObject([
      { id, affiliate_id: jane.affiliate_id, superseded: false },
    ]);
    expect(await earners()).toEqual({ in_1: jane.affiliate_id });
    const { data } = await listPaymentDecisions(context, { limit: 10 });
    expect(data[0]?.explanation.candidates).toMatchObject([
      { source: "signup", affiliate_id: thief.affiliate_id, result: "lost" },
      { affiliate_id: jane.affiliate_id, result: "won" },
    ]);
    expect((await eventTypes(context)).filter((type) => type === "referral.created")).toHaveLength(1);
  });

  it("loses to a click that the processor reports on the customer's record", async () => {
    await report(
      context,
      signedUp(),
      customer({ subject: "cus_1", ...CUSTOMER, click_ids: [jane_click], at: second(250) }),
      paid(),
    );
    expect(await earners()).toEqual({ in_1: jane.affiliate_id });
  });

  it("does not apply to a self-referral", async () => {
    const { affiliate_id } = await addPartner(context, {}, { email: "buyer+own@customers.test" });
    const own = await click(context, { affiliate_id, at: second(10) });
    await report(context, signedUp());
    await report(
      context,
      checkedOut({ click_ids: [own] }),
      paid(),
      paid({ subject: "in_2", at: second(500) }),
    );
    expect(await outcomes(context)).toEqual({ in_1: "self_referral", in_2: "self_referral" });
    expect(await referrals(context)).toMatchObject([{ superseded: true }]);
  });

  it.each([
    ["a payment", () => paid({ at: second(99) })],
    ["a free payment", () => paid({ at: second(99), revenue_minor: 0n })],
    ["a checkout", () => checkedOut({ at: second(99), click_ids: [] })],
    ["a subscription", () => subscription({ subject: "sub_1", customer_id: "cus_1", at: second(99) })],
    [
      "a subscription, reported late,",
      () => subscription({ subject: "sub_1", customer_id: "cus_1", at: second(300), since: second(99) }),
    ],
    ["a renewed subscription", () => paid({ at: second(300), subscribed_since: second(99) })],
  ])("does not apply to a customer with %s older than its click", async (_name, older) => {
    const record = customer({ subject: "cus_1", ...CUSTOMER, at: second(0) });
    await report(context, record, older());
    await report(context, signedUp());
    await report(context, paid({ subject: "in_9", at: second(900) }));
    expect(await referrals(context)).toEqual([]);
    expect((await outcomes(context)).in_9).toBe("existing_customer");
  });

  it("is revoked when an older payment is reported later", async () => {
    await report(context, signedUp(), paid());
    expect(await earners()).toEqual({ in_1: thief.affiliate_id });
    await report(context, paid({ subject: "in_0", at: second(99) }));
    expect(await commissions(context)).toMatchObject([{ payout_status: "voided" }]);
    expect(await referrals(context)).toMatchObject([{ superseded: true }]);
  });

  it("does not apply to a subscription that started before its click", async () => {
    const state = { subject: "sub_1", customer_id: "cus_1" };
    await report(
      context,
      customer({ subject: "cus_1", ...CUSTOMER }),
      subscription({ ...state, at: second(10), status: "trialing" }),
      signedUp(),
    );
    await report(context, subscription({ ...state, at: second(300), rank: 1 }), paid());
    expect(await commissions(context)).toEqual([]);
  });

  it("applies to payments of the hour before it, but not before its click", async () => {
    await report(context, signedUp({ at: second(100 + 2 * HOUR) }));
    await report(context, paid({ at: second(101 + HOUR) }));
    expect(await earners()).toEqual({ in_1: thief.affiliate_id });
    await report(context, paid({ subject: "in_0", at: second(99) }));
    expect(await commissions(context)).toMatchObject([{ payout_status: "voided" }]);
  });

  it.each(["new", "any"] as const)(
    "never takes a customer who paid between its click and the hour before it: customers `%s`",
    async (customers) => {
      const crook = await addPartner(context, { customers });
      const click_id = await click(context, { affiliate_id: crook.affiliate_id, at: second(100) });
      await report(context, paid(), signedUp({ click_id, at: second(401 + HOUR) }));
      await report(context, paid({ subject: "in_2", at: second(500 + HOUR) }));
      expect(await outcomes(context)).toEqual({ in_1: "no_referral", in_2: "existing_customer" });
    },
  );

  it.each([
    ["reported later", [0, 1]],
    ["processed first", [1, 0]],
  ])("wins against a sign-up with an older click that is %s", async (_name, order) => {
    const old_click = await click(context, { affiliate_id: jane.affiliate_id, at: second(0) });
    const at = second(200 + HOUR / 2);
    const both = [signedUp(), signUp({ click_id: old_click, email: CUSTOMER.email, at })];
    for (const index of order) await report(context, ...both.slice(index, index + 1));
    await report(context, paid({ at }));
    expect(await referrals(context)).toMatchObject([{ affiliate_id: thief.affiliate_id, superseded: false }]);
    expect(await earners()).toEqual({ in_1: thief.affiliate_id });
    const { data } = await listPaymentDecisions(context, { limit: 10 });
    expect(data[0]?.explanation.candidates).toMatchObject([
      { affiliate_id: jane.affiliate_id, result: "lost" },
      { affiliate_id: thief.affiliate_id, result: "won" },
    ]);
  });

  it("does not apply to referrals under any name of the customer", async () => {
    await report(context, checkedOut({ at: second(60), email: "former@customers.test" }));
    await report(context, customer({ subject: "cus_1", ...CUSTOMER, at: second(70) }), signedUp());
    await report(context, paid({ customer_id: null }));
    expect(await referrals(context)).toMatchObject([{ affiliate_id: jane.affiliate_id }]);
    expect(Object.values(await earners())).not.toContain(thief.affiliate_id);
  });
});

describe("a referral that the organization creates", () => {
  const make = () =>
    createReferral(context, {
      affiliate_id: jane.affiliate_id,
      email: "Buyer@customers.test",
      subscription_status: "signed_up",
    });

  it("replaces a referral of a sign-up", async () => {
    await report(context, signedUp());
    const { id } = await make();
    expect((await listReferrals(context, { limit: 10 })).data).toMatchObject([{ id }]);
    await report(context, paid({ at: new Date() }));
    expect(await earners()).toEqual({ in_1: jane.affiliate_id });
  });

  it("replaces a referral of a sign-up, also by the processor's customer id", async () => {
    const nonsense = { click_ids: ["nonsense"], at: second(250) };
    await report(context, signedUp(), customer({ subject: "cus_1", ...CUSTOMER, ...nonsense }));
    expect(await referrals(context)).toMatchObject([{ processor_customer_id: "cus_1" }]);
    const { affiliate_id } = jane;
    const names = { email: "other@customers.test", processor_customer_id: "cus_1" };
    await createReferral(context, { affiliate_id, ...names, subscription_status: "signed_up" });
    await report(context, paid({ at: new Date() }));
    expect(await earners()).toEqual({ in_1: jane.affiliate_id });
    const { data } = await listReferrals(context, { limit: 10, ...names });
    expect(data).toMatchObject([{ affiliate: { id: affiliate_id }, ...names }]);
  });

  it("conflicts with a referral that a payment confirmed", async () => {
    await report(context, signedUp(), paid());
    await expect(make()).rejects.toMatchObject({ code: "referral_exists" });
  });

  it("conflicts with a referral that a manual commission confirmed", async () => {
    await report(context, signedUp());
    const [{ id: referral_id } = { id: "" }] = await referrals(context);
    await createCommission(context, { referral_id, revenue_amount: 10, commission_amount: 1 });
    await expect(make()).rejects.toMatchObject({ code: "referral_exists" });
    const at = new Date();
    await report(context, checkedOut({ at, opened_at: at }), paid({ at }));
    expect((await earners()).in_1).toBe(thief.affiliate_id);
  });
});
