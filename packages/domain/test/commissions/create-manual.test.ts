/* The dashboard's form for a manual commission: one transaction for the customer and the commission. */
import { describe, expect, it } from "vitest";
import type { CreationContext } from "../../src/commissions/create.ts";
import { createManualCommission } from "../../src/commissions/create-manual.ts";
import { listCustomerPayments } from "../../src/commissions/customer-payments.ts";
import { createReferral } from "../../src/customers/referrals/create.ts";
import { beforeEachInNewProgram } from "../attribution/new-program.ts";
import {
  addPartner,
  balanceOf,
  commissions,
  outcomes,
  type Partner,
  referrals,
  report,
} from "../attribution/program.ts";
import { payment, refund } from "../attribution/reported.ts";

let context: CreationContext;
let partner: Partner;

beforeEachInNewProgram((program) => {
  ({ context, partner } = program);
});

const EMAIL = "dave@customers.test";

const paid = () =>
  payment({
    subject: "in_1",
    customer_id: "cus_1",
    email: EMAIL,
    at: new Date(Date.now() - 600_000),
    references: ["pi_1"],
  });

const create = (fields = {}) =>
  createManualCommission(context, {
    affiliate_id: partner.affiliate_id,
    customer_email: EMAIL,
    revenue_amount: 100,
    commission_amount: 50,
    currency: "USD",
    ...fields,
  });

it("makes a new customer a referral, and the commission has the payment that it names", async () => {
  await report(context, paid());
  const created = await create({ processor_payment_id: "pi_1" });
  expect(created).toMatchObject({ commission_amount: 50, referral: { email: EMAIL } });
  expect(await outcomes(context)).toEqual({ in_1: "commission_exists" });
  expect(await commissions(context)).toMatchObject([{ commission_minor: 5_000n, payout_status: "not_paid" }]);
  expect(await referrals(context)).toMatchObject([{ email: EMAIL, converted: true }]);
});

it("changes nothing if it is refused", async () => {
  await report(context, paid());
  await create({ processor_payment_id: "in_1" });
  const before = [await commissions(context), await referrals(context)];
  await expect(
    create({ customer_email: "someone@customers.test", processor_payment_id: "pi_1" }),
  ).rejects.toMatchObject({ code: "commission_exists" });
  expect([await commissions(context), await referrals(context)]).toEqual(before);
});

it("refuses a customer of another affiliate", async () => {
  const other = await addPartner(context);
  await createReferral(context, {
    affiliate_id: other.affiliate_id,
    email: EMAIL,
    subscription_status: "signed_up",
  });
  await expect(create()).rejects.toMatchObject({ code: "referral_exists" });
  expect(await commissions(context)).toEqual([]);
});

it("decides the other payments of the new referral in the same transaction", async () => {
  await report(context, paid());
  await create();
  expect(await outcomes(context)).toEqual({ in_1: "commission" });
  expect(await balanceOf(context)).toBe(5_000n + 3_000n);
});

describe("the payments of a customer", () => {
  const offered = () =>
    listCustomerPayments(context, { affiliate_id: partner.affiliate_id, customer_email: EMAIL });

  it("are free until one has a commission, with what was refunded", async () => {
    await report(
      context,
      paid(),
      refund({ subject: "re_1", amount_minor: 4_000n, references: ["pi_1"], at: new Date() }),
    );
    expect(await offered()).toMatchObject({
      holder: null,
      payments: [{ processor_payment_id: "in_1", is_free: true, taken_back_amount: 40 }],
    });
    const created = await create({ processor_payment_id: "in_1" });
    expect(created.commission_amount).toBe(30);
    expect(await offered()).toMatchObject({ payments: [{ is_free: false }] });
  });

  it("come with the affiliate who has the customer", async () => {
    const other = await addPartner(context, {}, { first_name: "Jane", last_name: "Roe" });
    await createReferral(context, {
      affiliate_id: other.affiliate_id,
      email: EMAIL,
      subscription_status: "signed_up",
    });
    expect(await offered()).toMatchObject({ holder: { name: "Jane Roe" }, payments: [] });
  });
});
