/* A customer's identity in any order of reports: ids of several kinds, changing emails, merging referrals. */
import { insertMessages } from "@findersfee/database/processors/messages";
import { describe, expect, it } from "vitest";
import type { PaymentFact } from "../../src/attribution/facts/payment-fact.ts";
import { type CreationContext, createCommission } from "../../src/commissions/create.ts";
import { createReferral } from "../../src/customers/referrals/create.ts";
import { getReferral } from "../../src/customers/referrals/get.ts";
import { listReferrals } from "../../src/customers/referrals/list.ts";
import { updateReferral } from "../../src/customers/referrals/update.ts";
import { linkPromoCode } from "../../src/processors/promo-codes/link.ts";
import { processWebhooks } from "../work.ts";
import { beforeEachInNewProgram } from "./new-program.ts";
import {
  addPartner,
  apply,
  click,
  commissions,
  eventTypes,
  outcomes,
  type Partner,
  referrals,
  report,
} from "./program.ts";
import { checkout, customer, payment, refund, second, subscription } from "./reported.ts";

let context: CreationContext;
let partner: Partner;
let click_id: string;

const CUSTOMER = { customer_id: "cus_1", email: "buyer@customers.test" };
const DAY = 24 * 60 * 60;
const WITH_CODES = { code_mode: "both", reference_coupon: "coupon" } as const;

beforeEachInNewProgram((program) => {
  ({ context, partner, click_id } = program);
});

let messages = 0;

/** Reports facts as the generic processor does. */
async function generic(...facts: PaymentFact[]): Promise<void> {
  const reported = facts.map((fact) => {
    messages += 1;
    return { processor: "generic" as const, message_id: `msg_${messages}`, fact };
  });
  await apply(context, reported);
}

async function earned(): Promise<Record<string, bigint>> {
  const rows = (await commissions(context)).filter(({ payout_status }) => payout_status !== "voided");
  return Object.fromEntries(rows.map((row) => [row.processor_payment_id, row.commission_minor]));
}

describe("ids of the generic processor", () => {
  it("a refund with the id of another payment does not reduce that payment", async () => {
    const other = { customer_id: "c_2", email: "two@customers.test" };
    await generic(
      checkout({ subject: "order_1", ...CUSTOMER, click_ids: [click_id], at: second(10) }),
      payment({ subject: "1", ...CUSTOMER, at: second(20) }),
      checkout({ subject: "order_2", ...other, click_ids: [click_id], at: second(10) }),
      payment({ subject: "2", ...other, at: second(20) }),
      refund({ subject: "1", amount_minor: 10_000n, references: ["2"] }),
    );
    expect(await earned()).toEqual({ 1: 3_000n });
  });

  it("a payment with the id of another customer does not belong to that customer", async () => {
    await generic(
      payment({ subject: "7", customer_id: "3", email: "a@customers.test" }),
      payment({ subject: "3", customer_id: "9", email: "b@customers.test" }),
      customer({ subject: "3", customer_id: "3", email: "a@customers.test" }),
    );
    const customers = await context.database`
      select distinct customer_id from payment_facts where organization_id = ${context.organization.id}`;
    expect(customers).toHaveLength(2);
  });

  it("a payment without a customer belongs to the customer of its subscription", async () => {
    const belongs_to = ["sub_1"];
    await generic(
      checkout({ subject: "order_1", ...CUSTOMER, click_ids: [click_id], at: second(10), belongs_to }),
      payment({ subject: "inv_1", at: second(20), belongs_to }),
    );
    expect(await outcomes(context)).toEqual({ inv_1: "commission" });
  });

  it("a refund reduces only the payment that it names", async () => {
    await generic(
      checkout({ subject: "order_1", ...CUSTOMER, click_ids: [click_id], at: second(10) }),
      payment({ subject: "in_1", ...CUSTOMER, at: second(20), references: ["deal_1"] }),
      payment({ subject: "in_2", ...CUSTOMER, at: second(21), references: ["deal_1"] }),
      refund({ subject: "re_1", amount_minor: 10_000n, references: ["in_2"] }),
    );
    expect(await earned()).toEqual({ in_1: 3_000n });
  });

  it("a payment may share its id with a payment of another processor", async () => {
    await report(context, checkout({ subject: "cs_1", ...CUSTOMER, click_ids: [click_id], at: second(10) }));
    await report(context, payment({ subject: "1001", ...CUSTOMER, at: second(20) }));
    await generic(payment({ subject: "1001", ...CUSTOMER, at: second(30) }));
  });
});

describe("a customer that changes at the processor", () => {
  const fields = { subject: "cus_1", ...CUSTOMER, created_at: second(0) };
  const promo_codes = [{ external_id: null, code: "CODE" }];

  const nameless = () => [
    checkout({ subject: "cs_1", customer_id: "cus_1", click_ids: [click_id], at: second(10) }),
    payment({ subject: "in_1", customer_id: "cus_1", at: second(20) }),
  ];

  it("is referred from the use of the code, not from its creation", async () => {
    await addPartner(context, WITH_CODES, { promo_code: "CODE" });
    await report(context, customer(fields), payment({ subject: "in_1", ...CUSTOMER, at: second(30 * DAY) }));
    await report(context, customer({ ...fields, at: second(150 * DAY), promo_codes }));
    expect(await outcomes(context)).toEqual({ in_1: "no_referral" });
  });

  it("stays a referral after the end of the discount", async () => {
    await addPartner(context, WITH_CODES, { promo_code: "CODE" });
    await report(context, customer({ ...fields, promo_codes }));
    await report(context, payment({ subject: "in_1", ...CUSTOMER, at: second(30 * DAY) }));
    await report(context, customer({ ...fields, at: second(40 * DAY) }));
    expect(await outcomes(context)).toEqual({ in_1: "commission" });
  });

  it("stays a referral when its email is deleted", async () => {
    await report(context, customer(fields), ...nameless());
    expect(await outcomes(context)).toEqual({ in_1: "commission" });
    await report(context, customer({ ...fields, email: null, at: second(30), rank: 2 }));
    expect(await outcomes(context)).toEqual({ in_1: "commission" });
  });

  it("keeps earlier decisions when its email changes", async () => {
    const own = await addPartner(context, {}, { email: "own@partners.test" });
    click_id = await click(context, { affiliate_id: own.affiliate_id, at: second(1) });
    await report(context, customer(fields), ...nameless());
    await report(context, customer({ ...fields, email: "own@partners.test", at: second(30) }));
    expect(await outcomes(context)).toEqual({ in_1: "commission" });
  });
});

describe("the order of reports", () => {
  it("a repeated message changes nothing", async () => {
    const events = [
      payment({ subject: "in_1", email: "a@x.test", click_ids: [click_id], at: second(10) }),
      payment({ subject: "in_2", customer_id: "cus_1", at: second(20) }),
      checkout({ subject: "cs_1", customer_id: "cus_1", email: "a@x.test", at: second(30) }),
    ];
    await report(context, ...events);
    const before = await outcomes(context);
    await report(context, ...events);
    expect(await outcomes(context)).toEqual(before);
  });

  async function strangers() {
    const other = await addPartner(context);
    const other_click = await click(context, { affiliate_id: other.affiliate_id, at: second(2) });
    return {
      of_other: checkout({
        subject: "cs_1",
        customer_id: "cus_1",
        email: "c@x.test",
        click_ids: [other_click],
      }),
      guest: checkout({ subject: "cs_2", email: "a@x.test", click_ids: [click_id] }),
      paid: payment({ subject: "in_1", email: "a@x.test", at: second(20) }),
      same: checkout({ subject: "cs_3", customer_id: "cus_1", email: "a@x.test", at: second(30) }),
    };
  }

  it("a guest has the same affiliate in any order", async () => {
    const { of_other, guest, paid, same } = await strangers();
    for (const fact of [guest, same, of_other, paid]) await report(context, fact);
    expect(await commissions(context)).toMatchObject([{ affiliate_id: partner.affiliate_id }]);
  });

  it("a referral has the email of its checkout", async () => {
    const by = { customer_id: "cus_1", click_ids: [click_id] };
    await report(context, checkout({ subject: "cs_2", ...by, email: "b@x.test", at: second(30) }));
    await report(context, checkout({ subject: "cs_1", ...by, email: "a@x.test", at: second(10) }));
    expect(await referrals(context)).toMatchObject([{ email: "a@x.test" }]);
  });

  it("two referrals of one customer are merged", async () => {
    const other = await addPartner(context);
    const other_click = await click(context, { affiliate_id: other.affiliate_id, at: second(2) });
    const events = [
      checkout({ subject: "cs_1", email: "a@x.test", click_ids: [click_id], at: second(10) }),
      payment({ subject: "in_1", customer_id: "cus_1", email: "a@x.test", at: second(20) }),
      checkout({
        subject: "cs_2",
        customer_id: "cus_1",
        email: "b@x.test",
        click_ids: [other_click],
        at: second(30),
      }),
      payment({ subject: "in_2", customer_id: "cus_1", email: "b@x.test", at: second(40) }),
      subscription({ subject: "sub_1", customer_id: "cus_1", at: second(45) }),
    ];
    for (const fact of events.reverse()) await report(context, fact);
    const living = (await referrals(context)).find(({ superseded }) => !superseded);
    expect(living).toMatchObject({
      email: "a@x.test",
      processor_customer_id: "cus_1",
      subscription_status: "active",
      converted: true,
    });
  });

  it("a merged referral is in no list, and its id returns the reason", async () => {
    const other = await addPartner(context);
    const other_click = await click(context, { affiliate_id: other.affiliate_id, at: second(2) });
    const known = { customer_id: "cus_1", email: "b@x.test", click_ids: [other_click] };
    await report(
      context,
      checkout({ subject: "cs_1", email: "a@x.test", click_ids: [click_id], at: second(10) }),
      checkout({ subject: "cs_2", ...known, at: second(30) }),
    );
    expect(await referrals(context)).toMatchObject([{ superseded: false }, { superseded: false }]);
    await report(
      context,
      payment({ subject: "in_1", customer_id: "cus_1", email: "a@x.test", at: second(20) }),
    );
    const [, superseded] = await referrals(context);
    expect(superseded).toMatchObject({ email: "b@x.test", superseded: true });
    const id = superseded?.id ?? "";
    const listed = await listReferrals(context, { page: 1, limit: 10 });
    expect(listed).toMatchObject({ data: [{ email: "a@x.test" }], pagination: { total_count: 1 } });
    const gone = { code: "not_found", message: expect.stringContaining("has been replaced") };
    await expect(getReferral(context, id)).rejects.toMatchObject(gone);
    await expect(updateReferral(context, { id, email: "c@x.test" })).rejects.toMatchObject(gone);
    const amounts = { revenue_amount: 1, commission_amount: 1 };
    await expect(createCommission(context, { referral_id: id, ...amounts })).rejects.toMatchObject(gone);
    await createReferral(context, {
      affiliate_id: partner.affiliate_id,
      email: "b@x.test",
      subscription_status: "signed_up",
    });
  });

  const soon = (seconds: number) => new Date(Date.now() + seconds * 1000);

  /** A customer; no event names both the email and the id. */
  async function createManualReferral(): Promise<void> {
    const once = await addPartner(context, { limit_type: "payments", limit_amount: 1 });
    await createReferral(context, {
      affiliate_id: once.affiliate_id,
      email: "a@x.test",
      processor_customer_id: "cus_b",
      subscription_status: "signed_up",
    });
  }

  it("a referral has one limit for its email and its customer id", async () => {
    await createManualReferral();
    await report(
      context,
      payment({ subject: "in_2", customer_id: "cus_b", email: "b@x.test", at: soon(20) }),
    );
    await report(context, payment({ subject: "in_1", email: "a@x.test", at: soon(10) }));
    expect(await outcomes(context)).toEqual({ in_1: "commission", in_2: "limit_reached" });
  });

  it("a referral converts once, also with concurrent payments", async () => {
    await createManualReferral();
    await report(
      context,
      payment({ subject: "in_1", email: "a@x.test", at: soon(10) }),
      payment({ subject: "in_2", customer_id: "cus_b", email: "b@x.test", at: soon(20) }),
    );
    const conversions = (await eventTypes(context)).filter((type) => type === "referral.converted");
    expect(conversions).toHaveLength(1);
  });

  it("emails are compared in Postgres's lower case", async () => {
    for (const email of ["İ@x.test", "i@x.test", "ΑΣ@x.test", "ασ@x.test", "ας@x.test"]) {
      await report(context, checkout({ subject: email, email, click_ids: [click_id], at: second(10) }));
    }
    expect(await referrals(context)).toHaveLength(3);
  });

  it("a promotion code of Stripe applies to a checkout of the same batch", async () => {
    await addPartner(context, WITH_CODES, { promo_code: "HAND" });
    const session = { id: "cs_1", created: 1_767_000_100, mode: "subscription", payment_status: "paid" };
    const who = { customer: "cus_1", customer_email: "a@x.test" };
    await store([
      ["promotion_code.created", { id: "promo_1", code: "HAND", active: true, coupon: "coupon" }],
      ["checkout.session.completed", { ...session, ...who, discounts: [{ promotion_code: "promo_1" }] }],
    ]);
    expect(await processWebhooks(context.database, context.organization.id)).toMatchObject({ done: 2 });
    expect(await referrals(context)).toHaveLength(1);
  });

  it("a promotion code applies to a checkout that was reported before it", async () => {
    const { affiliate_id } = await addPartner(context, WITH_CODES, { promo_code: "HAND" });
    const session = { id: "cs_1", created: 1_767_000_100, mode: "subscription", payment_status: "paid" };
    const who = { customer: "cus_1", customer_email: "a@x.test" };
    await store([
      ["checkout.session.completed", { ...session, ...who, discounts: [{ promotion_code: "promo_1" }] }],
    ]);
    await report(context, payment({ subject: "in_1", ...who, customer_id: "cus_1", at: second(20) }));
    expect(await processWebhooks(context.database, context.organization.id)).toMatchObject({ done: 1 });
    expect(await outcomes(context)).toEqual({ in_1: "no_referral" });
    await store([
      ["promotion_code.created", { id: "promo_1", code: "hand", active: true, coupon: "coupon" }],
    ]);
    expect(await processWebhooks(context.database, context.organization.id)).toMatchObject({ done: 1 });
    expect(await outcomes(context)).toEqual({ in_1: "commission" });
    expect(await commissions(context)).toMatchObject([{ affiliate_id, payout_status: "not_paid" }]);
  });

  it("a replaced promotion code still applies", async () => {
    const { affiliate_id } = await addPartner(context, WITH_CODES, { promo_code: "HAND" });
    for (const external_id of ["promo_1", "promo_2"]) {
      await linkPromoCode(context, { affiliate_id, external_id, code: external_id });
    }
    const promo_codes = [{ external_id: "promo_1", code: null }];
    await report(context, checkout({ subject: "cs_1", ...CUSTOMER, promo_codes, at: second(10) }));
    expect(await referrals(context)).toMatchObject([{ affiliate_id }]);
  });

  it("a manually linked code applies to earlier uses", async () => {
    const { affiliate_id } = await addPartner(context, WITH_CODES, { promo_code: "HAND" });
    const promo_codes = [{ external_id: "promo_1", code: null }];
    await report(
      context,
      customer({ subject: "cus_1", ...CUSTOMER, promo_codes, at: second(10) }),
      payment({ subject: "in_1", ...CUSTOMER, at: second(20) }),
    );
    expect(await commissions(context)).toEqual([]);
    await linkPromoCode(context, { affiliate_id, external_id: "promo_1" });
    expect(await commissions(context)).toMatchObject([{ affiliate_id, processor_payment_id: "in_1" }]);
  });

  async function store(events: [type: string, object: object][]): Promise<void> {
    const now = new Date();
    const stored = events.map(([type, object], index) => ({
      processor: "stripe" as const,
      id: `evt_${type}_${index}`,
      type,
      account: null,
      body: JSON.stringify({ type, created: 1_767_000_000 + index * 100, data: { object } }),
      state: "received" as const,
      reason: null,
      occurred_at: now,
      received_at: now,
      due_at: now,
    }));
    await insertMessages(context.database, context.organization.id, { source: "webhook", messages: stored });
  }
});
