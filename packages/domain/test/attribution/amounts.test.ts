/* Commission amounts, with refunds, disputes and payouts in between, and the events about them. */
import { transaction } from "@findersfee/database/postgres/connect";
import { describe, expect, it } from "vitest";
import { listCommissions } from "../../src/commissions/list.ts";
import type { Context } from "../../src/context.ts";
import { listReferrals } from "../../src/customers/referrals/list.ts";
import { settlePayouts } from "../postings.ts";
import { makeContext } from "../subscriber.ts";
import { beforeEachInNewProgram } from "./new-program.ts";
import {
  addPartner,
  balanceOf,
  click,
  commissions,
  outcomes,
  type Partner,
  payOut,
  report,
} from "./program.ts";
import { checkout, dispute, payment, refund, refundedTotal, second } from "./reported.ts";

let context: Context;
let partner: Partner;
let click_id: string;

const CUSTOMER = { customer_id: "cus_1", email: "buyer@customers.test" };

beforeEachInNewProgram((program) => {
  ({ context, partner, click_id } = program);
});

const checkedOut = (fields = {}) =>
  checkout({ subject: "cs_1", ...CUSTOMER, click_ids: [click_id], at: second(10), ...fields });

const paid = (fields = {}) =>
  payment({ subject: "in_1", ...CUSTOMER, at: second(20), references: ["pi_1"], ...fields });

const refunded = (amount_minor: bigint, fields = {}) =>
  refund({ subject: "re_1", amount_minor, at: second(50), references: ["pi_1"], ...fields });

async function cancelPayouts(): Promise<void> {
  await transaction(context.database, (sql) =>
    settlePayouts(sql, context.organization.id, { status: "canceled" }),
  );
}

describe("amounts", () => {
  const sum = (amount_minor: bigint) =>
    refundedTotal({ subject: "ch_1", amount_minor, at: second(30), references: ["pi_1"] });

  it("includes a refund without a charge in the charge's sum", async () => {
    await report(context, checkedOut(), paid(), sum(4_000n), refunded(4_000n, { at: second(30) }));
    expect(await balanceOf(context)).toBe(1_800n);
  });

  it("uses the larger of two sums of the same second", async () => {
    await report(context, checkedOut(), paid(), sum(4_000n));
    await report(context, sum(2_000n));
    expect(await balanceOf(context)).toBe(1_800n);
  });

  it("round the remainder half away from zero", async () => {
    await report(context, checkedOut(), paid({ revenue_minor: 10n, paid_minor: 10n }), refunded(5n));
    expect(await balanceOf(context)).toBe(2n);
  });

  it("of combined refunds and disputes never exceed the payment, also in a payout", async () => {
    await report(context, checkedOut(), paid());
    await payOut(context);
    const lost = dispute({ subject: "dp_1", amount_minor: 10_000n, at: second(60), references: ["pi_1"] });
    await report(context, refunded(4_000n), lost);
    expect(await balanceOf(context)).toBe(0n);
    await report(context, { ...lost, at: second(99), until: second(99) });
    expect(await balanceOf(context)).toBe(1_800n);
    await payOut(context);
    await report(context, refunded(4_000n, { at: second(120), until: second(120) }));
    expect(await balanceOf(context)).toBe(3_000n);
  });

  it("stay right when a payout is canceled after a reversal", async () => {
    await report(context, checkedOut(), paid());
    await payOut(context, "pending");
    await report(context, refunded(5_000n));
    await cancelPayouts();
    await report(
      context,
      refund({ subject: "re_2", amount_minor: 2_500n, at: second(70), references: ["pi_1"] }),
    );
    expect(await balanceOf(context)).toBe(750n);
    await report(
      context,
      refund({ subject: "re_3", amount_minor: 2_500n, at: second(80), references: ["pi_1"] }),
    );
    expect(await balanceOf(context)).toBe(0n);
  });

  it("that were paid to one affiliate move to the affiliate of an earlier checkout reported late", async () => {
    await report(context, checkedOut(), paid());
    await payOut(context);
    const other = await addPartner(context);
    const click_ids = [await click(context, { affiliate_id: other.affiliate_id, at: second(2) })];
    await report(context, checkout({ subject: "cs_0", ...CUSTOMER, click_ids, at: second(5) }));
    const rows = await commissions(context);
    const due = (id: string) =>
      rows.filter((row) => row.affiliate_id === id).reduce((all, row) => all + row.commission_minor, 0n);
    expect([due(partner.affiliate_id), due(other.affiliate_id)]).toEqual([0n, 3_000n]);
  });

  it("ignore ids of another organization", async () => {
    const first = context;
    await report(first, checkedOut(), paid());
    context = await makeContext(context.database);
    await addPartner(context);
    await report(context, checkedOut(), paid(), refunded(10_000n));
    expect(await outcomes(context)).toEqual({ in_1: "no_referral" });
    expect(await commissions(first)).toMatchObject([{ commission_minor: 3_000n, payout_status: "not_paid" }]);
  });
});

it("publishes events with the state after the whole batch", async () => {
  await report(context, checkedOut({ customer_id: null }), paid(), refunded(5_000n));
  const rows = await context.database<{ body: string }[]>`
    select body from events where organization_id = ${context.organization.id} order by id`;
  const bodies = rows
    .map(({ body }) => JSON.parse(body))
    .filter(({ type }) => !type.startsWith("affiliate."));
  const { affiliate: _, ...referral } = (await listReferrals(context, { limit: 10 })).data[0] ?? {};
  const { affiliate: __, ...commission } = (await listCommissions(context, { limit: 10 })).data[0] ?? {};
  expect(bodies).toMatchObject([
    { type: "referral.created", data: { ...referral, processor_customer_id: "cus_1" } },
    { type: "commission.created", data: { ...commission, commission_amount: 15, payout: null } },
    { type: "referral.converted", data: referral },
  ]);
});
