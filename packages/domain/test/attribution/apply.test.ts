import { describe, expect, it } from "vitest";
import { updateAffiliate } from "../../src/affiliates/update.ts";
import { updateCampaign } from "../../src/campaigns/update.ts";
import type { Context } from "../../src/context.ts";
import { createReferral } from "../../src/customers/referrals/create.ts";
import { beforeEachInNewProgram } from "./new-program.ts";
import {
  addPartner,
  click,
  commissions,
  eventTypes,
  outcomes,
  type Partner,
  payOut,
  referrals,
  report,
} from "./program.ts";
import {
  checkout,
  customer,
  dispute,
  link,
  payment,
  refund,
  refundedTotal,
  second,
  subscription,
} from "./reported.ts";

let context: Context;
let partner: Partner;

beforeEachInNewProgram((program) => {
  ({ context, partner } = program);
});

const CUSTOMER = { customer_id: "cus_1", email: "Buyer@Customers.test" };
const DAY = 24 * 60 * 60;

async function clickedCheckout(at = second(100)) {
  const click_id = await click(context, { affiliate_id: partner.affiliate_id, at: second(10) });
  return checkout({
    subject: "cs_1",
    ...CUSTOMER,
    click_ids: [click_id],
    at,
    references: ["in_1"],
    belongs_to: ["sub_1"],
  });
}

const invoice = (number: number, at = second(number * 30 * DAY)) =>
  payment({ subject: `in_${number}`, ...CUSTOMER, at, references: [`pi_${number}`], belongs_to: ["sub_1"] });

describe("a customer who followed a link", () => {
  it("becomes a referral, and each payment a commission", async () => {
    await report(context, await clickedCheckout(), subscription({ subject: "sub_1", customer_id: "cus_1" }));
    expect(await referrals(context)).toEqual([
      {
        id: expect.any(String),
        email: "Buyer@Customers.test",
        affiliate_id: partner.affiliate_id,
        processor_customer_id: "cus_1",
        subscription_status: "active",
        converted: false,
        superseded: false,
      },
    ]);
    await report(context, invoice(1));
    await report(context, invoice(2));
    expect(await commissions(context)).toMatchObject([
      {
        processor_payment_id: "in_1",
        revenue_minor: 10_000n,
        commission_minor: 3_000n,
        payout_status: "not_paid",
      },
      { processor_payment_id: "in_2", revenue_minor: 10_000n, commission_minor: 3_000n },
    ]);
    expect(await eventTypes(context)).toEqual([
      "referral.created",
      "commission.created",
      "referral.converted",
      "commission.created",
    ]);
  });

  it("is found if the payment is reported before the checkout", async () => {
    await report(context, invoice(1, second(90)));
    expect(await outcomes(context)).toEqual({ in_1: "no_referral" });
    await report(context, await clickedCheckout());
    expect(await outcomes(context)).toEqual({ in_1: "commission" });
    expect(await commissions(context)).toHaveLength(1);
  });

  it("earns once when reported twice", async () => {
    const facts = [await clickedCheckout(), invoice(1)];
    await report(context, ...facts);
    const before = await commissions(context);
    await report(context, ...facts);
    expect(await commissions(context)).toEqual(before);
    expect(await eventTypes(context)).toHaveLength(3);
  });
});

describe("a refunded amount", () => {
  it("reduces the commission, and a full refund voids it", async () => {
    await report(context, await clickedCheckout(), invoice(1));
    await report(context, refund({ subject: "re_1", amount_minor: 2_500n, references: ["ch_1", "pi_1"] }));
    expect(await commissions(context)).toMatchObject([{ revenue_minor: 7_500n, commission_minor: 2_250n }]);
    await report(context, refund({ subject: "re_2", amount_minor: 7_500n, references: ["pi_1"] }));
    expect(await commissions(context)).toMatchObject([
      { revenue_minor: 10_000n, commission_minor: 3_000n, payout_status: "voided" },
    ]);
    const failed = { at: second(40 * DAY), until: second(40 * DAY), references: ["pi_1"] };
    await report(context, refund({ subject: "re_2", amount_minor: 7_500n, ...failed }));
    expect(await commissions(context)).toMatchObject([
      { commission_minor: 2_250n, payout_status: "not_paid" },
    ]);
  });

  it("waits for its payment", async () => {
    await report(context, refund({ subject: "re_1", amount_minor: 5_000n, references: ["ch_1"] }));
    await report(context, await clickedCheckout(), payment({ ...invoice(1), references: [] }));
    expect(await commissions(context)).toMatchObject([{ commission_minor: 3_000n }]);
    await report(context, link({ subject: "inpay_1", references: ["in_1", "pi_1"] }));
    await report(context, link({ subject: "ch_1", references: ["pi_1"] }));
    expect(await commissions(context)).toMatchObject([{ commission_minor: 1_500n }]);
  });

  it("is counted once, as a refund or in a sum", async () => {
    await report(context, await clickedCheckout(), invoice(1));
    await report(
      context,
      refundedTotal({ subject: "ch_1", amount_minor: 4_000n, at: second(9), references: ["pi_1"] }),
    );
    expect(await commissions(context)).toMatchObject([{ commission_minor: 1_800n }]);
    await report(context, refund({ subject: "re_1", amount_minor: 4_000n, references: ["ch_1", "pi_1"] }));
    expect(await commissions(context)).toMatchObject([{ commission_minor: 1_800n }]);
  });

  it("is restored after a won dispute", async () => {
    await report(context, await clickedCheckout(), invoice(1));
    const lost = dispute({ subject: "dp_1", amount_minor: 10_000n, at: second(50), references: ["pi_1"] });
    await report(context, lost);
    expect(await commissions(context)).toMatchObject([{ payout_status: "voided" }]);
    await report(context, { ...lost, at: second(99), until: second(99) });
    expect(await commissions(context)).toMatchObject([
      { payout_status: "not_paid", commission_minor: 3_000n },
    ]);
  });

  it("creates a reversal if the commission was paid", async () => {
    await report(context, await clickedCheckout(), invoice(1));
    await payOut(context);
    const taken = dispute({ subject: "dp_1", amount_minor: 10_000n, at: second(50), references: ["pi_1"] });
    await report(context, taken);
    await report(context, taken);
    expect(await commissions(context)).toMatchObject([
      { commission_minor: 3_000n, payout_status: "paid", is_reversal: false },
      { commission_minor: -3_000n, revenue_minor: -10_000n, payout_status: "not_paid", is_reversal: true },
    ]);
    await report(context, { ...taken, at: second(99), until: second(99) });
    const amounts = (await commissions(context)).map(({ commission_minor }) => commission_minor);
    expect(amounts).toEqual([3_000n, -3_000n, 3_000n]);
  });
});

describe("settings that change", () => {
  it("do not change earlier decisions", async () => {
    await report(context, await clickedCheckout(), invoice(1));
    await updateCampaign(context, { id: partner.campaign_id, commission_amount: 10 });
    await report(context, invoice(2));
    const amounts = (await commissions(context)).map(({ commission_minor }) => commission_minor);
    expect(amounts).toEqual([3_000n, 1_000n]);
    await updateAffiliate(context, { id: partner.affiliate_id, banned: true });
    await report(context, invoice(3));
    expect(await outcomes(context)).toEqual({
      in_1: "commission",
      in_2: "commission",
      in_3: "affiliate_banned",
    });
    await updateAffiliate(context, { id: partner.affiliate_id, banned: false });
    await report(context, invoice(4));
    expect((await outcomes(context)).in_3).toBe("affiliate_banned");
    expect((await outcomes(context)).in_4).toBe("commission");
  });
});

describe("no commission is earned", () => {
  it("by a self-referral", async () => {
    const own = await addPartner(context, {}, { email: "me@gmail.com" });
    const click_id = await click(context, { affiliate_id: own.affiliate_id, at: second(1) });
    const buyer = { customer_id: "cus_9", email: "M.e+shop@googlemail.com" };
    await report(context, checkout({ subject: "cs_9", ...buyer, click_ids: [click_id], at: second(5) }));
    await report(context, payment({ subject: "in_9", ...buyer, at: second(6) }));
    expect(await outcomes(context)).toEqual({ in_9: "self_referral" });
    expect(await referrals(context)).toEqual([]);
  });

  it("by an expired click", async () => {
    await report(context, await clickedCheckout(second(31 * DAY)), invoice(2));
    expect(await outcomes(context)).toEqual({ in_2: "click_expired" });
  });

  it("by a payment before a manual referral", async () => {
    const email = CUSTOMER.email;
    await createReferral(context, {
      affiliate_id: partner.affiliate_id,
      email,
      subscription_status: "signed_up",
    });
    const late = new Date(Date.now() + 1_000);
    await report(context, invoice(1), payment({ ...invoice(2), at: late, paid_at: late }));
    expect(await outcomes(context)).toEqual({ in_1: "paid_before_referral", in_2: "commission" });
    expect(await referrals(context)).toMatchObject([{ processor_customer_id: "cus_1" }]);
  });
});

it("uses the email of the customer's record", async () => {
  const { email: _email, ...nameless } = await clickedCheckout();
  await report(context, { ...nameless, email: null });
  expect(await referrals(context)).toEqual([]);
  await report(context, customer({ subject: "cus_1", ...CUSTOMER }));
  expect(await referrals(context)).toHaveLength(1);
});
