import { describe, expect, it } from "vitest";
import { updateAffiliate } from "../../src/affiliates/update.ts";
import { dryRunPayment } from "../../src/attribution/dry-run.ts";
import { getPaymentDecision } from "../../src/attribution/get.ts";
import { listPaymentDecisions } from "../../src/attribution/list.ts";
import { rerunPayment } from "../../src/attribution/rerun.ts";
import { updateCampaign } from "../../src/campaigns/update.ts";
import { type CreationContext, createCommission } from "../../src/commissions/create.ts";
import { listCommissions } from "../../src/commissions/list.ts";
import { updateCommission } from "../../src/commissions/update.ts";
import { createReferral } from "../../src/customers/referrals/create.ts";
import { listReferrals } from "../../src/customers/referrals/list.ts";
import { makeContext } from "../subscriber.ts";
import { beforeEachInNewProgram } from "./new-program.ts";
import { addPartner, click, commissions, outcomes, type Partner, report } from "./program.ts";
import { charge, checkout, payment, refund, second } from "./reported.ts";

let context: CreationContext;
let partner: Partner;
let click_id: string;

const CUSTOMER = { customer_id: "cus_1", email: "buyer@customers.test" };

beforeEachInNewProgram(
  (program) => {
    ({ context, partner, click_id } = program);
  },
  { approval_needed: true },
);

const bought = () => [
  checkout({ subject: "cs_1", ...CUSTOMER, click_ids: [click_id], at: second(10) }),
  payment({ subject: "in_1", ...CUSTOMER, at: second(20), paid_minor: 11_900n }),
];

async function approve(): Promise<void> {
  await updateAffiliate(context, { id: partner.affiliate_id, approved: true });
}

async function onlyDecision() {
  const { data } = await listPaymentDecisions(context, { limit: 10 });
  expect(data).toHaveLength(1);
  return await getPaymentDecision(context, data[0]?.id ?? "");
}

describe("a decision", () => {
  it("explains its steps", async () => {
    await approve();
    await report(
      context,
      ...bought(),
      refund({ subject: "re_1", amount_minor: 1_190n, references: ["in_1"] }),
    );
    const commission = (await listCommissions(context, { limit: 10 })).data[0];
    const referral = (await listReferrals(context, { limit: 10 })).data[0];
    expect(await onlyDecision()).toMatchObject({
      processor: "stripe",
      processor_payment_id: "in_1",
      outcome: "commission",
      revenue_amount: 100,
      paid_amount: 119,
      taken_back_amount: 11.9,
      commission_amount: 30,
      commission_id: commission?.id,
      affiliate_id: partner.affiliate_id,
      referral_id: referral?.id,
      explanation: {
        candidates: [
          { source: "click", reference: click_id, affiliate_id: partner.affiliate_id, result: "won" },
        ],
        earned_before: 0,
        steps: [
          {
            rule: "campaign",
            type: "percentage",
            amount: 30,
            of_amount: 100,
            product_id: null,
            conversion: null,
          },
        ],
        exact_amount: "3000",
      },
    });
    expect(commission).toMatchObject({
      revenue_amount: 90,
      commission_amount: 27,
      payout_status: "not_paid",
    });
  });

  it.each([
    ["payment intent", [0, 1]],
    ["charge", [1, 0]],
  ])("lists the candidates in the same order if its %s is reported first", async (_name, order) => {
    const charges = [
      charge({ subject: "pi_1", ...CUSTOMER, click_ids: ["a"], at: second(20) }),
      charge({ subject: "ch_1", payment_id: "pi_1", references: ["pi_1"], click_ids: ["b"], at: second(20) }),
    ];
    for (const index of order) await report(context, ...charges.slice(index, index + 1));
    await report(context, payment({ subject: "in_1", ...CUSTOMER, at: second(20), references: ["pi_1"] }));
    const { candidates } = (await onlyDecision()).explanation;
    expect(candidates.map(({ reference }) => reference)).toEqual(["a", "b"]);
  });

  it("explains why no commission was earned, with the rejected candidates", async () => {
    await report(context, ...bought());
    expect(await onlyDecision()).toMatchObject({
      outcome: "affiliate_unapproved",
      commission_amount: 0,
      commission_id: null,
      explanation: {
        candidates: [
          {
            source: "click",
            reference: click_id,
            affiliate_id: partner.affiliate_id,
            result: "affiliate_unapproved",
          },
        ],
      },
    });
  });

  it("shows unknown codes and clicks unchanged", async () => {
    await approve();
    const promo_codes = [
      { external_id: null, code: "BLACKFRIDAY" },
      { external_id: "promo_shop", code: null },
    ];
    const click_ids = ["0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90", "From a form"];
    await report(
      context,
      checkout({ subject: "cs_1", ...CUSTOMER, promo_codes, click_ids, at: second(10) }),
      // Reported again with the payment: each one is listed once.
      payment({ subject: "in_1", ...CUSTOMER, promo_codes, click_ids, at: second(20) }),
    );
    const decision = await onlyDecision();
    const nobody = { affiliate_id: null };
    expect(decision).toMatchObject({
      outcome: "no_referral",
      explanation: {
        candidates: [
          { source: "promo_code", reference: "BLACKFRIDAY", ...nobody, result: "unknown_code" },
          { source: "promo_code", reference: "promo_shop", ...nobody, result: "unknown_code" },
          { source: "click", reference: click_ids[0], ...nobody, result: "unknown_click" },
          { source: "click", reference: "From a form", ...nobody, result: "unknown_click" },
        ],
      },
    });
    expect(decision.explanation.candidates).toHaveLength(4);
  });

  it("shows each candidate once, with its last result", async () => {
    const again = { ...CUSTOMER, click_ids: [click_id, click_id.toUpperCase()] };
    const promo_codes = ["JANE20", "jane20", "JANE20"].map((code) => ({ external_id: null, code }));
    await report(
      context,
      checkout({ subject: "cs_1", ...again, at: second(10) }),
      checkout({ subject: "cs_2", ...again, promo_codes, at: second(15) }),
      payment({ subject: "in_1", ...again, at: second(20) }),
    );
    const results = async () =>
      (await onlyDecision()).explanation.candidates.map(({ reference, result }) => [reference, result]);
    expect(await results()).toEqual([
      ["JANE20", "unknown_code"],
      [click_id, "affiliate_unapproved"],
    ]);
    await approve();
    await rerunPayment(context, (await onlyDecision()).id);
    expect(await results()).toEqual([
      [click_id, "won"],
      ["JANE20", "unknown_code"],
    ]);
  });

  it("shows candidates after the referral, and before a manual one", async () => {
    await approve();
    await report(context, ...bought());
    const later = [{ external_id: null, code: "LATER" }];
    await report(context, payment({ subject: "in_2", ...CUSTOMER, promo_codes: later, at: second(30) }));
    const candidatesOf = async (processor_payment_id: string) => {
      const { data } = await listPaymentDecisions(context, { limit: 10, processor_payment_id });
      return data.flatMap(({ explanation }) => explanation.candidates.map(({ result }) => result));
    };
    expect(await candidatesOf("in_1")).toEqual(["won"]);
    expect(await candidatesOf("in_2")).toEqual(["won", "unknown_code"]);
    const email = "other@customers.test";
    await createReferral(context, {
      affiliate_id: partner.affiliate_id,
      email,
      subscription_status: "active",
    });
    await report(
      context,
      payment({ subject: "in_3", email, click_ids: [click_id], promo_codes: later, at: second(40) }),
    );
    expect(await outcomes(context)).toMatchObject({ in_3: "paid_before_referral" });
    expect(await candidatesOf("in_3")).toEqual(["lost", "unknown_code"]);
  });

  it("reports parts that add up to a negative amount", async () => {
    await approve();
    const { affiliate_id } = await addPartner(context, {
      custom_commission_type: "product",
      custom_commissions: [{ product_id: "prod_old", type: "percentage", amount: 90 }],
    } as never);
    const click_ids = [await click(context, { affiliate_id, at: second(1) })];
    const lines = [
      { product_id: "prod_old", amount_minor: -5_000n },
      { product_id: "prod_new", amount_minor: 6_000n },
    ];
    const plan_change = { email: "changed@customers.test", revenue_minor: 1_000n, lines, click_ids };
    await report(context, payment({ subject: "in_9", ...plan_change, at: second(50) }));
    expect(await onlyDecision()).toMatchObject({ outcome: "commission_is_negative", commission_amount: 0 });
  });

  it("is found by its payment, affiliate, referral and outcome", async () => {
    await approve();
    await report(context, ...bought());
    const { id, referral_id } = await onlyDecision();
    const found = async (query: object) =>
      (await listPaymentDecisions(context, { limit: 10, ...query })).data.map((decision) => decision.id);
    expect(await found({ processor_payment_id: "in_1" })).toEqual([id]);
    expect(await found({ affiliate_id: partner.affiliate_id })).toEqual([id]);
    expect(await found({ referral_id })).toEqual([id]);
    expect(await found({ outcome: "commission" })).toEqual([id]);
    expect(await found({ outcome: "no_referral" })).toEqual([]);
    const other = await makeContext(context.database);
    await expect(getPaymentDecision(other, id)).rejects.toMatchObject({ code: "not_found" });
    await expect(rerunPayment(other, id)).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("a rerun", () => {
  it("uses the current settings", async () => {
    await report(context, ...bought());
    const { id } = await onlyDecision();
    await approve();
    await report(context, ...bought());
    expect(await outcomes(context)).toEqual({ in_1: "affiliate_unapproved" });
    expect(await rerunPayment(context, id)).toMatchObject({ outcome: "commission", commission_amount: 30 });
    expect(await rerunPayment(context, id)).toMatchObject({ outcome: "commission" });
    expect(await commissions(context)).toHaveLength(1);
  });
});

describe("a dry run", () => {
  const SALE = { revenue_amount: 50, lines: [] };

  it("shows the commission of a payment and changes nothing", async () => {
    await approve();
    await report(context, ...bought());
    const before = await commissions(context);
    expect(await dryRunPayment(context, { ...SALE, email: "BUYER@customers.test" })).toMatchObject({
      outcome: "commission",
      commission_amount: 15,
      explanation: { earned_before: 1 },
    });
    expect(await dryRunPayment(context, { ...SALE, customer_id: "cus_1" })).toMatchObject({
      outcome: "commission",
    });
    expect(await dryRunPayment(context, { ...SALE, email: "new@x.test" })).toMatchObject({
      outcome: "no_referral",
    });
    const paid_at = second(30).toISOString();
    expect(await dryRunPayment(context, { ...SALE, email: "new@x.test", click_id, paid_at })).toMatchObject({
      outcome: "commission",
      affiliate_id: partner.affiliate_id,
      referral_id: null,
      explanation: { candidates: [{ result: "won" }] },
    });
    expect(await commissions(context)).toEqual(before);
    expect((await listReferrals(context, { limit: 10 })).data).toHaveLength(1);
  });
});

it("a dry run without lines predicts what a payment without products earns, and says so", async () => {
  await approve();
  const products = { custom_commission_type: "product" } as const;
  const rate = { product_id: "prod_a", type: "percentage", amount: 40 } as const;
  await updateCampaign(context, { id: partner.campaign_id, ...products, custom_commissions: [rate] });
  const asked = { revenue_amount: 100, email: CUSTOMER.email, click_id, paid_at: second(30).toISOString() };
  const without = await dryRunPayment(context, { ...asked, lines: [] });
  expect(without).toMatchObject({ outcome: "commission", without_products: true });
  const lines = [{ product_id: "prod_a", amount: 100 }];
  expect(await dryRunPayment(context, { ...asked, lines })).toMatchObject({
    commission_amount: 40,
    without_products: false,
  });
  const click_ids = [click_id];
  await report(context, payment({ subject: "in_1", ...CUSTOMER, click_ids, lines: [], at: second(30) }));
  const { outcome, commission_amount, revenue_amount } = await onlyDecision();
  expect({ outcome, commission_amount, revenue_amount }).toMatchObject({
    outcome: without.outcome,
    commission_amount: without.commission_amount,
  });
});

it("a decision names a reference of the checkout that is no click id, and how to mend it", async () => {
  const click_ids = ["user_8812"];
  const who = { ...CUSTOMER, click_ids };
  await report(context, checkout({ subject: "cs_1", ...who, at: second(10) }));
  await report(context, payment({ subject: "in_1", ...CUSTOMER, at: second(20) }));
  expect(await onlyDecision()).toMatchObject({
    outcome: "no_referral",
    reason: expect.stringContaining(
      "The checkout's reference user_8812 is not a click id. Pass the tracker's click id as the checkout's reference",
    ),
    explanation: { candidates: [{ reference: "user_8812", result: "unknown_click" }] },
  });
});

describe("a manual change stands", () => {
  async function correct(fields: object) {
    const { commission_id } = await onlyDecision();
    return await updateCommission(context, { id: commission_id ?? "", ...fields });
  }

  it("when the payment is reported again, and shrinks with later refunds", async () => {
    await approve();
    await report(context, ...bought());
    await correct({ revenue_amount: 80, commission_amount: 10 });
    await report(context, ...bought());
    expect(await commissions(context)).toMatchObject([{ revenue_minor: 8_000n, commission_minor: 1_000n }]);
    await report(context, refund({ subject: "re_1", amount_minor: 5_950n, references: ["in_1"] }));
    expect(await commissions(context)).toMatchObject([{ revenue_minor: 4_000n, commission_minor: 500n }]);
  });

  it("when it was voided, and when it was restored", async () => {
    await approve();
    await report(context, ...bought());
    await correct({ payout_status: "voided" });
    await report(context, payment({ subject: "in_2", ...CUSTOMER, at: second(99) }));
    expect(await commissions(context)).toMatchObject([
      { payout_status: "voided" },
      { payout_status: "not_paid" },
    ]);
  });
});

it("prefers a manual commission for the same payment", async () => {
  await approve();
  await report(context, bought()[0] as never);
  const referral_id = (await listReferrals(context, { limit: 10 })).data[0]?.id ?? "";
  const made = { referral_id, revenue_amount: 1, commission_amount: 1, processor_payment_id: "in_1" };
  await createCommission(context, made);
  await report(context, ...bought());
  expect(await outcomes(context)).toEqual({ in_1: "commission_exists" });
  expect(await commissions(context)).toHaveLength(1);
});
