/* A move of a customer after a former affiliate was paid for a payment. */
import { expect, it } from "vitest";
import { moveCustomer } from "../../src/attribution/overrides/make.ts";
import type { CreationContext } from "../../src/commissions/create.ts";
import { verifyLedger } from "../../src/ledger/verify.ts";
import { beforeEachInNewProgram } from "./new-program.ts";
import { addPartner, click, commissions, type Partner, payOut, referrals, report } from "./program.ts";
import { checkout, payment, second } from "./reported.ts";

let context: CreationContext;
let first: Partner;
let click_id: string;

beforeEachInNewProgram((program) => {
  ({ context, partner: first, click_id } = program);
});

const CUSTOMER = { customer_id: "cus_1", email: "buyer@customers.test" };

/** The unpaid and paid amounts of each affiliate. */
async function sumsOf(names: Record<string, string>): Promise<Record<string, string>> {
  const sums: Record<string, { unpaid: bigint; paid: bigint }> = {};
  for (const { affiliate_id, commission_minor, payout_status } of await commissions(context)) {
    const name = names[affiliate_id] ?? affiliate_id;
    const sum = sums[name] ?? { unpaid: 0n, paid: 0n };
    sums[name] = sum;
    if (payout_status === "paid") sum.paid += commission_minor;
    if (payout_status === "not_paid") sum.unpaid += commission_minor;
  }
  return Object.fromEntries(
    Object.entries(sums).map(([name, { unpaid, paid }]) => [name, `${unpaid} unpaid, ${paid} paid`]),
  );
}

it("takes along the commission of the affiliate that has it now", async () => {
  const present = await addPartner(context, { commission_amount: 20 } as never);
  const next = await addPartner(context, { commission_amount: 10 } as never);
  const names = {
    [first.affiliate_id]: "first",
    [present.affiliate_id]: "present",
    [next.affiliate_id]: "next",
  };
  const older = await click(context, { affiliate_id: present.affiliate_id, at: second(1) });
  await report(context, checkout({ subject: "cs_1", ...CUSTOMER, click_ids: [click_id], at: second(10) }));
  await report(context, payment({ subject: "in_1", ...CUSTOMER, at: second(20) }));
  await payOut(context);
  await report(context, checkout({ subject: "cs_0", ...CUSTOMER, click_ids: [older], at: second(5) }));
  expect(await sumsOf(names)).toEqual({
    first: "-3000 unpaid, 3000 paid",
    present: "2000 unpaid, 0 paid",
  });

  const [referral] = (await referrals(context)).filter(({ superseded }) => !superseded);
  await moveCustomer(context, {
    referral_id: referral?.id ?? "",
    affiliate_id: next.affiliate_id,
    unpaid_commissions: true,
    reason: "agreed on the phone",
    dry_run: false,
  });
  const sums = await sumsOf(names);
  expect(sums.first).toBe("-3000 unpaid, 3000 paid");
  expect(sums.present ?? "0 unpaid, 0 paid").toBe("0 unpaid, 0 paid");
  expect(sums.next).toBe("1000 unpaid, 0 paid");
  const wrong = (await verifyLedger(context.database, context.organization.id)).filter(
    ({ rows }) => rows.length > 0,
  );
  expect(wrong).toEqual([]);
});
