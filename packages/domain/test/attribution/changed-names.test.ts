/* Customers stay with their affiliate when their email or id changes, or when people tell another one. */
import { describe, expect, it } from "vitest";
import { type CreationContext, createCommission } from "../../src/commissions/create.ts";
import { createReferral } from "../../src/customers/referrals/create.ts";
import { updateReferral } from "../../src/customers/referrals/update.ts";
import { beforeEachInNewProgram } from "./new-program.ts";
import { addPartner, click, outcomes, type Partner, referrals, report } from "./program.ts";
import { checkout, customer, payment, second, signUp, subscription } from "./reported.ts";

let context: CreationContext;
let partner: Partner;
let click_id: string;

beforeEachInNewProgram((program) => {
  ({ context, partner, click_id } = program);
});

const FORMER = "former@customers.test";
const LATER = "later@customers.test";

/** A referral by API of the former email, from before all reports. */
async function refer(): Promise<string> {
  const { id } = await createReferral(context, {
    email: FORMER,
    affiliate_id: partner.affiliate_id,
    subscription_status: "signed_up",
  });
  await context.database`
    update referrals set signup_date = ${second(0)}, created_at = ${second(0)} where id = ${id}`;
  return id;
}

const record = (email: string, at: Date) => customer({ subject: "cus_1", customer_id: "cus_1", email, at });
const created = record(FORMER, second(10));
const changed = record(LATER, second(20));
const paid = payment({ subject: "in_1", customer_id: "cus_1", email: LATER, at: second(30) });
const checkedOut = () =>
  checkout({ subject: "cs_1", customer_id: "cus_1", email: FORMER, click_ids: [click_id], at: second(5) });

describe("a customer record ties its id to a referral's email", () => {
  it.each([
    ["in the order of time", [created, changed, paid]],
    ["the payment first", [paid, created, changed]],
    ["backwards", [paid, changed, created]],
  ])("%s", async (_, facts) => {
    await refer();
    for (const fact of facts) await report(context, fact);
    expect(await outcomes(context)).toEqual({ in_1: "commission" });
    expect(await referrals(context)).toMatchObject([{ processor_customer_id: "cus_1", converted: true }]);
  });

  it("also if a page reported the sign-up", async () => {
    await report(context, signUp({ click_id, email: FORMER, at: second(8) }));
    await report(context, created, changed, paid);
    expect(await outcomes(context)).toEqual({ in_1: "commission" });
  });

  it("during a trial", async () => {
    await refer();
    await report(
      context,
      created,
      subscription({ subject: "sub_1", customer_id: "cus_1", status: "trialing", at: second(12) }),
    );
    expect(await referrals(context)).toMatchObject([
      { processor_customer_id: "cus_1", subscription_status: "trialing" },
    ]);
  });

  it.each([
    ["a guest", null],
    ["a later customer", "cus_2"],
  ])("and finds %s by the later email", async (_, customer_id) => {
    await report(
      context,
      checkedOut(),
      payment({ ...paid, email: FORMER, at: second(6), paid_at: second(6) }),
    );
    await report(context, changed);
    await report(context, payment({ subject: "in_2", customer_id, email: LATER, at: second(40) }));
    expect(await outcomes(context)).toEqual({ in_1: "commission", in_2: "commission" });
  });

  it("from its report on, not before", async () => {
    await report(context, checkedOut());
    await report(context, changed);
    await report(context, payment({ subject: "in_2", email: LATER, at: second(15) }));
    expect(await outcomes(context)).toEqual({ in_2: "no_referral" });
  });
});

describe("a name that people give to a referral finds the customer", () => {
  const other = payment({ subject: "in_2", customer_id: "cus_Q", email: "q@customers.test", at: second(60) });
  const both = { processor_customer_id: "cus_Q", email: "q@customers.test" };

  it.each([
    ["by id", { processor_customer_id: "cus_Q" }],
    ["by email", { email: "q@customers.test" }],
    ["by both", both],
  ])("of a checkout's referral, %s", async (_, names) => {
    await report(context, checkedOut());
    const [{ id } = { id: "" }] = await referrals(context);
    await updateReferral(context, { id, ...names });
    await report(context, other);
    await report(context, payment({ subject: "in_3", customer_id: "cus_1", at: second(70) }));
    expect(await outcomes(context)).toEqual({ in_2: "commission", in_3: "commission" });
  });

  it.each([
    ["by id", { processor_customer_id: "cus_Q" }],
    ["by email", { email: "q@customers.test" }],
  ])("after the payment, %s", async (_, names) => {
    await report(context, checkedOut(), other);
    const [{ id } = { id: "" }] = await referrals(context);
    await updateReferral(context, { id, ...names });
    expect(await outcomes(context)).toEqual({ in_2: "commission" });
  });

  it("of a referral by API, after the payment", async () => {
    const id = await refer();
    await report(context, other);
    await updateReferral(context, { id, processor_customer_id: "cus_Q" });
    expect(await outcomes(context)).toEqual({ in_2: "commission" });
  });
});

describe("commissions by hand count for every referral alike", () => {
  const byHand = async () => {
    const [{ id } = { id: "" }] = await referrals(context);
    await createCommission(context, { referral_id: id, revenue_amount: 50, commission_amount: 10 });
  };
  const later = () =>
    payment({ ...paid, at: new Date(Date.now() + 60_000), paid_at: new Date(Date.now() + 60_000) });

  it.each([
    ["checkout", () => checkedOut()],
    ["sign-up", (click_id: string) => signUp({ click_id, email: FORMER, at: second(8) })],
  ])("of a %s with a limit", async (_, evidence) => {
    partner = await addPartner(context, { limit_type: "payments", limit_amount: 1 });
    click_id = await click(context, { affiliate_id: partner.affiliate_id, at: second(2) });
    await report(context, evidence(click_id), record(FORMER, second(9)));
    await byHand();
    await report(context, later());
    expect(await outcomes(context)).toEqual({ in_1: "limit_reached" });
  });
});
