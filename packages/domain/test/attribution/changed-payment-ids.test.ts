/* A manual commission whose payment id somebody changes from one reported payment to another: it is of the one that it shows. */
import { describe, expect, it } from "vitest";
import { type CreationContext, createCommission } from "../../src/commissions/create.ts";
import { updateCommission } from "../../src/commissions/update.ts";
import { createReferral } from "../../src/customers/referrals/create.ts";
import { verifyLedger } from "../../src/ledger/verify.ts";
import { beforeEachInNewProgram } from "./new-program.ts";
import { commissions, outcomes, type Partner, payOut, report } from "./program.ts";
import { link, payment, refund, second } from "./reported.ts";

let context: CreationContext;
let partner: Partner;

beforeEachInNewProgram((program) => {
  ({ context, partner } = program);
});

const KIM = { customer_id: "cus_kim", email: "kim@customers.test" };
const LEE = { customer_id: "cus_lee", email: "lee@customers.test" };

/** 100.00. */
const paid = (number: number, of: typeof KIM) =>
  payment({ subject: `in_${number}`, ...of, at: second(20 + number), references: [`pi_${number}`] });
const refunded = (number: number, amount_minor: bigint) =>
  refund({ subject: `re_${number}`, amount_minor, at: second(50), references: [`pi_${number}`] });

/** A commission of 30.00 for `in_1`. */
async function createByHand(): Promise<string> {
  const { id: referral_id } = await createReferral(context, {
    affiliate_id: partner.affiliate_id,
    email: "max@customers.test",
    subscription_status: "active",
  });
  const made = { referral_id, revenue_amount: 100, commission_amount: 30, processor_payment_id: "in_1" };
  return (await createCommission(context, made)).id;
}

const changeTo = (id: string, processor_payment_id: string | null) =>
  updateCommission(context, { id, processor_payment_id });

/** What is left of it, in minor units, paid and unpaid. */
async function left(): Promise<bigint> {
  return (await commissions(context)).reduce(
    (sum, row) => (row.payout_status === "voided" ? sum : sum + row.commission_minor),
    0n,
  );
}

async function manualOf(): Promise<string[]> {
  const rows = await context.database<{ payment_id: string }[]>`
    select payment_id from payment_decisions
    where organization_id = ${context.organization.id} and manual_commission_id is not null and replaced_at is null`;
  return rows.map(({ payment_id }) => payment_id);
}

async function expectSound(): Promise<void> {
  const found = await verifyLedger(context.database, context.organization.id);
  expect(found.filter(({ rows }) => rows.length > 0)).toEqual([]);
}

describe.each([
  ["one customer", KIM, KIM],
  ["two customers", KIM, LEE],
])("between payments of %s", (_, one, two) => {
  it("follows the refunds of the payment that it shows", async () => {
    await report(context, paid(1, one), paid(2, two));
    const id = await createByHand();
    await changeTo(id, "in_2");
    expect(await manualOf()).toEqual(["in_2"]);
    await report(context, refunded(1, 10_000n));
    expect(await left()).toBe(3_000n);
    await report(context, refunded(2, 4_000n));
    expect(await left()).toBe(1_800n);
    await expectSound();
  });

  it("has its amounts back that refunds of the former payment took, and loses those of the new one", async () => {
    await report(context, paid(1, one), paid(2, two), refunded(1, 10_000n), refunded(2, 5_000n));
    const id = await createByHand();
    expect(await left()).toBe(0n);
    await changeTo(id, "in_2");
    expect(await left()).toBe(1_500n);
    await changeTo(id, "in_1");
    expect(await left()).toBe(0n);
    expect(await manualOf()).toEqual(["in_1"]);
    await expectSound();
  });

  it("keeps amounts that a person set, without the former payment's refunds", async () => {
    await report(context, paid(1, one), paid(2, two), refunded(1, 5_000n));
    const id = await createByHand();
    await updateCommission(context, { id, commission_amount: 10 });
    await changeTo(id, "in_2");
    expect(await left()).toBe(1_000n);
    await report(context, refunded(2, 5_000n));
    expect(await left()).toBe(500n);
    await expectSound();
  });

  it("leaves neither payment for another commission, also by a name that is reported later", async () => {
    await report(context, paid(1, one), paid(2, two));
    const id = await createByHand();
    await changeTo(id, "in_2");
    await report(context, link({ subject: "ch_1", references: ["pi_1"], at: second(30) }));
    expect(await outcomes(context)).toEqual({ in_1: "commission_exists", in_2: "commission_exists" });
    for (const name of ["in_1", "pi_1", "in_2", "pi_2"]) {
      const made = { referral_id: (await referralId()) ?? "", revenue_amount: 1, commission_amount: 1 };
      await expect(createCommission(context, { ...made, processor_payment_id: name })).rejects.toMatchObject({
        code: "commission_exists",
      });
    }
    expect((await commissions(context)).length).toBe(1);
    await expectSound();
  });

  it("waits for the report of the new payment, and follows the former one until then", async () => {
    await report(context, paid(1, one));
    const id = await createByHand();
    await changeTo(id, "pi_2");
    await report(context, refunded(1, 5_000n));
    expect(await left()).toBe(1_500n);
    await report(context, paid(2, two));
    expect(await left()).toBe(3_000n);
    await report(context, refunded(2, 10_000n), refunded(1, 6_000n));
    expect(await left()).toBe(0n);
    expect(await manualOf()).toEqual(["in_2"]);
    await expectSound();
  });

  it("goes to the new payment if both are reported at the same time", async () => {
    await report(context, paid(1, one));
    const id = await createByHand();
    await changeTo(id, "pi_2");
    await report(context, refunded(1, 5_000n), paid(2, two), refunded(2, 2_000n));
    expect(await left()).toBe(2_400n);
    expect(await manualOf()).toEqual(["in_2"]);
    await expectSound();
  });

  it("stays with its payment when its id is cleared", async () => {
    await report(context, paid(1, one), paid(2, two));
    const id = await createByHand();
    await changeTo(id, "in_2");
    await changeTo(id, null);
    await report(context, refunded(1, 10_000n), refunded(2, 5_000n));
    expect(await left()).toBe(1_500n);
    expect(await manualOf()).toEqual(["in_2"]);
    await expectSound();
  });

  it("is netted by the refunds of the payment that it shows after its payout", async () => {
    await report(context, paid(1, one), paid(2, two));
    const id = await createByHand();
    await changeTo(id, "in_2");
    await payOut(context);
    await report(context, refunded(1, 10_000n), refunded(2, 5_000n));
    expect(await left()).toBe(1_500n);
    await expectSound();
  });
});

async function referralId(): Promise<string | undefined> {
  const [row] = await context.database<{ id: string }[]>`
    select id from referrals where organization_id = ${context.organization.id}`;
  return row?.id;
}
