import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { CreationContext } from "../../src/commissions/create.ts";
import { updateCommission } from "../../src/commissions/update.ts";
import { EXPORT_PAGE } from "../../src/csv/export-step.ts";
import { BYTE_ORDER_MARK } from "../../src/csv/write-lines.ts";
import { createAdjustment } from "../../src/ledger/adjustments/create.ts";
import { updateAdjustment } from "../../src/ledger/adjustments/update.ts";
import { movePayouts } from "../../src/payouts/move.ts";
import { readJobFile } from "../../src/work/jobs/file.ts";
import { startJob } from "../../src/work/jobs/start.ts";
import { addAffiliate, addPartner, click, report } from "../attribution/program.ts";
import { checkout, dispute, payment, refund, second } from "../attribution/reported.ts";
import { claim } from "../customers/claims/program.ts";
import { onDay } from "../dates.ts";
import {
  addEarner,
  type Earner,
  earn,
  makePayoutContext,
  monthsAgo,
  payOut,
  payouts,
} from "../ledger/program.ts";
import { addEndpoint } from "../subscriber.ts";
import { fillUnanalyzed } from "../unanalyzed/fill.ts";
import { runJobs } from "../work.ts";

let test: TestDatabase;
let context: CreationContext;
let jane: Earner;
let max: Earner;

beforeAll(async () => {
  test = await createTestDatabase();
});

afterAll(() => test.close());

beforeEach(async () => {
  context = await makePayoutContext(test.database);
  jane = await addEarner(context);
  max = await addEarner(context);
});

/** The lines of a finished job's file, each by the names of its header. */
async function exported(job: Parameters<typeof startJob>[1]): Promise<Record<string, string>[]> {
  const { id } = await startJob(context, job);
  await runJobs(context);
  let text = "";
  for await (const part of (await readJobFile(context, id)).content) text += part;
  expect(text.startsWith(BYTE_ORDER_MARK)).toBe(true);
  const [header = [], ...lines] = text
    .slice(BYTE_ORDER_MARK.length)
    .trimEnd()
    .split("\r\n")
    .map((line) => line.split(","));
  return lines.map((cells) => Object.fromEntries(header.map((name, place) => [name, cells[place] ?? ""])));
}

it("exports the commissions of the list's filters", async () => {
  const due = await earn(context, jane, { amount: 30, referral_date: new Date("2026-01-01") });
  await earn(context, max, { amount: 7.05 });
  const all = await exported({ kind: "commissions_export", input: {} });
  expect(all.map(({ commission, status }) => `${commission} ${status}`)).toEqual(["7.05 due", "30.00 due"]);
  const { affiliate_id } = jane;
  const own = await exported({ kind: "commissions_export", input: { affiliate_id } });
  expect(own).toMatchObject([{ id: due, affiliate_id, currency: "USD", revenue: "60.00", payout_id: "" }]);
  await payOut(context, monthsAgo(0));
  const [{ id: payout_id } = { id: "" }] = (await payouts(context)).filter(
    (row) => row.affiliate_id === affiliate_id,
  );
  const paid = await exported({ kind: "commissions_export", input: { payout_id } });
  expect(paid).toMatchObject([{ id: due, status: "pending", payout_id, payout_month: monthsAgo(0) }]);
});

it("says why commissions are void", async () => {
  const { affiliate_id } = await addPartner(context);
  const click_ids = [await click(context, { affiliate_id, at: second(1) })];
  for (const [index, name] of ["refunded", "disputed", "by_person", "kept"].entries()) {
    const customer = { customer_id: `cus_${name}`, email: `${name}@customers.test` };
    const at = (seconds: number) => second(index * 100 + seconds);
    await report(
      context,
      checkout({ subject: `cs_${name}`, ...customer, click_ids, at: at(10) }),
      payment({ subject: `in_${name}`, ...customer, at: at(20), references: [`pi_${name}`] }),
    );
  }
  const gone = { amount_minor: 10_000n, at: second(900) };
  await report(
    context,
    refund({ subject: "re_1", ...gone, references: ["pi_refunded"] }),
    dispute({ subject: "dp_1", ...gone, references: ["pi_disputed"] }),
  );
  const before = await exported({ kind: "commissions_export", input: { affiliate_id } });
  const id = before.find(({ payment_id }) => payment_id === "in_by_person")?.id ?? "";
  await updateCommission(context, { id, payout_status: "voided" });
  const lines = await exported({ kind: "commissions_export", input: { affiliate_id } });
  expect(Object.fromEntries(lines.map(({ payment_id, voided_by }) => [payment_id, voided_by]))).toEqual({
    in_refunded: "refund",
    in_disputed: "dispute",
    in_by_person: "person",
    in_kept: "",
  });
});

it("names the recruit of whose commission one is a percentage", async () => {
  const recruiting = { percent: 10, months: 12 };
  const { campaign_id, affiliate_id: recruited_by } = await addPartner(context, { recruiting });
  const recruit = await addAffiliate(context, { campaign_id, recruited_by });
  const customer = { customer_id: "cus_1", email: "one@customers.test" };
  const click_ids = [await click(context, { affiliate_id: recruit, at: second(1) })];
  await report(
    context,
    checkout({ subject: "cs_1", ...customer, click_ids, at: second(10) }),
    payment({ subject: "in_1", ...customer, at: second(20) }),
  );
  const [own = {}] = await exported({ kind: "commissions_export", input: { affiliate_id: recruit } });
  expect(own).toMatchObject({ recruit_email: "", recruit_commission_id: "" });
  const lines = await exported({ kind: "commissions_export", input: { affiliate_id: recruited_by } });
  expect(lines).toMatchObject([{ recruit_email: own.affiliate_email, recruit_commission_id: own.id }]);
});

it("exports adjustments with who created them, of all affiliates, of one, or of a payout", async () => {
  const commission_id = await earn(context, jane, { amount: 30 });
  const { affiliate_id } = jane;
  const clawback = { affiliate_id, amount: -12.5, reason: "=Refund\nof 4711", commission_id };
  const { id } = await createAdjustment(context, clawback);
  await createAdjustment(context, {
    affiliate_id: max.affiliate_id,
    amount: 1200,
    reason: "Bonus",
    currency: "JPY",
  });
  const withdrawn = await createAdjustment(context, { affiliate_id, amount: 5, reason: "Twice" });
  await updateAdjustment(context, { id: withdrawn.id, payout_status: "voided" });
  await updateAdjustment(context, { id: withdrawn.id, payout_status: "not_paid" });
  await updateAdjustment(context, { id: withdrawn.id, payout_status: "voided" });
  const all = await exported({ kind: "adjustments_export", input: {} });
  expect(all.map(({ amount, currency, status }) => `${amount} ${currency} ${status}`)).toEqual([
    "5.00 USD voided",
    "1200 JPY not_paid",
    "-12.50 USD not_paid",
  ]);
  await payOut(context, monthsAgo(0));
  const own = await exported({ kind: "adjustments_export", input: { affiliate_id } });
  const { payout_id = "" } = own[1] ?? {};
  expect(own.map((line) => line.id)).toEqual([withdrawn.id, id]);
  expect(await exported({ kind: "adjustments_export", input: { payout_id } })).toMatchObject([
    {
      id,
      affiliate_id,
      reason: "'=Refund of 4711",
      commission_id,
      payout_id,
      status: "pending",
      created_by: "operator",
    },
  ]);
});

it("exports the payouts of a run, without formulas", async () => {
  await earn(context, jane, { amount: 30 });
  await earn(context, max, { amount: 4 });
  // A line of the payout beside its commission.
  await createAdjustment(context, { affiliate_id: max.affiliate_id, amount: 3, reason: "Bonus" });
  await test.database`
    update affiliates set first_name = '=1+1', last_name = '' where organization_id = ${context.organization.id} and id = ${max.affiliate_id}`;
  const run_id = await payOut(context, monthsAgo(0));
  const [first] = (await payouts(context)).filter((row) => row.affiliate_id === max.affiliate_id);
  await movePayouts(context, { ids: [first?.id ?? ""], status: "failed", reason: "closed" });
  const all = await exported({ kind: "payouts_export", input: { run_id } });
  expect(all.map(({ amount, status }) => `${amount} ${status}`).sort()).toEqual([
    "30.00 pending",
    "7.00 failed",
  ]);
  const failed = await exported({ kind: "payouts_export", input: { run_id, status: "failed" } });
  expect(failed).toMatchObject([
    { id: first?.id, affiliate_name: "'=1+1", reason: "closed", month: monthsAgo(0), lines: "2" },
  ]);
});

it("continues an export of many adjustments from step to step", async () => {
  const { affiliate_id } = jane;
  for (let number = 0; number < 1_001; number += 91) {
    await Promise.all(
      Array.from({ length: 91 }, () =>
        createAdjustment(context, { affiliate_id, amount: 1, reason: "Bonus" }),
      ),
    );
  }
  const all = await exported({ kind: "adjustments_export", input: {} });
  expect(new Set(all.map(({ id }) => id)).size).toBe(1_001);
});

it("continues an export of many from step to step", async () => {
  for (let number = 0; number < 1_001; number += 91) {
    await Promise.all(Array.from({ length: 91 }, () => earn(context, jane, { amount: 1 })));
  }
  const all = await exported({ kind: "commissions_export", input: {} });
  expect(new Set(all.map(({ id }) => id)).size).toBe(1_001);
});

it("exports payments, referrals, claims, events and deliveries by the filters of their lists", async () => {
  const { affiliate_id } = await addPartner(context);
  await addEndpoint(context);
  const click_ids = [await click(context, { affiliate_id, at: second(1) })];
  const buyer = { customer_id: "cus_1", email: "buyer@customers.test" };
  await report(
    context,
    checkout({ subject: "cs_1", ...buyer, click_ids, at: second(10) }),
    payment({ subject: "in_1", ...buyer, at: second(20) }),
    payment({ subject: "in_2", customer_id: "cus_2", email: "lee@customers.test", at: second(30) }),
  );
  const payments = await exported({ kind: "payments_export", input: {} });
  expect(payments.map(({ payment_id, outcome }) => [payment_id, outcome])).toEqual([
    ["in_2", "no_referral"],
    ["in_1", "commission"],
  ]);
  expect(payments[1]).toMatchObject({
    affiliate_id,
    customer_email: buyer.email,
    revenue: "100.00",
    commission: "30.00",
  });
  const earned = await exported({ kind: "payments_export", input: { outcomes: ["commission"] } });
  expect(earned.map(({ payment_id }) => payment_id)).toEqual(["in_1"]);

  const referrals = await exported({ kind: "referrals_export", input: { affiliate_id } });
  expect(referrals).toMatchObject([
    { email: buyer.email, customer_id: "cus_1", affiliate_id, commissions: "1", commission: "30.00" },
  ]);

  const note = "=Order 4711";
  await claim(context, affiliate_id, { email: "kim@customers.test", paid_on: onDay(1), note });
  const claims = await exported({ kind: "claims_export", input: { states: ["open"] } });
  expect(claims).toMatchObject([
    { affiliate_id, customer_email: "kim@customers.test", note: `'${note}`, state: "open" },
  ]);
  expect(await exported({ kind: "claims_export", input: { states: ["accepted"] } })).toEqual([]);

  const events = await exported({ kind: "events_export", input: { type: "commission.created" } });
  expect(events).toMatchObject([{ type: "commission.created", pending: "1", delivered: "0" }]);
  const deliveries = await exported({ kind: "deliveries_export", input: { type: "commission.created" } });
  expect(deliveries).toMatchObject([
    { event_id: events[0]?.id, type: "commission.created", state: "pending" },
  ]);
  expect(await exported({ kind: "deliveries_export", input: { states: ["delivered"] } })).toEqual([]);
});

it("continues commissions behind a page, at equal dates, with no row twice or missing", async () => {
  const { organization } = context;
  const { campaign_id } = await addPartner(context);
  const count = 2 * EXPORT_PAGE + 30;
  await fillUnanalyzed(context, { campaign_id, count });
  await test.database`
    update unpaid_commissions set due_at = now() where organization_id = ${organization.id}`;
  const lines = await exported({ kind: "commissions_export", input: {} });
  expect(lines).toHaveLength(count);
  expect(new Set(lines.map(({ id }) => id)).size).toBe(count);
});

it("continues affiliates in the order of the list, by a figure, and referrals by their sign-ups", async () => {
  const { organization } = context;
  const { campaign_id } = await addPartner(context);
  const count = EXPORT_PAGE + 30;
  await fillUnanalyzed(context, { campaign_id, count });
  await test.database`
    update balances set earned_minor = 100 + earned_minor % 10, unpaid_minor = 100 + earned_minor % 10 where organization_id = ${organization.id}`;
  const affiliates = await exported({
    kind: "affiliates_export",
    input: { sort: "earned", text: "code", created_until: "2026-06-01T00:00:00Z" },
  });
  const earned = affiliates.map(({ earned }) => Number(earned));
  expect(new Set(affiliates.map(({ id }) => id)).size).toBe(count);
  expect(earned).toEqual(earned.toSorted((one, other) => other - one));
  const few = await exported({ kind: "affiliates_export", input: { sort: "earned", text: "many77@" } });
  expect(few).toMatchObject([{ email: "many77@example.com" }]);

  const referrals = await exported({ kind: "referrals_export", input: { text: "many" } });
  expect(new Set(referrals.map(({ id }) => id)).size).toBe(count);
  expect(referrals).toHaveLength(count);
});

it("exports no rows of other organizations, and gives them no files", async () => {
  const { id: job_id } = await startJob(context, { kind: "commissions_export", input: {} });
  await earn(context, jane, { amount: 30 });
  await payOut(context, monthsAgo(0));
  await runJobs(context);
  const own = context;
  context = await makePayoutContext(test.database);
  await expect(readJobFile(context, job_id)).rejects.toMatchObject({ code: "not_found" });
  for (const kind of [
    "affiliates_export",
    "referrals_export",
    "commissions_export",
    "adjustments_export",
    "payments_export",
    "payouts_export",
    "claims_export",
    "events_export",
    "deliveries_export",
  ] as const) {
    expect(await exported({ kind, input: {} }), kind).toEqual([]);
  }
  const { affiliate_id } = jane;
  for (const kind of ["referrals_export", "commissions_export", "payments_export"] as const) {
    expect(await exported({ kind, input: { affiliate_id } }), kind).toEqual([]);
  }
  context = own;
  expect(await exported({ kind: "commissions_export", input: { affiliate_id } })).toHaveLength(1);
});
