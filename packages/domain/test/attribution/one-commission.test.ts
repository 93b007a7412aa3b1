/* One payment has many names and one commission, in any order of its reports and of manual commissions. */
import { transaction } from "@findersfee/database/postgres/connect";
import { describe, expect, it } from "vitest";
import { type CreationContext, createCommission } from "../../src/commissions/create.ts";
import { listCommissions } from "../../src/commissions/list.ts";
import { setCommissionStatuses } from "../../src/commissions/set-status.ts";
import { updateCommission } from "../../src/commissions/update.ts";
import { createReferral } from "../../src/customers/referrals/create.ts";
import { settlePayouts } from "../postings.ts";
import { beforeEachInNewProgram } from "./new-program.ts";
import { balanceOf, commissions, outcomes, type Partner, payOut, report } from "./program.ts";
import { charge, checkout, dispute, link, payment, refund, second } from "./reported.ts";

let context: CreationContext;
let partner: Partner;
let click_id: string;

beforeEachInNewProgram((program) => {
  ({ context, partner, click_id } = program);
});

const CUSTOMER = { customer_id: "cus_1", email: "buyer@customers.test" };

const invoice = (fields = {}) =>
  payment({ subject: "in_1", ...CUSTOMER, at: second(20), references: ["pi_1", "ch_1"], ...fields });

const refunded = (amount_minor: bigint, fields = {}) =>
  refund({ subject: "re_1", amount_minor, at: second(50), references: ["pi_1"], ...fields });

/** A referral by API from before all payments. */
async function refer(fields = {}): Promise<string> {
  const { id } = await createReferral(context, {
    email: CUSTOMER.email,
    affiliate_id: partner.affiliate_id,
    subscription_status: "signed_up",
    ...fields,
  });
  await context.database`
    update referrals set signup_date = ${second(0)}, created_at = ${second(0)} where id = ${id}`;
  return id;
}

const byHand = (referral_id: string, processor_payment_id: string) =>
  createCommission(context, {
    referral_id,
    revenue_amount: 100,
    commission_amount: 30,
    processor_payment_id,
  });

async function live(): Promise<(string | null)[]> {
  const { data } = await listCommissions(context, { limit: 10 });
  return data.filter((row) => row.payout_status !== "voided").map((row) => row.processor_payment_id);
}

describe("after its report, a payment's commission excludes another one", () => {
  it.each(["in_1", "pi_1", "ch_1"])("for %s of an invoice", async (name) => {
    const referral_id = await refer();
    await report(context, invoice());
    const [commission] = (await listCommissions(context, { limit: 10 })).data;
    await expect(byHand(referral_id, name)).rejects.toMatchObject({
      code: "commission_exists",
      details: { commission_id: commission?.id },
    });
    await report(context, invoice({ at: second(21) }));
    expect(await live()).toEqual(["in_1"]);
  });

  it.each(["pi_1", "ch_1", "cs_1"])("for %s of a one-time checkout", async (name) => {
    const referral_id = await refer();
    await report(
      context,
      checkout({ subject: "cs_1", ...CUSTOMER, at: second(10), references: ["pi_1"] }),
      payment({ subject: "pi_1", ...CUSTOMER, at: second(20), references: ["pi_1"] }),
      link({ subject: "pi_1", references: ["ch_1"] }),
    );
    await expect(byHand(referral_id, name)).rejects.toMatchObject({ code: "commission_exists" });
    expect(await live()).toEqual(["pi_1"]);
  });

  it("for a name that a later report tells", async () => {
    const referral_id = await refer();
    await report(context, invoice({ references: ["pi_1"] }));
    await report(
      context,
      charge({ subject: "ch_9", payment_id: "pi_1", is_intent: false, references: ["pi_1"] }),
    );
    await expect(byHand(referral_id, "ch_9")).rejects.toMatchObject({ code: "commission_exists" });
  });

  it("for a charge that is only supposed to pay an invoice", async () => {
    const referral_id = await refer();
    await report(
      context,
      invoice({ references: [], names_no_charge: true }),
      charge({ subject: "pi_7", ...CUSTOMER, at: second(21) }),
    );
    await expect(byHand(referral_id, "pi_7")).rejects.toMatchObject({ code: "commission_exists" });
    expect(await live()).toEqual(["in_1"]);
  });

  it("also if its own name was changed or cleared", async () => {
    const referral_id = await refer();
    await report(context, invoice());
    const [commission] = (await listCommissions(context, { limit: 10 })).data;
    for (const processor_payment_id of ["agreement 7", null]) {
      await updateCommission(context, { id: commission?.id ?? "", processor_payment_id });
      await expect(byHand(referral_id, "in_1")).rejects.toMatchObject({ code: "commission_exists" });
    }
    await expect(byHand(referral_id, "agreement 7")).rejects.toMatchObject({ code: "commission_exists" });
  });
});

describe("a commission by hand has the payment that it names", () => {
  it.each(["in_1", "pi_1", "ch_1"])("before the report, by %s", async (name) => {
    const referral_id = await refer();
    await byHand(referral_id, name);
    await report(context, invoice());
    expect(await live()).toEqual([name]);
    expect(await outcomes(context)).toEqual({ in_1: "commission_exists" });
    for (const other of ["in_1", "pi_1", "ch_1"]) {
      await expect(byHand(referral_id, other)).rejects.toMatchObject({ code: "commission_exists" });
    }
  });

  it.each(["in_1", "pi_1", "ch_1"])("after the report of one that earned nothing, by %s", async (name) => {
    await report(context, invoice());
    expect(await outcomes(context)).toEqual({ in_1: "no_referral" });
    const referral_id = await refer();
    await byHand(referral_id, name);
    expect(await outcomes(context)).toEqual({ in_1: "commission_exists" });
    await report(context, invoice({ at: second(21) }));
    expect(await live()).toEqual([name]);
  });

  it("and another one that turns out to name it is void, and stays so", async () => {
    const referral_id = await refer();
    await byHand(referral_id, "pi_1");
    const { id } = await byHand(referral_id, "ch_1");
    await report(context, invoice());
    expect(await live()).toEqual(["pi_1"]);
    await expect(
      setCommissionStatuses(context, { ids: [id], payout_status: "not_paid" }),
    ).rejects.toMatchObject({ code: "commission_exists" });
    await report(context, invoice({ at: second(21) }));
    expect(await live()).toEqual(["pi_1"]);
  });

  it("and the payment's own one is reversed if it was paid before the two were linked", async () => {
    const referral_id = await refer();
    await report(context, invoice({ references: [] }));
    await payOut(context);
    await byHand(referral_id, "pi_1");
    await report(context, invoice({ at: second(21) }));
    expect(await balanceOf(context)).toBe(3_000n);
  });
});

it("one of many concurrent commissions of a payment succeeds, whatever its names", async () => {
  await report(context, invoice());
  const referral_id = await refer();
  const names = ["in_1", "pi_1", "ch_1", "in_1", "pi_1", "ch_1"];
  const results = await Promise.allSettled(names.map((name) => byHand(referral_id, name)));
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(await live()).toHaveLength(1);
});

describe("refunds and disputes reach a commission by hand", () => {
  const lost = dispute({ subject: "dp_1", amount_minor: 10_000n, at: second(50), references: ["pi_1"] });

  it.each([
    ["in part", refunded(5_000n), 1_500n],
    ["whole", refunded(10_000n), 0n],
    ["by a dispute", lost, 0n],
  ])("%s, in any order", async (_, reversal, left) => {
    const referral_id = await refer();
    const created = await byHand(referral_id, "in_1");
    await report(context, invoice());
    await report(context, reversal);
    expect(await balanceOf(context)).toBe(left);
    expect((await commissions(context)).map((row) => row.payout_status)).toEqual([
      left === 0n ? "voided" : "not_paid",
    ]);
    await report(context, { ...reversal, at: second(99), until: second(99) });
    expect(await balanceOf(context)).toBe(3_000n);
    expect(created.commission_amount).toBe(30);
  });

  it("before the commission is made", async () => {
    await report(context, invoice(), refunded(5_000n));
    const created = await byHand(await refer(), "pi_1");
    expect(created).toMatchObject({ revenue_amount: 50, commission_amount: 15 });
    expect(await balanceOf(context)).toBe(1_500n);
    const events = await context.database<{ body: string }[]>`
      select body from events where organization_id = ${context.organization.id} and type = 'commission.created'`;
    expect(events.map(({ body }) => JSON.parse(body).data.commission_amount)).toEqual([15]);
  });

  it("before the payment is reported", async () => {
    const referral_id = await refer();
    await byHand(referral_id, "pi_1");
    await report(context, refunded(5_000n));
    expect(await balanceOf(context)).toBe(3_000n);
    await report(context, invoice());
    expect(await balanceOf(context)).toBe(1_500n);
  });

  it("after it was paid", async () => {
    const referral_id = await refer();
    await byHand(referral_id, "in_1");
    await report(context, invoice());
    await payOut(context);
    await report(context, refunded(10_000n));
    expect(await commissions(context)).toMatchObject([
      { commission_minor: 3_000n, payout_status: "paid" },
      { commission_minor: -3_000n, payout_status: "not_paid", is_reversal: true },
    ]);
  });

  it("also after another field was corrected", async () => {
    const referral_id = await refer();
    const { id } = await byHand(referral_id, "in_1");
    await report(context, invoice());
    await payOut(context, "pending");
    await report(context, refunded(5_000n));
    await transaction(context.database, (sql) =>
      settlePayouts(sql, context.organization.id, { status: "canceled" }),
    );
    await updateCommission(context, { id, referral_date: second(30).toISOString() });
    await report(context, invoice({ at: second(70) }));
    expect(await balanceOf(context)).toBe(1_500n);
  });

  it("from the amounts that people set last", async () => {
    const referral_id = await refer();
    const { id } = await byHand(referral_id, "in_1");
    await report(context, invoice(), refunded(5_000n));
    await updateCommission(context, { id, commission_amount: 10 });
    await report(context, refunded(2_500n, { subject: "re_2", at: second(60) }));
    expect(await balanceOf(context)).toBe(500n);
  });
});

describe("taking back a void is an undo", () => {
  const setStatus = async (payout_status: "voided" | "not_paid") => {
    const { data } = await listCommissions(context, { limit: 10 });
    const [original] = data.filter(({ commission_amount }) => commission_amount > 0);
    await updateCommission(context, { id: original?.id ?? "", payout_status });
  };
  const checkedOut = () =>
    checkout({ subject: "cs_1", ...CUSTOMER, click_ids: [click_id], at: second(10), opened_at: second(10) });

  it("after a refund", async () => {
    await report(context, checkedOut(), invoice(), refunded(5_000n));
    await setStatus("voided");
    await setStatus("not_paid");
    expect(await balanceOf(context)).toBe(1_500n);
    await report(context, refunded(2_500n, { subject: "re_2", at: second(60) }));
    expect(await balanceOf(context)).toBe(750n);
  });

  it("if the refund comes between", async () => {
    await report(context, checkedOut(), invoice());
    await setStatus("voided");
    await report(context, refunded(5_000n));
    await setStatus("not_paid");
    expect(await balanceOf(context)).toBe(1_500n);
  });

  it("after a dispute", async () => {
    await report(
      context,
      checkedOut(),
      invoice(),
      dispute({ subject: "dp_1", amount_minor: 6_000n, at: second(50), references: ["pi_1"] }),
    );
    await setStatus("voided");
    await setStatus("not_paid");
    expect(await balanceOf(context)).toBe(1_200n);
  });

  it("of corrected amounts", async () => {
    await report(context, checkedOut(), invoice());
    const [{ id } = { id: "" }] = (await listCommissions(context, { limit: 10 })).data;
    await updateCommission(context, { id, commission_amount: 10 });
    await report(context, refunded(5_000n));
    await setStatus("voided");
    await setStatus("not_paid");
    expect(await balanceOf(context)).toBe(500n);
  });

  it("of a commission by hand", async () => {
    const referral_id = await refer();
    await byHand(referral_id, "in_1");
    await report(context, invoice(), refunded(5_000n));
    await setStatus("voided");
    await setStatus("not_paid");
    expect(await balanceOf(context)).toBe(1_500n);
  });

  it("and restores the amounts it shows if its payment earns nothing", async () => {
    await report(context, checkedOut(), invoice(), refunded(10_000n));
    await setStatus("not_paid");
    expect(await balanceOf(context)).toBe(3_000n);
    await report(context, invoice({ at: second(70) }));
    expect(await balanceOf(context)).toBe(3_000n);
  });
});
