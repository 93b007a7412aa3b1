/* The views of two affiliates of a customer that was moved from one to the other. */
import { beforeEach, expect, it } from "vitest";
import { moveCustomer } from "../../src/attribution/overrides/make.ts";
import type { CreationContext } from "../../src/commissions/create.ts";
import { getEarning, listEarnings } from "../../src/portal/earnings.ts";
import { listOwnReferrals } from "../../src/portal/referrals.ts";
import { listSubIds } from "../../src/portal/sub-ids.ts";
import { beforeEachInNewProgram } from "../attribution/new-program.ts";
import { addPartner, click, type Partner, payOut, referrals, report } from "../attribution/program.ts";
import { checkout, payment } from "../attribution/reported.ts";
import { sessionOf } from "./own-session.ts";

const DAY_MILLISECONDS = 24 * 60 * 60_000;
const CUSTOMER = { customer_id: "cus_1", email: "buyer@customers.test" };
const SUB_ID = "newsletter";
const REASON = "Agreed on the phone.";

let context: CreationContext;
let jane: Partner;
let sam: Partner;

beforeEachInNewProgram((program) => {
  ({ context, partner: jane } = program);
});

beforeEach(async () => {
  sam = await addPartner(context, { name: "Others" }, { email: "sam@partners.test", first_name: "Sam" });
});

const pay = (subject: string, at: Date) => report(context, payment({ subject, ...CUSTOMER, at }));

/** The customer comes through Jane's link with a sub-id, and pays. */
async function buyFromJane(): Promise<void> {
  const at = new Date(Date.now() - DAY_MILLISECONDS);
  const click_ids = [await click(context, { affiliate_id: jane.affiliate_id, at, sub_id: SUB_ID })];
  await report(context, checkout({ subject: "cs_1", ...CUSTOMER, click_ids, at }));
  await pay("in_1", at);
}

async function moveToSam(): Promise<void> {
  const [referral] = await referrals(context);
  await moveCustomer(context, {
    referral_id: referral?.id ?? "",
    affiliate_id: sam.affiliate_id,
    unpaid_commissions: true,
    reason: REASON,
    dry_run: false,
  });
}

/** Everything that an affiliate's portal shows of customers. */
async function portalOf({ affiliate_id }: Partner) {
  const session = await sessionOf(context, affiliate_id);
  const { data } = await listEarnings(context.database, session, { limit: 10 });
  return {
    referrals: (await listOwnReferrals(context.database, session, { limit: 10 })).data,
    earnings: await Promise.all(data.map(({ id }) => getEarning(context.database, session, id))),
    sub_ids: (await listSubIds(context.database, session)).sub_ids,
  };
}

function expectNothingOf(shown: object, hidden: readonly string[]): void {
  for (const text of hidden) expect(JSON.stringify(shown)).not.toContain(text);
}

it("shows the former affiliate nothing of the new one, and vice versa", async () => {
  await buyFromJane();
  await payOut(context);
  await moveToSam();
  await pay("in_2", new Date(Date.now() + DAY_MILLISECONDS));
  const [former, present] = [await portalOf(jane), await portalOf(sam)];
  expect(former).toMatchObject({
    referrals: [],
    earnings: [{ earning: { commission_amount: 30, payout: {} }, source: { sub_id: SUB_ID }, related: [] }],
  });
  expectNothingOf(former, [sam.affiliate_id, "Sam", "sam@", REASON]);
  expect(present).toMatchObject({
    referrals: [{ customer: CUSTOMER.email, earned: [{ amount: 30 }] }],
    earnings: [{ earning: { commission_amount: 30, payout: null }, source: null, related: [] }],
    sub_ids: [],
  });
  expectNothingOf(present, [jane.affiliate_id, SUB_ID, "partner@", REASON]);
});

it("shows commissions that were taken along to the new affiliate alone", async () => {
  await buyFromJane();
  await moveToSam();
  const [former, present] = [await portalOf(jane), await portalOf(sam)];
  expect(former).toMatchObject({ referrals: [], earnings: [] });
  expect(present).toMatchObject({ earnings: [{ source: null, related: [], entries: [{ amount: 30 }] }] });
  expectNothingOf(present, [jane.affiliate_id, SUB_ID]);
});
