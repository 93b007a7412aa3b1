/* A ban voids the money that came back after a payout, of a recruit and of its recruiter. */
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { moveCustomer } from "../../src/attribution/overrides/make.ts";
import { banAffiliates, unbanAffiliates } from "../../src/ban-affiliates.ts";
import type { CreationContext } from "../../src/commissions/create.ts";
import { updateCommission } from "../../src/commissions/update.ts";
import { eraseAffiliate } from "../../src/erasure/affiliate.ts";
import { listBalances } from "../../src/ledger/list-balances.ts";
import { verifyLedger } from "../../src/ledger/verify.ts";
import { movePayouts } from "../../src/payouts/move.ts";
import { addAffiliate, addPartner, click, payOut, report } from "../attribution/program.ts";
import { checkout, dispute, payment, refund, second } from "../attribution/reported.ts";
import { makeContext } from "../subscriber.ts";

let test: TestDatabase;
let context: CreationContext;
let campaign_id: string;
/** The recruiter. */
let jane: string;
/** The recruit. */
let joe: string;

beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.close());
beforeEach(async () => {
  context = await makeContext(test.database);
  ({ campaign_id, affiliate_id: jane } = await addPartner(context, {
    recruiting: { percent: 10, months: 12 },
  }));
  joe = await addAffiliate(context, { campaign_id, recruited_by: jane });
});

/** A customer's payment of 100.00. The recruit gets 30.00, and the recruiter 3.00. */
async function sell(name: string): Promise<void> {
  const buyer = { customer_id: `cus_${name}`, email: `${name}@customers.test` };
  const click_id = await click(context, { affiliate_id: joe, at: second(1) });
  await report(
    context,
    checkout({ subject: `cs_${name}`, ...buyer, click_ids: [click_id], at: second(10) }),
    payment({ subject: `in_${name}`, ...buyer, at: second(20), references: [`pi_${name}`] }),
  );
}

const DISPUTE = { amount_minor: 5_000n, references: ["pi_1"] };

async function disputed(subject: string, at: number): Promise<void> {
  await report(context, dispute({ ...DISPUTE, subject, at: second(at), since: second(at) }));
}

async function won(subject: string, { since, until }: { since: number; until: number }): Promise<void> {
  const times = { at: second(until), since: second(since), until: second(until) };
  await report(context, dispute({ ...DISPUTE, ...times, subject, rank: 1 }));
}

/** Paid with a payment, less the half that is in dispute. A dispute that was won gives the half back, which is unpaid. */
async function winDispute(): Promise<void> {
  await sell("1");
  await payOut(context);
  await disputed("dp_1", 30);
  await sell("2");
  await payOut(context);
  await won("dp_1", { since: 30, until: 40 });
}

async function unpaidOf(id: string): Promise<number[]> {
  expect(
    (await verifyLedger(context.database, context.organization.id)).filter(({ found }) => found),
  ).toEqual([]);
  const rows = await context.database<{ minor: number }[]>`
    select commission_minor::int as minor from unpaid_commissions
    where organization_id = ${context.organization.id} and affiliate_id = ${id} order by commission_id`;
  return rows.map(({ minor }) => minor);
}

async function lineOf(affiliate_id: string, minor: number): Promise<string> {
  const [row] = await context.database<{ id: string }[]>`
    select id from commissions
    where organization_id = ${context.organization.id} and affiliate_id = ${affiliate_id} and commission_minor = ${minor}`;
  return row?.id ?? "";
}

async function ban(id: string): Promise<void> {
  await banAffiliates(context, { ids: [id], reason: "fraud", due: "void" });
}

it.each([
  ["recruiter", 150],
  ["recruit", 1_500],
])(
  "voids what a banned %s would get back, which no later report and no unban brings back",
  async (who, part) => {
    await winDispute();
    const id = who === "recruiter" ? jane : joe;
    expect(await unpaidOf(id)).toEqual([part]);
    await ban(id);
    expect(await unpaidOf(id)).toEqual([]);
    await disputed("dp_2", 50);
    expect(await unpaidOf(id)).toEqual([]);
    await won("dp_2", { since: 50, until: 60 });
    expect(await unpaidOf(id)).toEqual([]);
    await unbanAffiliates(context, { ids: [id], release: true });
    await report(
      context,
      refund({ subject: "re_1", amount_minor: 10_000n, at: second(70), references: ["pi_1"] }),
    );
    // The other half was paid.
    expect(await unpaidOf(id)).toEqual([-part]);
  },
);

it("lets a recruiter be erased whose money that came back was voided", async () => {
  await winDispute();
  await expect(eraseAffiliate(context, jane)).rejects.toMatchObject({ code: "affiliate_owed" });
  await ban(jane);
  expect(await listBalances(context, jane)).toMatchObject([{ due: 0, in_payout: 0 }]);
  await eraseAffiliate(context, jane);
  await disputed("dp_2", 50);
  await won("dp_2", { since: 50, until: 60 });
  expect(await unpaidOf(jane)).toEqual([]);
});

it("voids no more than is unpaid, also when both are banned", async () => {
  await winDispute();
  await ban(joe);
  // The recruit does not get the half, so neither does the recruiter.
  expect(await unpaidOf(jane)).toEqual([150, -150]);
  await ban(jane);
  expect(await unpaidOf(jane)).toEqual([150, -150]);
  expect(await listBalances(context, jane)).toMatchObject([{ due: 0 }]);
});

it("lets people void and restore what came back, and change nothing else of it", async () => {
  await winDispute();
  const id = await lineOf(jane, 150);
  const locked = { code: "commission_locked" };
  await expect(updateCommission(context, { id, commission_amount: 1 })).rejects.toMatchObject(locked);
  await updateCommission(context, { id, payout_status: "voided" });
  expect(await unpaidOf(jane)).toEqual([]);
  await updateCommission(context, { id, payout_status: "not_paid" });
  expect(await unpaidOf(jane)).toEqual([150]);
  await updateCommission(context, { id, payout_status: "voided" });
  await disputed("dp_2", 50);
  await updateCommission(context, { id, payout_status: "not_paid" });
  expect(await unpaidOf(jane)).toEqual([150, -150]);
  for (const minor of [150, -150]) {
    const change = { id: await lineOf(jane, minor), payout_status: "voided" } as const;
    if (minor > 0) await expect(updateCommission(context, change)).rejects.toMatchObject(locked);
  }
});

it("voids what moved back to a recruiter, although it was taken from another one since", async () => {
  const max = await addAffiliate(context, { campaign_id });
  const kim = await addAffiliate(context, { campaign_id, recruited_by: max });
  await sell("1");
  await payOut(context);
  await cancelPayouts(joe);
  await moveFirstTo(kim);
  for (const name of ["2", "3"]) await sell(name);
  await payOut(context);
  await cancelPayouts(kim);
  await moveFirstTo(joe);
  expect([await unpaidOf(jane), await unpaidOf(max)]).toEqual([[300], [-300]]);
  await ban(jane);
  expect([await unpaidOf(jane), await unpaidOf(max)]).toEqual([[], [-300]]);
});

async function cancelPayouts(affiliate_id: string): Promise<void> {
  const { database, organization } = context;
  const payouts = await database<{ id: string }[]>`
    select id from payouts where organization_id = ${organization.id} and affiliate_id = ${affiliate_id}`;
  await movePayouts(context, {
    ids: payouts.map(({ id }) => id),
    status: "failed",
    reason: "No such account.",
  });
}

/** Moves the customer of the first payment, which has an unpaid commission. */
async function moveFirstTo(affiliate_id: string): Promise<void> {
  const [referral] = await context.database<[{ id: string }]>`
    select id from referrals where organization_id = ${context.organization.id} and email = '1@customers.test'`;
  await moveCustomer(context, {
    ...{ referral_id: referral.id, affiliate_id, unpaid_commissions: true },
    ...{ reason: "agreed", dry_run: false },
  });
}
