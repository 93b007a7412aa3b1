/*
 * Signals of fraud: their evidence, their actions by campaign, and decisions that later changes leave alone.
 */
import type { PaymentDecision } from "@findersfee/contract/attribution/payment-decisions";
import { NO_SIGNALS } from "@findersfee/contract/campaigns/signals";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { updateAffiliate } from "../../src/affiliates/update.ts";
import { listPaymentDecisions } from "../../src/attribution/list.ts";
import { creditPayment, moveCustomer } from "../../src/attribution/overrides/make.ts";
import { rerunPayment } from "../../src/attribution/rerun.ts";
import { getCampaign } from "../../src/campaigns/get.ts";
import { updateCampaign } from "../../src/campaigns/update.ts";
import { approveCommission } from "../../src/commissions/review.ts";
import { listBalances } from "../../src/ledger/list-balances.ts";
import { addAffiliate, addPartner, click, payOut, report } from "./program.ts";
import { checkout, payment, second } from "./reported.ts";
import {
  CLICKED,
  decisionOf,
  expectSoundLedger,
  newProgram,
  type Program,
  reviewOf,
  type Sale,
  type Signals,
  sell,
} from "./signal-program.ts";

let test: TestDatabase;

beforeAll(async () => {
  test = await createTestDatabase();
});

afterAll(() => test.close());

const FOUND: [string, Signals, Sale, { email?: string }, object | null][] = [
  [
    "a company's domain of customer and affiliate",
    { shared_domain: "hold" },
    { email: "buyer@Mail.acme.test" },
    { email: "seller@acme.test" },
    { evidence: "Customer and affiliate both use acme.test.", facts: { domain: "acme.test" } },
  ],
  [
    "the domain of a mail provider",
    { shared_domain: "hold" },
    { email: "a@gmail.com" },
    { email: "b@gmail.com" },
    null,
  ],
  ["other domains", { shared_domain: "hold" }, { email: "a@acme.test" }, { email: "b@other.test" }, null],
  [
    "a disposable address",
    { disposable_email: "hold" },
    { email: "x@mailinator.com" },
    {},
    {
      evidence: "The customer's email is of mailinator.com, which gives disposable addresses.",
      facts: { domain: "mailinator.com" },
    },
  ],
  ["an address that lasts", { disposable_email: "hold" }, {}, {}, null],
  [
    "an ad by its click id",
    { paid_search: "hold" },
    { landing_url: "https://shop.test/?via=code&gclid=abc" },
    {},
    { evidence: "The click came from an ad: its address has gclid.", facts: { parameter: "gclid" } },
  ],
  [
    "an ad by its medium",
    { paid_search: "hold" },
    { landing_url: "https://shop.test/?via=code&utm_medium=CPC" },
    {},
    { facts: { parameter: "utm_medium=cpc" } },
  ],
  [
    "a landing page without an ad",
    { paid_search: "hold" },
    { landing_url: "https://shop.test/?gclid=" },
    {},
    null,
  ],
  ["a click without an address", { paid_search: "hold", listed_referrer: "hold" }, {}, {}, null],
  [
    "a listed referrer",
    { listed_referrer: "hold", referrers: ["coupons.test"] },
    { referrer: "https://www.Coupons.test/shop" },
    {},
    {
      evidence: "The click came from www.coupons.test, and the campaign lists coupons.test.",
      facts: { host: "www.coupons.test", listed: "coupons.test" },
    },
  ],
  [
    "another referrer",
    { listed_referrer: "hold", referrers: ["coupons.test"] },
    { referrer: "https://notcoupons.test/" },
    {},
    null,
  ],
];

it.each(FOUND)("knows %s", async (_name, signals, sale, affiliate, found) => {
  const program = await newProgram(test.database, signals, { affiliate });
  const { outcome, explanation } = await sell(program, sale);
  expect(outcome).toBe("commission");
  if (found === null) expect(explanation.signals).toBeUndefined();
  else expect(explanation.signals).toMatchObject([found]);
});

it("knows other affiliates who are paid at the same email", async () => {
  const program = await newProgram(test.database, { shared_payout_email: "hold" });
  const { context, affiliate_id, campaign_id } = program;
  await updateAffiliate(context, { id: affiliate_id, payout_email: "Purse@pay.test" });
  const other = await addAffiliate(context, { campaign_id, email: "purse@pay.test" });
  await addAffiliate(context, { campaign_id, email: "third@pay.test", payout_email: "purse@PAY.test" });
  const { explanation } = await sell(program);
  expect(explanation.signals).toMatchObject([
    { evidence: "2 other affiliates are paid at the same email.", facts: { affiliates: "2" } },
  ]);
  expect(explanation.signals?.[0]?.facts.affiliate_id).toBe(other);
});

it("does not count the same person in another campaign", async () => {
  const program = await newProgram(
    test.database,
    { shared_payout_email: "hold" },
    { affiliate: { email: "me@pay.test" } },
  );
  await addPartner(program.context, { name: "Other" }, { email: "me@pay.test" });
  const { explanation } = await sell(program);
  expect(explanation.signals).toBeUndefined();
});

const ACME = { affiliate: { email: "seller@acme.test" } };
const BUYER = { email: "buyer@acme.test" };

it.each([
  ["hold", "none", { state: "pending", reasons: ["signal:shared_domain"] }],
  ["flag", "none", { state: "none", reasons: null }],
  ["flag", "flagged", { state: "pending", reasons: ["signal:shared_domain"] }],
  ["hold", "all", { state: "pending", reasons: ["campaign_reviews_all", "signal:shared_domain"] }],
] as const)("does as the campaign says: %s, with reviews of %s", async (shared_domain, review, expected) => {
  const program = await newProgram(test.database, { shared_domain }, { ...ACME, review });
  const decision = await sell(program, BUYER);
  expect(decision.explanation.signals).toMatchObject([{ signal: "shared_domain", action: shared_domain }]);
  expect(await reviewOf(program.context, decision)).toEqual(expected);
  await expectSoundLedger(program.context);
});

it("refuses with a reason, and leaves the limit to other payments", async () => {
  const program = await newProgram(
    test.database,
    { disposable_email: "refuse" },
    { limit_type: "payments", limit_amount: 1 },
  );
  const refused = await sell(program, { email: "x@mailinator.com" });
  expect(refused).toMatchObject({ outcome: "refused_by_signal", commission_id: null, commission_amount: 0 });
  expect(refused.explanation.signals).toMatchObject([{ signal: "disposable_email", action: "refuse" }]);
  const next = { customer_id: "cus_1", email: "buyer@customers.test" };
  await report(program.context, payment({ subject: "in_2", ...next, at: second(30) }));
  const { data } = await listPaymentDecisions(program.context, { limit: 10 });
  expect(data.map(({ outcome }) => outcome).sort()).toEqual(["commission", "refused_by_signal"]);
});

it("keeps what was known when the payment was first decided", async () => {
  const program = await newProgram(test.database, { shared_payout_email: "hold", paid_search: "flag" });
  const { context, affiliate_id, campaign_id } = program;
  const other = await addAffiliate(context, { campaign_id, email: "other@pay.test" });
  await updateAffiliate(context, { id: affiliate_id, payout_email: "other@pay.test" });
  const first = await sell(program, { landing_url: "https://shop.test/?msclkid=1" });
  expect(first.explanation.signals).toHaveLength(2);

  await updateAffiliate(context, { id: affiliate_id, payout_email: null });
  await updateAffiliate(context, { id: other, payout_email: "elsewhere@pay.test" });
  const { name, commission_type, commission_amount } = await getCampaign(context, campaign_id);
  const required = { name, commission_type, commission_amount };
  await updateCampaign(context, { id: campaign_id, ...required, signals: { ...NO_SIGNALS, referrers: [] } });
  await test.database`delete from clicks where organization_id = ${context.organization.id}`;
  await report(
    context,
    payment({ subject: "in_1", customer_id: "cus_1", at: second(20), rank: 1, revenue_minor: 9_000n }),
  );
  const again = await decisionOf(context);
  expect(again).toMatchObject({ commission_amount: 27 });
  expect(again.explanation.signals).toEqual(first.explanation.signals);

  expect((await rerunPayment(context, again.id)).explanation.signals).toBeUndefined();
});

/** A payment after its commission was made: its email is reported with its customer's record. */
async function sellBeforeEmail({ context, affiliate_id }: Program): Promise<PaymentDecision> {
  const click_id = await click(context, { affiliate_id, at: CLICKED });
  const buyer = { customer_id: "cus_1", email: "buyer@customers.test" };
  await report(
    context,
    checkout({ subject: "cs_1", ...buyer, click_ids: [click_id], at: second(10) }),
    payment({ subject: "in_1", customer_id: "cus_1", at: second(30) }),
  );
  return await decisionOf(context);
}

/** The customer's email from second 20 on. */
const renamed = (email: string) =>
  checkout({
    subject: "cs_2",
    customer_id: "cus_1",
    email,
    at: second(20),
    rank: email === BUYER.email ? 0 : 1,
  });

it("holds a commission whose evidence comes late, and lets it go when the evidence was wrong", async () => {
  const program = await newProgram(
    test.database,
    { shared_domain: "hold" },
    { ...ACME, review_above_amount: 5, review_approve_after_days: 3 },
  );
  const { context } = program;
  const first = await sellBeforeEmail(program);
  expect(await reviewOf(context, first)).toEqual({ state: "pending", reasons: ["above_amount"] });
  await report(context, renamed(BUYER.email));
  expect(await reviewOf(context, first)).toEqual({
    state: "pending",
    reasons: ["above_amount", "signal:shared_domain"],
  });
  await report(context, renamed("buyer@other.test"));
  expect(await reviewOf(context, first)).toEqual({ state: "pending", reasons: ["above_amount"] });
  await expectSoundLedger(context);
});

it("holds a commission that needed no review, unless a person decided or a payout has it", async () => {
  const program = await newProgram(test.database, { shared_domain: "hold" }, ACME);
  const { context } = program;
  const first = await sellBeforeEmail(program);
  expect(await reviewOf(context, first)).toEqual({ state: "none", reasons: null });
  await report(context, renamed(BUYER.email));
  const held = { state: "pending", reasons: ["signal:shared_domain"] };
  expect(await reviewOf(context, first)).toEqual(held);
  expect(await listBalances(context, program.affiliate_id)).toMatchObject([{ held: 30, due: 0 }]);
  await expectSoundLedger(context);
  await report(context, renamed("buyer@other.test"));
  expect(await reviewOf(context, first)).toEqual({ state: "none", reasons: null });
  expect(await listBalances(context, program.affiliate_id)).toMatchObject([{ held: 0, due: 30 }]);
  await expectSoundLedger(context);

  await payOut(context, "pending");
  await report(context, checkout({ ...renamed(BUYER.email), rank: 2 }));
  expect(await reviewOf(context, first)).toEqual({ state: "none", reasons: null });
  expect((await decisionOf(context)).explanation.signals).toHaveLength(1);
  await expectSoundLedger(context);
});

it("leaves what a person approved", async () => {
  const program = await newProgram(test.database, { shared_domain: "hold" }, ACME);
  const { context } = program;
  const held = await sell(program, BUYER);
  await approveCommission(context, { id: held.commission_id ?? "" });
  await report(context, checkout({ ...renamed("buyer@other.test"), at: second(15) }));
  expect((await decisionOf(context)).explanation.signals).toBeDefined();
  expect(await reviewOf(context, held)).toMatchObject({ state: "approved" });
  await expectSoundLedger(context);
});

it("does not hold what a person credited", async () => {
  const program = await newProgram(test.database, { shared_domain: "refuse" }, ACME);
  const { context, affiliate_id } = program;
  const refused = await sell(program, BUYER);
  expect(refused.outcome).toBe("refused_by_signal");
  await creditPayment(context, {
    processor_payment_id: refused.processor_payment_id,
    affiliate_id,
    past_payments: true,
    reason: "It is their customer",
    dry_run: false,
  });
  const credited = await decisionOf(context);
  expect(credited.outcome).toBe("commission");
  expect(credited.explanation.signals).toBeUndefined();
});

it("stores and answers nothing new where all signals are off", async () => {
  const program = await newProgram(test.database, {}, ACME);
  const { explanation } = await sell(program, { ...BUYER, landing_url: "https://shop.test/?gclid=1" });
  expect(Object.keys(explanation)).toEqual([
    "candidates",
    "earned_before",
    "steps",
    "exact_amount",
    "override",
  ]);
  const rows = await test.database`
    select snapshot::text from payment_facts where organization_id = ${program.context.organization.id}`;
  expect(rows.some(({ snapshot }) => snapshot.includes("signals") || snapshot.includes("observed"))).toBe(
    false,
  );
});

it("lets the commission for a recruit go with the recruit's, also after another affiliate got that", async () => {
  const fields = { affiliate: { email: "recruiter@acme.test" }, recruiting: { percent: 10, months: 12 } };
  const program = await newProgram(test.database, { shared_domain: "hold" }, fields);
  const { context, campaign_id, affiliate_id: recruited_by } = program;
  const affiliate_id = await addAffiliate(context, { campaign_id, recruited_by, email: "seller@acme.test" });
  const held = await sellBeforeEmail({ ...program, affiliate_id });
  await report(context, renamed(BUYER.email));
  const statesOf = async () => {
    const rows = await test.database`
      select review_state, voided from commissions where organization_id = ${context.organization.id}
      order by commission_minor`;
    return rows.map(({ review_state, voided }) => (voided ? `void ${review_state}` : review_state));
  };
  expect(await statesOf()).toEqual(["pending", "pending"]);
  const other = await addAffiliate(context, { campaign_id, email: "other@acme.test" });
  await moveCustomer(context, {
    referral_id: held.referral_id ?? "",
    affiliate_id: other,
    unpaid_commissions: true,
    reason: "It is their customer",
    dry_run: false,
  });
  expect(await statesOf()).toEqual(["void pending", "pending"]);
  await report(context, renamed("buyer@other.test"));
  expect(await statesOf()).toEqual(["void none", "none"]);
  await expectSoundLedger(context);
});
